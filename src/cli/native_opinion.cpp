#include "cli/native_opinion.hpp"

#include <filesystem>

#include "base/temporary_folder.hpp"
#include "cli/loading.hpp"

namespace weir::cli {

CSources c_sources(const CommandLine& line) {
  if (!is_c_program(line)) return {};
  std::error_code ignored;
  return {std::filesystem::current_path(ignored).string(), line.files, line.compiler_arguments};
}

std::optional<native::Result> native_opinion(const Program& program, const Witness& witness,
                                             const CSources& sources, const Settings& settings, RunInfo& run,
                                             Session& session) {
  if (!settings.flag(OptionId::kNative) && !settings.flag(OptionId::kDebugger)) return std::nullopt;
  const TemporaryFolder folder(session.folder());
  session.enter("running the program");
  native::Result result =
      native::confirm(program, witness, sources, folder.path(), settings.flag(OptionId::kDebugger));
  run.native = native::name(result.outcome);
  run.native_message = result.message;
  return result;
}

}  // namespace weir::cli
