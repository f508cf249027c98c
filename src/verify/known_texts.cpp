#include "verify/known_texts.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.hpp"

namespace weir::verify {

namespace {

namespace fs = std::filesystem;

std::string normal(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

KnownTexts::KnownTexts(const Source& source) : source_(source), files_(source.files) {
  if (source.texts.empty()) return;
  folder_.emplace(source.folder.empty() ? fs::temp_directory_path() : source.folder);
  for (const auto& [path, text] : source.texts) stage(path, text);
  if (overlaid_.empty()) return;
  nlohmann::json list{{"version", 0}, {"use-external-names", false}, {"roots", nlohmann::json::array()}};
  for (const auto& [path, copy] : overlaid_)
    list["roots"].push_back({{"type", "file"}, {"name", path}, {"external-contents", copy}});
  const std::string name = (folder_->path() / "overlay.json").string();
  if (auto problem = write_file(name, list.dump())) problem_ = std::move(problem);
  arguments_.insert(arguments_.end(), {"-ivfsoverlay", name});
}

// The copy has the file's own name in a folder of its own: the suffix says how it is compiled, and C is meant if
// it says nothing.
void KnownTexts::stage(const std::string& path, const std::string& text) {
  const std::size_t number = renamed_.size() + overlaid_.size();
  const fs::path folder = folder_->path() / std::to_string(number);
  const std::string copy =
      (folder / fs::path(path).filename()).string() + (is_compiled(path) && !is_c_path(path) ? ".c" : "");
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  if (auto problem = write_file(copy, text)) problem_ = std::move(problem);
  if (!is_compiled(path) || (is_c_path(path) && fs::exists(path, ignored))) {
    overlaid_.emplace_back(normal(path), copy);
    return;
  }
  std::ranges::replace(files_, path, copy);
  renamed_.emplace_back(copy, path);
  arguments_.insert(arguments_.end(), {"-iquote", fs::path(normal(path)).parent_path().string()});
}

bool KnownTexts::is_compiled(const std::string& path) const {
  return std::ranges::find(source_.files, path) != source_.files.end();
}

std::string KnownTexts::known_name(const std::string& path) const {
  for (const auto& [copy, name] : renamed_)
    if (normal(path) == copy) return name;
  return path;
}

SourceMap KnownTexts::restored(const SourceMap& sources) const {
  SourceMap result;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const SourceFile& file = sources.file(FileId(i));
    const std::string name = known_name(file.path);
    const auto known = std::ranges::find_if(
        source_.texts, [&](const auto& entry) { return normal(entry.first) == normal(name); });
    result.add(name, known == source_.texts.end() ? file.text : known->second);
  }
  return result;
}

void KnownTexts::restore(Program& program) const {
  if (source_.texts.empty()) return;
  program.name = source_.files.front();
  program.sources = restored(program.sources);
}

void KnownTexts::restore(InputError& error) const {
  if (source_.texts.empty()) return;
  error.sources = restored(error.sources);
  for (const auto& [copy, name] : renamed_) replace_all(error.verbatim, copy, name);
}

}  // namespace weir::verify
