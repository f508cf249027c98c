#include "cli/c_patch.hpp"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/c_program.hpp"
#include "cli/loading.hpp"
#include "cli/properties.hpp"
#include "frontend/c/fence_edits.hpp"
#include "report/unified_diff.hpp"

namespace weir::cli {

namespace {

namespace fs = std::filesystem;

// A folder that goes when it is done with.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "weir-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct ChangedFile {
  std::string path;
  std::string before, after;
};

std::vector<ChangedFile> changed_files(const Program& program,
                                       const std::map<FileId, std::vector<TextEdit>>& edits) {
  std::vector<ChangedFile> result;
  for (const auto& [id, changes] : edits) {
    const SourceFile& file = program.sources.file(id);
    result.push_back({file.path, file.text, apply_edits(file.text, changes)});
  }
  return result;
}

// clang reads a list of files to use instead of others (-ivfsoverlay).
Expected<Program> load_changed(const CommandLine& line, const std::vector<ChangedFile>& files) {
  const TemporaryFolder folder;
  nlohmann::json overlay{{"version", 0}, {"use-external-names", false}, {"roots", nlohmann::json::array()}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path copy = folder.path() / std::to_string(i);
    if (auto problem = write_file(copy.string(), files[i].after)) return InputError{{}, {*problem}, ""};
    overlay["roots"].push_back({{"type", "file"},
                                {"name", fs::absolute(files[i].path).string()},
                                {"external-contents", copy.string()}});
  }
  const std::string list = (folder.path() / "overlay.json").string();
  if (auto problem = write_file(list, overlay.dump())) return InputError{{}, {*problem}, ""};
  CommandLine changed = line;
  changed.compiler_arguments.insert(changed.compiler_arguments.end(), {"-ivfsoverlay", list});
  auto program = load_program(changed);
  if (program) add_properties(*program, line.settings);
  return program;
}

std::string patch_of(const std::vector<ChangedFile>& files) {
  std::string patch;
  for (const ChangedFile& file : files) patch += unified_diff(file.path, file.before, file.after);
  return patch;
}

}  // namespace

std::string c_fence_patch(const CommandLine& line, const Program& program,
                          const std::vector<LocationId>& fences,
                          const std::function<bool(const Program&)>& good) {
  for (const CFenceForm form : {CFenceForm::kStatement, CFenceForm::kCondition}) {
    const auto edits = c_fence_edits(program, fences, form);
    if (!edits) continue;
    const std::vector<ChangedFile> files = changed_files(program, *edits);
    auto changed = load_changed(line, files);
    if (changed && good(*changed)) return patch_of(files);
  }
  return "";
}

}  // namespace weir::cli
