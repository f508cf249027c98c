#include "report/array_report.hpp"

#include <fmt/format.h>

#include "program/array/text.hpp"
#include "report/execution/array_steps.hpp"
#include "report/json/parts.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

using array::ArraySystem;

std::string number_of_processes(const array::ArrayRun& run) {
  return run.processes == 1 ? "1 process" : fmt::format("{} processes", run.processes);
}

std::string cube_name(const array::Cube& cube) {
  return cube.name.empty() ? std::string("an unsafe state") : fmt::format("the unsafe state {}", cube.name);
}

std::string steps_text(const ArraySystem& system, const array::ArrayRun& run) {
  const std::vector<ShownStep> steps = shown_steps(system, run);
  std::size_t width = 0;
  for (const ShownStep& step : steps) width = std::max(width, step.name.size());
  std::string text = fmt::format("\nHow it happens, with {}, in {}:\n", number_of_processes(run),
                                 count_text(steps.size(), "step"));
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += fmt::format("{:4}  {:<{}}  {}\n", i + 1, steps[i].name, width, effect_text(steps[i]));
  return text;
}

}  // namespace

std::string array_verdict_line(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run,
                               const Presentation& presentation) {
  switch (answer.verdict) {
    case Verdict::kSafe:
      return fmt::format("{} under {}, for {}: {}\n", tinted("SAFE", Tint::kGood, presentation),
                         name(run.model), array::processes_text(system), answer.reason);
    case Verdict::kUnsafe:
      return fmt::format("{} under {}: {} is reachable with {}\n", tinted("UNSAFE", Tint::kBad, presentation),
                         name(run.model), cube_name(system.unsafe.at(answer.run->unsafe)),
                         number_of_processes(*answer.run));
    case Verdict::kUnknown:
      return unknown_line(fmt::format("under {}", name(run.model)), answer.reason, {}, presentation);
  }
  return "";
}

std::string array_text_report(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run,
                              const Presentation& presentation) {
  std::string text = array_verdict_line(system, answer, run, presentation);
  if (answer.run) {
    const array::Cube& cube = system.unsafe.at(answer.run->unsafe);
    text += shown(
        {Severity::kNote,
         answer.run->unsafe_processes.empty()
             ? "this holds at the end"
             : fmt::format("this holds at the end, for {}", processes_text(answer.run->unsafe_processes)),
         cube.position, ""},
        system.sources, presentation);
    text += steps_text(system, *answer.run) + "\n";
  }
  return text + cost_line(answer.statistics, run, presentation);
}

SarifResult array_sarif_result(const ArraySystem& system, const ArrayVerdict& answer) {
  const array::Cube& cube = system.unsafe.at(answer.run->unsafe);
  SarifResult result{.kind = ViolationKind::kUnsafe};
  result.message = fmt::format("{} is reachable with {}", cube_name(cube), number_of_processes(*answer.run));
  result.position = cube.position;
  std::vector<SarifStep>& steps = result.executions.emplace_back();
  for (const ShownStep& step : shown_steps(system, *answer.run))
    steps.push_back(
        {step.process ? process_name(*step.process) : "environment",
         steps.size() + 1,
         {step.position.value_or(SourcePosition{}), fmt::format("{}: {}", step.name, effect_text(step))}});
  return result;
}

std::string array_json_report(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run) {
  Json out = answer_json({"array", name(answer.verdict), answer.reason, {}, answer.statistics}, run);
  if (system.number_of_processes) out["most_processes"] = *system.number_of_processes;
  if (answer.run) {
    const array::Cube& cube = system.unsafe.at(answer.run->unsafe);
    const auto place = [&](Json& json, const SourcePosition& position) {
      if (!position.known()) return;
      json["file"] = system.sources.file(position.file).path;
      json["line"] = position.line;
    };
    out["processes"] = answer.run->processes;
    Json& violation = out["violation"];
    violation["kind"] = "unsafe";
    violation["message"] =
        fmt::format("{} holds for {}", cube_name(cube), processes_text(answer.run->unsafe_processes));
    place(violation, cube.position);
    Json& witness = out["witness"] = Json::array();
    for (const ShownStep& step : shown_steps(system, *answer.run)) {
      Json json;
      json["thread"] = step.process ? process_name(*step.process) : "";
      json["action"] = step.flush ? "flush" : "transition";
      json["transition"] = step.name;
      json["effect"] = effect_text(step);
      if (step.position) place(json, *step.position);
      witness.push_back(std::move(json));
    }
  }
  return dump(out);
}

}  // namespace weir
