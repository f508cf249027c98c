// weir fence: load, ask, report, and write the patch.
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/instances.hpp"
#include "cli/loading.hpp"
#include "cli/options/properties.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#include "report/fence_report.hpp"
#include "report/text/unified_diff.hpp"
#include "verify/fences/fences.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

// Options that say nothing about what the fences are for.
std::optional<UsageError> check_purpose(const Settings& settings, const Instances& copies) {
  const bool safety = settings.text(OptionId::kFor) == "safety";
  if (!safety && settings.text(OptionId::kFenceModel) != "tso")
    return UsageError{"robustness is against tso; --model pso goes with --for safety", ""};
  if (safety && settings.flag(OptionId::kTriangular))
    return UsageError{"--triangular is about robustness, not about --for safety", ""};
  if (copies.any && (safety || settings.flag(OptionId::kTriangular)))
    return UsageError{"-n any goes neither with --for safety nor with --triangular",
                      "-n 4 places fences for four copies of each thread"};
  return std::nullopt;
}

// With --patch, the patch takes the place of the text.
Presentable presentable(const FenceReport& answer, const verify::FenceResult& found, const RunInfo& run,
                        bool to_output) {
  Presentable result{.code = exit_code(found.answer.verdict), .exact = to_output};
  result.json = [&](const Presentation& shown) { return fence_json(answer, run, shown); };
  if (to_output && found.answer.verdict == FenceVerdict::kFound) {
    result.line = result.text = [&](const Presentation&) { return answer.patch; };
  } else {
    result.line = [&](const Presentation& shown) { return fence_verdict_line(answer, shown); };
    result.text = [&](const Presentation& shown) { return fence_text(answer, run, shown); };
    result.figures = [&] { return statistics_text("fence", answer.answer.statistics); };
  }
  if (!answer.patch_file.empty())
    result.others = {[&] { return write_file(answer.patch_file, answer.patch); }};
  result.log = [&, code = result.code] {
    SarifLog log{answer.program.sources, run, verdict_name(answer), found.answer.reason, code, {}};
    if (auto fix = fence_result(answer, found.changes)) log.results.push_back(std::move(*fix));
    return log;
  };
  result.page = [&] { return explorer_page(answer, run); };
  return result;
}

int tell(const CommandLine& line, const Program& program, const verify::FenceResult& found, RunInfo run,
         Session& session) {
  const Settings& settings = line.settings;
  note_cost(run, session.context());
  warn(program, found.answer.diagnostics, settings);
  warn(program, verify::restriction_warnings(program), settings);
  if (found.no_changes)
    warn(program,
         {{Severity::kWarning,
           "these fences could not be written into the text: there is no patch",
           {},
           "the answer names file and line of each"}},
         settings);
  const std::string patch_file(settings.text(OptionId::kPatch));
  const bool to_output = patch_file == "-";
  const FenceReport answer{
      program,       found.answer, found.options, unified_diff(found.changes), to_output ? "" : patch_file,
      found.under_sc};
  return present(line, session, run, presentable(answer, found, run, to_output));
}

}  // namespace

int run_fence(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  if (const auto error = check_purpose(settings, *copies)) return fail_usage(line, *error);
  auto loaded = load_source(line, session);
  if (!loaded) return fail_input(line, loaded.error());
  if (const auto error = add_properties(loaded->program, settings)) return fail_usage(line, *error);
  auto robust = robust_options(loaded->program, settings);
  if (!robust) return fail_usage(line, robust.error());
  const bool safety = settings.text(OptionId::kFor) == "safety";
  const verify::FenceQuestion question{.purpose = safety ? FencePurpose::kSafety : FencePurpose::kRobustness,
                                       .model = parse_model(settings.text(OptionId::kFenceModel)).value(),
                                       .robust = std::move(*robust),
                                       .cost = std::string(settings.text(OptionId::kCost)),
                                       .alternatives = settings.number(OptionId::kAlternatives).value(),
                                       .properties = property_request(settings),
                                       .copies = copies->number,
                                       .any_number = copies->any};
  verify::Source files = source(line);
  if (files.compiled()) files.folder = session.folder();
  const RunInfo run = run_info(line, safety ? question.model : Model::kTso);
  session.enter("looking for fences");
  auto found = verify::place_fences(files, *loaded, question, session.context());
  if (!found) return fail_input(line, found.error());
  return tell(line, loaded->program, *found, run, session);
}

}  // namespace weir::cli
