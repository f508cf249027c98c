// weir check on an array system: search backwards for any number of processes, and confirm on an instance.
#include "cli/commands/array.hpp"

#include <fmt/format.h>

#include "cli/checkpoints.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/presenter.hpp"
#include "cli/session.hpp"
#include "program/array/strong.hpp"
#include "program/array/text.hpp"
#include "report/array_report.hpp"
#include "report/exit_code.hpp"
#include "verify/array.hpp"

namespace weir::cli {

namespace {

using array::ArraySystem;

// Weak symbols obey TSO unless the user wants to know what happens without buffers.
Model model_of(const ArraySystem& system, const Settings& settings) {
  if (settings.given(OptionId::kModel)) return parse_model(settings.text(OptionId::kModel)).value();
  return system.weak() ? Model::kTso : Model::kSc;
}

std::optional<UsageError> check_options(const Settings& settings) {
  if (settings.text(OptionId::kModel) == "pso")
    return UsageError{"array systems are checked under sc and tso", "leave --model out"};
  const std::string_view engine = settings.text(OptionId::kEngine);
  if (engine != "auto" && engine != "array")
    return UsageError{fmt::format("--engine {} answers for a given number of processes", engine),
                      "add -n 3, or leave --engine out"};
  if (settings.flag(OptionId::kAxiomatic) && settings.given(OptionId::kCertificate))
    return UsageError{"--axiomatic writes no certificate", "leave one of the two out"};
  return std::nullopt;
}

verify::ArrayQuestion array_question(const Settings& settings, Checkpoint* checkpoint) {
  verify::ArrayQuestion question{.axiomatic = settings.flag(OptionId::kAxiomatic),
                                 .certificate = settings.given(OptionId::kCertificate),
                                 .checkpoint = checkpoint};
  const std::string_view inference = settings.text(OptionId::kInference);
  if (inference == "never") question.inference = array::Inference::kNever;
  if (inference == "always") question.inference = array::Inference::kAlways;
  if (settings.given(OptionId::kSearch))
    question.order = settings.text(OptionId::kSearch) == "dfs" ? array::SearchOrder::kDepthFirst
                                                               : array::SearchOrder::kBreadthFirst;
  return question;
}

Presentable presentable(const ArraySystem& system, const ArrayVerdict& verdict, const RunInfo& run) {
  Presentable result{.code = exit_code(verdict.verdict)};
  result.json = [&](const Presentation&) { return array_json_report(system, verdict, run); };
  result.line = [&](const Presentation& shown) { return array_verdict_line(system, verdict, run, shown); };
  result.text = [&](const Presentation& shown) { return array_text_report(system, verdict, run, shown); };
  result.log = [&, code = result.code] {
    SarifLog log{system.sources, run, name(verdict.verdict), verdict.reason, code, {}};
    if (verdict.run) log.results.push_back(array_sarif_result(system, verdict));
    return log;
  };
  result.page = [&] { return explorer_page(system, verdict, run); };
  return result;
}

}  // namespace

int check_array_system(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (const auto error = check_options(settings)) return fail_usage(line, *error);
  if (const auto error = check_checkpoint_options(settings)) return fail_usage(line, *error);
  if (wants_checkpoints(settings) && settings.flag(OptionId::kAxiomatic))
    return fail_usage(line, {"--axiomatic has no checkpoints", "the usual search has"});
  auto system = verify::load_array_system(line.file);
  if (!system) return fail_input(line, system.error());
  RunInfo run = run_info(line, model_of(*system, settings));
  if (run.model == Model::kSc && system->weak()) *system = array::without_buffers(std::move(*system));
  auto checkpoint = open_checkpoint(line, "array", print_array_system(*system));
  if (!checkpoint.ok()) return fail_input(line, checkpoint.error());
  session.enter("searching");
  const verify::ArrayResult result =
      verify::check_array(*system, array_question(settings, checkpoint->get()), session.context());
  tell_about(checkpoint->get(), settings);
  note_cost(run, session.context());
  Presentable shown = presentable(*system, result.verdict, run);
  if (!result.certificate.empty())
    shown.others = {
        [&] { return write_file(std::string(settings.text(OptionId::kCertificate)), result.certificate); }};
  return present(line, session, run, shown);
}

}  // namespace weir::cli
