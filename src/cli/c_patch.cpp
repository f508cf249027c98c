#include "cli/c_patch.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.hpp"
#include "cli/c_program.hpp"
#include "cli/loading.hpp"
#include "cli/options/properties.hpp"
#include "cli/outputs.hpp"
#include "frontend/c/fence_edits.hpp"

namespace weir::cli {

namespace {

namespace fs = std::filesystem;

std::vector<FileEdits> changed_files(const Program& program,
                                     const std::map<FileId, std::vector<TextEdit>>& edits) {
  std::vector<FileEdits> result;
  for (const auto& [id, changes] : edits) {
    const SourceFile& file = program.sources.file(id);
    result.push_back({file.path, file.text, changes});
  }
  return result;
}

// clang reads a list of files to use instead of others (-ivfsoverlay).
Expected<Program> load_changed(const CommandLine& line, const std::vector<FileEdits>& files,
                               Session& session) {
  const TemporaryFolder folder(session.folder());
  nlohmann::json overlay{{"version", 0}, {"use-external-names", false}, {"roots", nlohmann::json::array()}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path copy = folder.path() / std::to_string(i);
    if (auto problem = write_file(copy.string(), files[i].after())) return InputError{{}, {*problem}, ""};
    overlay["roots"].push_back({{"type", "file"},
                                {"name", fs::absolute(files[i].path).string()},
                                {"external-contents", copy.string()}});
  }
  const std::string list = (folder.path() / "overlay.json").string();
  if (auto problem = write_file(list, overlay.dump())) return InputError{{}, {*problem}, ""};
  CommandLine changed = line;
  changed.compiler_arguments.insert(changed.compiler_arguments.end(), {"-ivfsoverlay", list});
  auto program = load_program(changed, session);
  if (program) add_properties(*program, line.settings);
  return program;
}

}  // namespace

std::vector<FileEdits> c_fence_files(const CommandLine& line, const Program& program,
                                     const std::vector<LocationId>& fences,
                                     const std::function<bool(const Program&)>& good, Session& session) {
  for (const CFenceForm form : {CFenceForm::kStatement, CFenceForm::kCondition}) {
    const auto edits = c_fence_edits(program, fences, form);
    if (!edits) continue;
    std::vector<FileEdits> files = changed_files(program, *edits);
    auto changed = load_changed(line, files, session);
    if (changed && good(*changed)) return files;
  }
  return {};
}

}  // namespace weir::cli
