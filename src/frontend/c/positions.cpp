#include "frontend/c/positions.hpp"

#include <filesystem>
#include <fstream>
#include <llvm/IR/InstIterator.h>
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

}  // namespace

SourcePosition Positions::of(const llvm::DebugLoc& location) {
  const llvm::DILocation* place = location.get();
  if (place == nullptr) return {};
  return at(place->getFile(), place->getLine(), place->getColumn());
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
  if (is_new) entry->second = sources_.add(name, text_of(path));
  by_node_.emplace(file, entry->second);
  return entry->second;
}

}  // namespace weir::c
