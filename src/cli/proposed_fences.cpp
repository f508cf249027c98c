// How long is fixed, so that a page is never long in coming; the fences are the same on every machine that
// finds them in time, since `place_fences` is deterministic. What it finds is confirmed on the reference
// machine (each fence is needed) and by another search (together they are enough).
#include "cli/proposed_fences.hpp"

#include <filesystem>

#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/presenter.hpp"
#include "report/again.hpp"
#include "report/explorer/pages.hpp"
#include "verify/fences/fences.hpp"

namespace weir::cli {

namespace {

constexpr std::chrono::milliseconds kBudget(5000);

// The program as the command has it, and its text.
Expected<verify::Loaded> known(const Program& program, const CommandLine& line, Context& context) {
  if (is_c_program(line)) return verify::Loaded{program, verify::find_language("c"), ""};
  auto loaded = verify::load(source(line), context);
  if (loaded) loaded->program = program;
  return loaded;
}

// Nothing if they cannot be found in time.
std::optional<verify::FenceResult> fences_for(const Program& program, const CommandLine& line,
                                              FencePurpose purpose, Model model, const Context& whole) {
  Context context(whole, {.timeout = kBudget, .memory_bytes = {}});
  auto loaded = known(program, line, context);
  auto robust = robust_options(program, line.settings);
  if (!loaded || !robust) return std::nullopt;
  robust->all = false;
  const verify::FenceQuestion question{.purpose = purpose,
                                       .model = model,
                                       .robust = std::move(*robust),
                                       .cost = std::string(line.settings.text(OptionId::kCost)),
                                       .changes = false};
  auto found = verify::place_fences(source(line), *loaded, question, context);
  if (!found) return std::nullopt;
  return std::move(*found);
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
  const auto found = fences_for(program, line, purpose, run.model, whole);
  if (!found || found->answer.verdict == FenceVerdict::kUnknown) return;
  if (found->answer.verdict == FenceVerdict::kFound)
    page.fences = explorer_fences({program, found->answer, found->options, "", "", false});
  if (found->answer.verdict == FenceVerdict::kImpossible && purpose == FencePurpose::kSafety)
    page.next = {ask_again(run, "check", "--model sc")};
  deliver_page(line, run, [&] { return page; });
}

}  // namespace weir::cli
