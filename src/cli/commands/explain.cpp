// weir explain: show an execution step by step, from a replay file or from a check made on the spot.
#include "cli/c_program.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"

namespace weir::cli {

int run_explain(const CommandLine& line, Session& session) {
  if (is_c_program(line)) return run_check(line, session);
  auto text = read_file(line.file);
  if (!text) return fail_input(line, text.error());
  if (recognise(line.file, *text) == Format::kReplay) return replay_text(line, std::move(*text), session);
  return check_program(line, parse_program(line, std::move(*text)), session);
}

}  // namespace weir::cli
