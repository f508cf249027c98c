#include "report/execution/array_steps.hpp"

#include <fmt/format.h>

#include "check/array/machine.hpp"

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

// A run from its beginning, step by step.
class Told {
 public:
  Told(const ArraySystem& system, const array::ArrayRun& run)
      : system_(system), machine_(system, run.processes) {
    std::vector<Rational> cells(machine_.cells().size());
    for (const auto& assignment : run.initial) cells[number(assignment.cell)] = assignment.value;
    state_ = machine_.with_empty_buffers(std::move(cells));
  }

  std::vector<ShownWrite> cells() const {
    std::vector<CellWrite> all;
    for (std::size_t cell = 0; cell < state_.cells.size(); ++cell) all.push_back({cell, state_.cells[cell]});
    return told(all, false);
  }

  ShownStep take(const array::ArrayStep& step) { return step.is_flush() ? flush(step) : fire(step); }

 private:
  std::size_t number(const array::ArrayCell& cell) const {
    return machine_.cells().number(cell.symbol, cell.arguments);
  }

  std::vector<ShownWrite> told(const std::vector<CellWrite>& writes, bool buffered) const {
    std::vector<ShownWrite> list;
    for (const CellWrite& write : writes) {
      const array::ArrayCell& cell = machine_.cells().cell(write.cell);
      list.push_back({write.cell, name_of(system_, cell),
                      value_text(machine_.sort_of(write.cell), write.value),
                      buffered && system_.symbol(cell.symbol).weak});
    }
    return list;
  }

  ShownStep flush(const array::ArrayStep& step) {
    const std::uint32_t process = step.processes.at(0);
    ShownStep shown{.name = fmt::format("flush of #{}", process + 1),
                    .process = process,
                    .processes = {process},
                    .flush = true};
    shown.writes = told(state_.buffers.at(process).front(), false);
    state_ = machine_.flush(state_, process)->after;
    return shown;
  }

  ShownStep fire(const array::ArrayStep& step) {
    const array::Transition& transition = system_.transitions.at(*step.transition);
    const ArrayFiring firing{*step.transition, step.processes};
    std::vector<CellWrite> writes = machine_.effect(state_, firing).writes;
    for (const auto& chosen : step.chosen) writes.push_back({number(chosen.cell), chosen.value});
    array::ArrayState after = machine_.after(state_, firing, writes);
    ShownStep shown{.name = fmt::format("{}({})", transition.name, processes_text(step.processes)),
                    .processes = step.processes,
                    .position = transition.position};
    if (transition.performer) shown.process = step.processes.at(*transition.performer);
    shown.writes = told(writes, after.buffers != state_.buffers);
    state_ = std::move(after);
    return shown;
  }

  const ArraySystem& system_;
  const ArrayMachine machine_;
  array::ArrayState state_;
};

}  // namespace

std::vector<ShownStep> shown_steps(const ArraySystem& system, const array::ArrayRun& run) {
  Told told(system, run);
  std::vector<ShownStep> shown;
  for (const array::ArrayStep& step : run.steps) shown.push_back(told.take(step));
  return shown;
}

std::vector<ShownWrite> initial_cells(const ArraySystem& system, const array::ArrayRun& run) {
  return Told(system, run).cells();
}

std::string effect_text(const ShownStep& step) {
  std::string text;
  for (const ShownWrite& write : step.writes)
    text += fmt::format("{}{} := {}{}", text.empty() ? "" : ", ", write.name, write.value,
                        write.buffered ? " (buffered)" : "");
  return text;
}

std::string process_name(std::uint32_t process) { return fmt::format("#{}", process + 1); }

std::string processes_text(const std::vector<std::uint32_t>& processes) {
  std::string text;
  for (const std::uint32_t process : processes)
    text += fmt::format("{}#{}", text.empty() ? "" : ", ", process + 1);
  return text;
}

}  // namespace weir
