#include "weir/inside/array.hpp"

#include "program/array/strong.hpp"
#include "report/array_report.hpp"
#include "report/execution/array_steps.hpp"
#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "verify/array.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct SystemReport final : Answer::Report {
  array::ArraySystem system;
  ArrayVerdict verdict;

  std::string json() const override { return array_json_report(system, verdict, run); }
  std::string text() const override { return array_text_report(system, verdict, run, kPlain); }
  std::string page() const override { return html_report(explorer_page(system, verdict, run), run); }
};

bool asks_about_programs(const CheckOptions& options) {
  const Properties& properties = options.properties;
  return !properties.goal.empty() || !properties.exclusive.empty() || !properties.invariants.empty() ||
         properties.deadlock || properties.races || properties.leaks || options.random ||
         options.preemptions || options.limits.buffer || !options.limits.ranges.empty();
}

// Weak symbols obey TSO unless the caller wants to know what happens without buffers.
weir::Model model_of(const array::ArraySystem& system, const CheckOptions& options) {
  if (options.model == Model::kPso) fail_usage("array systems are checked under sc and tso");
  if (options.engine != "auto" && options.engine != "array")
    fail_usage("the engine " + options.engine + " answers for a given number of processes",
               "give a number of copies");
  if (asks_about_programs(options))
    fail_usage("an array system says itself what is unsafe, and is searched in one way only",
               "as a program it has properties and schedules: give a number of copies");
  if (options.model) return inside(*options.model);
  return system.weak() ? weir::Model::kTso : weir::Model::kSc;
}

std::string text_of(const ShownStep& step) { return step.name + ": " + effect_text(step); }

Execution system_execution(const array::ArraySystem& system, const array::ArrayRun& run, weir::Model model) {
  Execution out{.model = outside(model)};
  const array::Cube& cube = system.unsafe.at(run.unsafe);
  out.violation = {
      ViolationKind::kUnsafe,
      cube.name.empty() ? "an unsafe state is reachable" : "the unsafe state " + cube.name + " is reachable",
      place(system.sources, cube.position)};
  for (const ShownStep& step : shown_steps(system, run))
    out.steps.push_back({.thread = step.process ? process_name(*step.process) : "",
                         .action = step.flush ? "flush" : "transition",
                         .text = text_of(step),
                         .place = place(system.sources, step.position.value_or(SourcePosition{}))});
  return out;
}

RunInfo system_echoed(const Program& program, const CheckOptions& options, weir::Model model) {
  RunInfo info = run_info("check", program, model, options.run);
  echo_model(info);
  echo(info, "engine", options.engine);
  return info;
}

}  // namespace

CheckAnswer check_system(const Program& program, const CheckOptions& options, Call& call) {
  array::ArraySystem system = *program.content().system;
  const weir::Model model = model_of(system, options);
  if (model == weir::Model::kSc && system.weak()) system = array::without_buffers(std::move(system));
  verify::ArrayResult found =
      verify::check_array(system, {.certificate = options.certificate}, call.context());
  CheckAnswer answer;
  tell(answer,
       {outside(found.verdict.verdict), found.verdict.reason, {}, "array", model, found.verdict.statistics},
       call);
  answer.certificate = std::move(found.certificate);
  if (const auto& run = found.verdict.run) {
    answer.execution = system_execution(system, *run, model);
    answer.processes = run->processes;
    answer.reason = answer.execution->violation.message;
  }
  auto report = std::make_shared<SystemReport>();
  report->run = system_echoed(program, options, model);
  note_cost(report->run, call);
  report->system = std::move(system);
  report->verdict = std::move(found.verdict);
  answer.report = std::move(report);
  return answer;
}

}  // namespace weir::v1
