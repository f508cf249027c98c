#include "cli/commands/explore_plot.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "report/plot/plot.hpp"

namespace weir::cli {

namespace {

constexpr double kShortest = 1e-3;  // seconds; less cannot be measured

bool exists(Equivalence equivalence, Model model) {
  const bool rooted = equivalence == Equivalence::kDataCentric || equivalence == Equivalence::kValueCentric;
  return !rooted || model == Model::kSc;
}

}  // namespace

std::optional<Diagnostic> write_explore_plot(const CommandLine& line, const Program& program,
                                             SmcOptions options, const Context& whole) {
  Plot plot;
  plot.title = fmt::format("{} under {}: executions by equivalence", line.file, name(options.model));
  plot.x = {.title = "executions visited", .logarithmic = true};
  plot.y = {.title = "seconds", .logarithmic = true};
  options.stop_at_violation = false;
  options.only_estimate = false;
  for (const Equivalence equivalence : kEquivalences) {
    if (!exists(equivalence, options.model)) continue;
    options.equivalence = equivalence;
    Context context(whole, {.timeout = time_limit(line.settings), .memory_bytes = {}});
    const SmcAnswer answer = explore_executions(program, options, context);
    const auto visited = static_cast<double>(answer.traces + answer.blocked);
    plot.series.push_back(
        {.name = fmt::format("{}: {:.0f}{}", name(equivalence), visited, answer.complete ? "" : " (not all)"),
         .points = {{std::max(visited, 1.0), std::max(context.seconds(), kShortest)}},
         .connected = false});
    if (whole.stopped()) break;
  }
  return write_file(std::string(line.settings.text(OptionId::kPlot)), svg_plot(plot));
}

}  // namespace weir::cli
