// weir check: load, ask, report.
#include "verify/check.hpp"

#include <fmt/format.h>

#include "cli/checkpoints.hpp"
#include "cli/commands/array.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/instances.hpp"
#include "cli/loading.hpp"
#include "cli/native_opinion.hpp"
#include "cli/options/properties.hpp"
#include "cli/options/question.hpp"
#include "cli/presenter.hpp"
#include "cli/proof.hpp"
#include "cli/proposed_fences.hpp"
#include "cli/session.hpp"
#include "cli/suite/suite.hpp"
#include "cli/svcomp_file.hpp"
#include "program/instances.hpp"
#include "program/text/text.hpp"
#include "report/execution/story.hpp"
#include "report/exit_code.hpp"
#include "verify/strategy.hpp"

namespace weir::cli {

namespace {

void warn_without_property(const CommandLine& line, const Program& program) {
  if (verify::states_a_property(program)) return;
  if (line.file.ends_with(".litmus"))
    return warn(program,
                {{Severity::kWarning,
                  "a litmus test asks how executions end, and check looks for mistakes on the way",
                  {},
                  fmt::format("weir outcomes {}", line.file)}},
                line.settings);
  warn(program,
       {{Severity::kWarning,
         "the program states no property, so only wrong memory accesses and divisions by zero can be found",
         {},
         "--goal, --exclusive, --invariant and --deadlock add properties"}},
       line.settings);
}

// What the program itself does when it runs, if that is asked for; in JSON it is a part of `run`.
std::string native_text(const CommandLine& line, const Program& program, const Answer& answer, RunInfo& run,
                        Session& session) {
  if (!answer.witness) return "";
  const auto opinion = native_opinion(program, *answer.witness, c_sources(line), line.settings, run, session);
  return opinion && !line.settings.flag(OptionId::kJson) ? native::text(*opinion) : "";
}

// What is worth a search of its own when the answer is out.
void look_further(const CommandLine& line, const Program& program, const Answer& answer, const RunInfo& run,
                  const Instances& copies, const verify::Question& asked, Session& session) {
  if (answer.verdict == Verdict::kSafe && line.settings.given(OptionId::kCertificate)) {
    session.enter("looking for a certificate");
    deliver(line, [&] { return write_proof(program, asked, line.settings, session.context()); });
  }
  const bool as_written = !copies.any && !copies.number;
  if (answer.verdict == Verdict::kUnsafe && run.model != Model::kSc && as_written) {
    session.enter("looking for fences");
    add_fences_to_page(explorer_page(program, told(program, answer), run), run, line, program,
                       FencePurpose::kSafety, session.context());
  }
}

}  // namespace

int check_program(const CommandLine& line, Expected<Program> program, Session& session) {
  const Settings& settings = line.settings;
  if (!program) return fail_input(line, program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(line, *error);
  auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  if (const auto error = check_search_options(settings, *copies)) return fail_usage(line, *error);
  if (const auto error = check_svcomp(line)) return fail_usage(line, *error);
  if (const auto error = check_focus(*program, settings)) return fail_usage(line, *error);
  if (copies->number && !is_array_system(line)) program = with_instances(*program, *copies->number);
  auto asked = question(*program, settings, *copies);
  if (!asked) return fail_usage(line, asked.error());
  if (!is_c_program(line)) warn_without_property(line, *program);
  auto checkpoint = open_checkpoint(line, verify::interruptible_engine(*asked), print(*program));
  if (!checkpoint.ok()) return fail_input(line, checkpoint.error());
  asked->checkpoint = checkpoint->get();

  RunInfo run = run_info(line, asked->model);
  const Answer answer = verify::check(*program, *asked, session.context(), observer(session));
  tell_about(checkpoint->get(), settings);
  note_cost(run, session.context());
  const int code = exit_code(answer.verdict);
  session.settle(verdict_name(answer), answer.reason, code);
  warn(*program, answer.diagnostics, settings);
  if (answer.witness) run.witness_file = settings.text(OptionId::kWitness);
  Presentable shown = presentable(*program, answer, run, code);
  shown.afterwards = native_text(line, *program, answer, run, session);
  shown.others = {[&] { return write_svcomp(line, *program, answer); }};
  present(line, session, run, shown);
  look_further(line, *program, answer, run, *copies, *asked, session);
  return code;
}

int run_check(const CommandLine& line, Session& session) {
  if (is_suite(line) && wants_checkpoints(line.settings))
    return fail_usage(line, {"a suite has no checkpoints", "give one program"});
  if (is_suite(line)) return run_suite(line, session);
  const auto copies = instances(line);
  if (!copies.ok()) return fail_usage(line, copies.error());
  const bool any_number = !copies.value().number;
  if (is_array_system(line) && any_number) return check_array_system(line, session);
  return check_program(line, load_program(line, session), session);
}

}  // namespace weir::cli
