// How long is fixed, so that a page is never long in coming; the fences are the same on every machine that
// finds them in time, since `place_fences` is deterministic. What it finds is confirmed on the reference
// machine (each fence is needed) and by another search (together they are enough).
#include "cli/proposed_fences.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/c_program.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/fencing.hpp"
#include "cli/loading.hpp"
#include "cli/session.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/fences.hpp"
#include "report/again.hpp"
#include "report/explorer/pages.hpp"
#include "verify/confirmation.hpp"

namespace weir::cli {

namespace {

constexpr std::chrono::milliseconds kBudget(5000);

std::optional<FenceOptions> options_for(const CommandLine& line, const Program& program, FencePurpose purpose,
                                        Model model) {
  auto text = is_c_program(line) ? Expected<std::string>("") : read_file(line.file);
  if (!text) return std::nullopt;
  auto robust = robust_options(program, line.settings);
  if (!robust) return std::nullopt;
  const Format format = program_format(line, *text);
  auto costs = fence_costs(program, format, *text, line.settings);
  if (!costs) return std::nullopt;
  FenceOptions options{.purpose = purpose, .robust = std::move(*robust), .model = model};
  options.robust.all = false;
  options.cost = std::move(*costs);
  options.place = fence_places(program, format);
  return options;
}

bool are_enough(const Program& fenced, const FenceOptions& options, Context& context) {
  if (options.purpose == FencePurpose::kRobustness)
    return check_robust(fenced, options.robust, context).verdict == RobustVerdict::kRobust;
  ExplicitOptions search{.model = options.model};
  search.local_steps = options.robust.local_steps;
  search.values = options.robust.values;
  return check_explicit(fenced, search, context).verdict == Verdict::kSafe;
}

FenceAnswer confirmed_fences(const Program& program, const FenceOptions& options, Context& context) {
  FenceAnswer answer = place_fences(program, options, context);
  if (answer.verdict != FenceVerdict::kFound) return answer;
  for (const FenceNeed& need : answer.needs) verify::confirm(need.program, need.witness);
  if (!are_enough(with_fences(program, all_at_places(options, answer.fences)), options, context)) return {};
  return answer;
}

// Who reads a pipe has got the page already.
bool can_be_rewritten(std::string_view path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

void add_fences_to_page(ExplorerPage page, const RunInfo& run, const CommandLine& line,
                        const Program& program, FencePurpose purpose, const Context& whole) {
  if (!line.settings.given(OptionId::kHtml) || !can_be_rewritten(line.settings.text(OptionId::kHtml))) return;
  const auto options = options_for(line, program, purpose, run.model);
  if (!options) return;
  FenceAnswer answer;
  {
    Context context(whole, {.timeout = kBudget, .memory_bytes = {}});
    answer = confirmed_fences(program, *options, context);
  }
  if (answer.verdict == FenceVerdict::kUnknown) return;
  if (answer.verdict == FenceVerdict::kFound)
    page.fences = explorer_fences({program, answer, *options, "", "", false});
  if (answer.verdict == FenceVerdict::kImpossible && purpose == FencePurpose::kSafety)
    page.next = {ask_again(run, "check", "--model sc")};
  deliver(line, [&] { return write_html_page(page, run, line.settings); });
}

}  // namespace weir::cli
