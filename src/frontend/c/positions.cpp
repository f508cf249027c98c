#include "frontend/c/positions.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MD5.h>
#include <sstream>

namespace weir::c {

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

// Has the compiler read this text? It notes digests of the files that it reads.
bool was_read(const llvm::DIFile& file, const std::string& text) {
  const auto checksum = file.getChecksum();
  if (!checksum || checksum->Kind != llvm::DIFile::CSK_MD5) return false;
  const llvm::MD5::MD5Result digest = llvm::MD5::hash(llvm::arrayRefFromStringRef(text));
  return checksum->Value.equals_insensitive(digest.digest());
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::error_code problem;
  const auto real_path = std::filesystem::canonical(path, problem);
  const auto real_folder = std::filesystem::canonical(folder, problem);
  if (problem) return false;
  return std::mismatch(real_folder.begin(), real_folder.end(), real_path.begin(), real_path.end()).first ==
         real_folder.end();
}

bool has_name_of_source(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 12> kSuffixes = {".c",  ".h",   ".i",   ".C",   ".cc",  ".hh",
                                                          ".ii", ".cpp", ".hpp", ".cxx", ".hxx", ".inc"};
  return std::ranges::find(kSuffixes, path.extension().string()) != kSuffixes.end();
}

}  // namespace

SourcePosition Positions::of(const llvm::DebugLoc& location) {
  const llvm::DILocation* place = location.get();
  if (place == nullptr) return {};
  return of(*place);
}

SourcePosition Positions::of(const llvm::DILocation& location) {
  return at(location.getFile(), location.getLine(), location.getColumn());
}

bool Positions::is_foreign(const llvm::DIFile* file) const {
  if (file == nullptr) return true;
  std::filesystem::path path(file->getFilename().str());
  if (path.is_relative()) path = file->getDirectory().str() / path;
  return path.lexically_normal().string().starts_with("/usr/") && !is_below(path, folder_);
}

SourcePosition Positions::of(const llvm::DISubprogram* function) {
  if (function == nullptr) return {};
  return at(function->getFile(), function->getLine(), 1);
}

SourcePosition Positions::of(const llvm::DIVariable* variable) {
  if (variable == nullptr) return {};
  return at(variable->getFile(), variable->getLine(), 1);
}

// Forwards last: what comes before led here.
SourcePosition Positions::near(const llvm::Instruction& instruction) {
  for (const llvm::Instruction* i = &instruction; i != nullptr; i = i->getPrevNode())
    if (const SourcePosition found = of(i->getDebugLoc()); found.known()) return found;
  for (const llvm::Instruction* i = &instruction; i != nullptr; i = i->getNextNode())
    if (const SourcePosition found = of(i->getDebugLoc()); found.known()) return found;
  const llvm::Function& function = *instruction.getFunction();
  if (const SourcePosition found = of(function.getSubprogram()); found.known()) return found;
  for (const llvm::Instruction& i : llvm::instructions(function))
    if (const SourcePosition found = of(i.getDebugLoc()); found.known()) return found;
  return {};
}

SourcePosition Positions::at(const llvm::DIFile* file, std::uint32_t line, std::uint32_t column) {
  if (file == nullptr || line == 0) return {};
  return {file_of(file), line, column == 0 ? 1 : column};
}

// #line, and whoever writes a module, can name any file: of those only sources beside the program are shown.
std::string Positions::shown_text(const llvm::DIFile& file, const std::filesystem::path& path) const {
  std::string text = text_of(path);
  if (was_read(file, text) || (has_name_of_source(path) && is_below(path, folder_))) return text;
  return "";
}

FileId Positions::file_of(const llvm::DIFile* file) {
  const auto known = by_node_.find(file);
  if (known != by_node_.end()) return known->second;
  std::string name = file->getFilename().str();
  std::filesystem::path path(name);
  if (path.is_relative()) {
    // The compiler may take any folder that it shares with the file for the base of its name.
    std::error_code ignored;
    const std::filesystem::path folder(file->getDirectory().str());
    path = folder / path;
    if (folder != std::filesystem::current_path(ignored)) name = path.string();
  }
  const auto [entry, is_new] = by_path_.try_emplace(path.lexically_normal().string());
  if (is_new) entry->second = sources_.add(name, shown_text(*file, path));
  by_node_.emplace(file, entry->second);
  return entry->second;
}

}  // namespace weir::c
