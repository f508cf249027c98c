// weir explain: show an execution step by step, from a replay file or from a check made on the spot.
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"

namespace weir::cli {

int run_explain(const CommandLine& line) {
  auto text = read_file(line.file);
  if (!text) return fail_input(text.error());
  if (recognise(line.file, *text) == Format::kReplay) return replay_text(line, std::move(*text));
  return check_text(line, std::move(*text));
}

}  // namespace weir::cli
