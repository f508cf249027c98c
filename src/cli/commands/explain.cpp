// weir explain: show an execution step by step, from a replay file or from a check made on the spot.
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"

namespace weir::cli {

int run_explain(const CommandLine& line, Session& session) {
  if (is_c_program(line)) return run_check(line, session);
  auto text = read_file(line.file);
  if (!text) return fail_input(line, text.error());
  if (verify::is_replay_file(line.file, *text)) return replay_text(line, std::move(*text), session);
  auto loaded = verify::load_text(source(line), std::move(*text));
  if (!loaded) return fail_input(line, loaded.error());
  return check_program(line, std::move(loaded->program), session);
}

}  // namespace weir::cli
