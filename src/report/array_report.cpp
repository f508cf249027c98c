#include "report/array_report.hpp"

#include <fmt/format.h>

#include "check/array_machine.hpp"
#include "report/json_parts.hpp"
#include "report/text_parts.hpp"

namespace weir {

namespace {

using array::ArrayFiring;
using array::ArrayMachine;
using array::ArraySystem;
using array::CellWrite;
using array::Rational;
using array::Sort;
using array::SortKind;

std::string value_text(const Sort& sort, const Rational& value) {
  const auto number = static_cast<std::size_t>(value.numerator);
  switch (sort.kind) {
    case SortKind::kProcess: return fmt::format("#{}", number + 1);
    case SortKind::kBoolean:
    case SortKind::kEnumeration: return sort.constructors.at(number);
    case SortKind::kAbstract: return fmt::format("{}!{}", sort.name, number + 1);
    case SortKind::kInteger:
    case SortKind::kReal: break;
  }
  if (value.denominator == 1) return std::to_string(value.numerator);
  return fmt::format("{}/{}", value.numerator, value.denominator);
}

std::string processes_text(const std::vector<std::uint32_t>& processes) {
  std::string text;
  for (const std::uint32_t process : processes)
    text += fmt::format("{}#{}", text.empty() ? "" : ", ", process + 1);
  return text;
}

std::string number_of_processes(const array::ArrayRun& run) {
  return run.processes == 1 ? "1 process" : fmt::format("{} processes", run.processes);
}

// One step of a run and what it does.
struct ShownStep {
  std::string name;     // "enter(#1)", or "flush of #1"
  std::string process;  // "#1": who performs it, if somebody does
  std::string effect;   // "PC[#1] := Critical"
  bool flush = false;
  std::optional<SourcePosition> position;
};

// Runs the steps on the reference machine to see their effects.
std::vector<ShownStep> shown_steps(const ArraySystem& system, const array::ArrayRun& run) {
  const ArrayMachine machine(system, run.processes);
  std::vector<Rational> cells(machine.cells().size());
  for (const auto& assignment : run.initial)
    cells[machine.cells().number(assignment.cell.symbol, assignment.cell.arguments)] = assignment.value;
  array::ArrayState state = machine.with_empty_buffers(std::move(cells));
  const auto describe = [&](const std::vector<CellWrite>& writes, bool buffered) {
    std::string text;
    for (const CellWrite& write : writes) {
      const array::ArrayCell& cell = machine.cells().cell(write.cell);
      text += fmt::format("{}{} := {}{}", text.empty() ? "" : ", ", name_of(system, cell),
                          value_text(machine.sort_of(write.cell), write.value),
                          buffered && system.symbol(cell.symbol).weak ? " (buffered)" : "");
    }
    return text;
  };
  std::vector<ShownStep> shown;
  for (const array::ArrayStep& step : run.steps) {
    ShownStep next;
    if (step.is_flush()) {
      const std::uint32_t process = step.processes.at(0);
      next = {fmt::format("flush of #{}", process + 1), fmt::format("#{}", process + 1),
              describe(state.buffers.at(process).front(), false), true, std::nullopt};
      state = machine.flush(state, process)->after;
    } else {
      const array::Transition& transition = system.transitions.at(*step.transition);
      const ArrayFiring firing{*step.transition, step.processes};
      std::vector<CellWrite> writes = machine.effect(state, firing).writes;
      for (const auto& chosen : step.chosen)
        writes.push_back({machine.cells().number(chosen.cell.symbol, chosen.cell.arguments), chosen.value});
      array::ArrayState after = machine.after(state, firing, writes);
      const bool buffered = after.buffers != state.buffers;
      next = {fmt::format("{}({})", transition.name, processes_text(step.processes)),
              transition.performer ? fmt::format("#{}", step.processes.at(*transition.performer) + 1) : "",
              describe(writes, buffered), false, transition.position};
      state = std::move(after);
    }
    shown.push_back(std::move(next));
  }
  return shown;
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
    text += fmt::format("{:4}  {:<{}}  {}\n", i + 1, steps[i].name, width, steps[i].effect);
  return text;
}

}  // namespace

std::string array_verdict_line(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run,
                               const Presentation& presentation) {
  switch (answer.verdict) {
    case Verdict::kSafe:
      return fmt::format("{} under {}, for any number of processes: {}\n",
                         tinted("SAFE", Tint::kGood, presentation), name(run.model), answer.reason);
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
    text +=
        render({Severity::kNote,
                fmt::format("this holds at the end, for {}", processes_text(answer.run->unsafe_processes)),
                cube.position, ""},
               system.sources);
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
        {step.process.empty() ? "environment" : step.process,
         steps.size() + 1,
         {step.position.value_or(SourcePosition{}), fmt::format("{}: {}", step.name, step.effect)}});
  return result;
}

std::string array_json_report(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run) {
  Json out = answer_json({"array", name(answer.verdict), answer.reason, {}, answer.statistics}, run);
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
      json["thread"] = step.process;
      json["action"] = step.flush ? "flush" : "transition";
      json["transition"] = step.name;
      json["effect"] = step.effect;
      if (step.position) place(json, *step.position);
      witness.push_back(std::move(json));
    }
  }
  return dump(out);
}

}  // namespace weir
