// One transition: guard, buffer, updates computed in the state before, open cells resolved, writes performed.
// Whether a transition reads and writes weak cells is decided by how it is written, not by what it happens to
// do; which cells it writes is what happens. A transition that happens to write no weak cell leaves no group.
#include "check/array/machine.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "check/array/number.hpp"
#include "program/array/walk.hpp"

namespace weir::array {

namespace {

bool is_whole(const Rational& number) { return number.denominator == 1; }

// Is the value of a case the cell itself that is updated?
bool gives_back(const Update& update, const Term& value) {
  const Access* access = nullptr;
  if (value.kind == TermKind::kAccess) access = &value.access;
  if (value.kind == TermKind::kSum && value.number == whole(0) && value.summands.size() == 1 &&
      value.summands[0].factor == whole(1))
    access = &value.summands[0].access;
  if (access == nullptr || access->symbol != update.symbol) return false;
  if (!update.everywhere) return access->arguments == update.arguments;
  for (std::size_t place = 0; place < update.bound.size(); ++place)
    if (access->arguments[place] != Process{.constant = false, .index = update.bound[place]}) return false;
  return true;
}

// A weak cell that a case leaves alone: "neither read nor written".
bool leaves_alone(const ArraySystem& system, const Update& update, const UpdateCase& one) {
  const Symbol& symbol = system.symbol(update.symbol);
  return symbol.weak && symbol.dimensions > 0 && one.value && gives_back(update, *one.value);
}

Environment extended(Environment environment, const std::vector<std::uint32_t>& bound,
                     const std::vector<std::uint32_t>& processes) {
  for (std::size_t place = 0; place < bound.size(); ++place) {
    if (environment.size() <= bound[place]) environment.resize(bound[place] + 1);
    environment[bound[place]] = processes[place];
  }
  return environment;
}

void add_number(std::vector<Rational>& numbers, std::optional<Rational> number) {
  if (number && std::ranges::find(numbers, *number) == numbers.end()) numbers.push_back(*number);
}

}  // namespace

std::vector<Rational> numbers_of(const ArraySystem& system) {
  std::vector<Rational> numbers = {whole(0), whole(1), whole(2)};
  for_each_term(system, [&](const Term& term) {
    if (term.kind != TermKind::kSum) return;
    for (const std::int64_t distance : {0, -1, 1}) add_number(numbers, sum(term.number, whole(distance)));
  });
  return numbers;
}

std::uint32_t least_processes(const ArraySystem& system) {
  std::uint32_t least = 1;
  const auto see = [&](const Process& process) {
    if (process.constant) least = std::max(least, process.index + 1);
  };
  const auto see_access = [&](const Access& access) {
    for (const Process& argument : access.arguments) see(argument);
    if (access.viewer) see(*access.viewer);
  };
  const std::function<void(const Formula&)> see_others = [&](const Formula& formula) {
    for (const Process& other : formula.others) see(other);
    for (const Formula& operand : formula.operands) see_others(operand);
  };
  for_each_term(system, [&](const Term& term) {
    if (term.kind == TermKind::kProcess) see(term.process);
    for_each_access(term, see_access);
  });
  for_each_formula(system, see_others);
  for (const Transition& transition : system.transitions)
    for (const Update& update : transition.updates)
      for (const Process& argument : update.arguments) see(argument);
  return least;
}

ArrayMachine::ArrayMachine(const ArraySystem& system, std::uint32_t processes, ArrayDomains domains)
    : system_(system),
      processes_(processes),
      domains_(std::move(domains)),
      cells_(system, processes),
      evaluator_(cells_, processes) {
  WEIR_CHECK(processes >= least_processes(system), "a constant process does not exist");
  for (const Transition& transition : system.transitions) weak_uses_.push_back(weak_use(transition));
}

ArrayMachine::WeakUse ArrayMachine::weak_use(const Transition& transition) const {
  WeakUse use;
  const auto see = [&](const Access& access) { use.reads = use.reads || system_.symbol(access.symbol).weak; };
  for_each_access(transition.guard, see);
  for (const Update& update : transition.updates)
    for (const UpdateCase& one : update.cases) {
      for_each_access(one.guard, see);
      if (leaves_alone(system_, update, one)) continue;
      if (one.value) for_each_access(*one.value, see);
      use.writes = use.writes || system_.symbol(update.symbol).weak;
    }
  return use;
}

// Values.

const Sort& ArrayMachine::sort_of(std::size_t cell) const {
  return system_.sort(system_.symbol(cells_.cell(cell).symbol).sort);
}

bool ArrayMachine::has_all_values(const Sort& sort) const {
  return !sort.numeric() && sort.kind != SortKind::kAbstract;
}

std::vector<Rational> ArrayMachine::values(const Sort& sort) const {
  std::vector<Rational> found;
  if (sort.numeric()) {
    for (const Rational& number : domains_.numbers)
      if (sort.kind == SortKind::kReal || is_whole(number)) found.push_back(number);
    return found;
  }
  std::size_t count = sort.constructors.size();
  if (sort.kind == SortKind::kProcess) count = processes_;
  if (sort.kind == SortKind::kAbstract) count = domains_.abstract_values.value_or(processes_ + 1);
  for (std::size_t number = 0; number < count; ++number)
    found.push_back(whole(static_cast<std::int64_t>(number)));
  return found;
}

bool ArrayMachine::is_value(const Sort& sort, const Rational& value) const {
  if (sort.kind == SortKind::kReal) return true;
  if (!is_whole(value)) return false;
  if (sort.kind == SortKind::kInteger) return true;
  if (value.numerator < 0) return false;
  const auto number = static_cast<std::uint64_t>(value.numerator);
  if (sort.kind == SortKind::kProcess) return number < processes_;
  return sort.kind == SortKind::kAbstract || number < sort.constructors.size();
}

// States.

ArrayState ArrayMachine::with_empty_buffers(std::vector<Rational> cells) const {
  return {.cells = std::move(cells), .buffers = std::vector<std::vector<WriteGroup>>(processes_)};
}

std::optional<bool> ArrayMachine::initial(const ArrayState& state) const {
  const Outlook memory = outlook(state, std::nullopt);
  bool allowed = true, known = true;
  every_choice(processes_, system_.initial.parameters.size(), [&](const std::vector<std::uint32_t>& choice) {
    const std::optional<bool> holds = evaluator_.holds(system_.initial.formula, choice, memory);
    allowed = allowed && holds != false;
    known = known && holds;
    return allowed;
  });
  if (!allowed) return false;
  return known ? std::optional(true) : std::nullopt;
}

Rational ArrayMachine::seen(const ArrayState& state, std::uint32_t process, std::size_t cell) const {
  const std::vector<WriteGroup>& buffer = state.buffers.at(process);
  for (auto group = buffer.rbegin(); group != buffer.rend(); ++group)
    for (const CellWrite& write : *group)
      if (write.cell == cell) return write.value;
  return state.cells.at(cell);
}

Outlook ArrayMachine::outlook(const ArrayState& state, std::optional<std::uint32_t> performer) const {
  return {.value = [this, &state, performer](std::size_t cell,
                                             std::optional<std::uint32_t> viewer) -> std::optional<Rational> {
            const std::optional<std::uint32_t> eyes = viewer ? viewer : performer;
            return eyes ? seen(state, *eyes, cell) : state.cells.at(cell);
          },
          .fence = performer ? std::optional(state.buffers.at(*performer).empty()) : std::nullopt};
}

std::optional<bool> ArrayMachine::unsafe(const ArrayState& state, std::uint32_t cube,
                                         const std::vector<std::uint32_t>& processes) const {
  const Outlook views = outlook(state, std::nullopt);
  bool known = true;
  for (const Formula& literal : system_.unsafe.at(cube).literals) {
    const std::optional<bool> holds = evaluator_.holds(literal, processes, views);
    if (holds == false) return false;
    known = known && holds;
  }
  return known ? std::optional(true) : std::nullopt;
}

// Steps.

std::optional<std::uint32_t> ArrayMachine::performer(const ArrayFiring& firing) const {
  const std::optional<std::uint32_t> parameter = system_.transitions.at(firing.transition).performer;
  return parameter ? std::optional(firing.processes.at(*parameter)) : std::nullopt;
}

FiringEffect ArrayMachine::effect(const ArrayState& state, const ArrayFiring& firing) const {
  const Transition& transition = system_.transitions.at(firing.transition);
  const std::optional<std::uint32_t> performing = performer(firing);
  const WeakUse& use = weak_uses_.at(firing.transition);
  if (use.reads && use.writes && !state.buffers.at(performing.value()).empty())
    return {.outcome = FiringOutcome::kBufferNotEmpty};
  const Outlook before = outlook(state, performing);
  const Environment environment = firing.processes;
  const std::optional<bool> guard = evaluator_.holds(transition.guard, environment, before);
  if (!guard) return {.outcome = FiringOutcome::kDoesNotFit};
  if (!*guard) return {.outcome = FiringOutcome::kGuardFails};
  FiringEffect effect;
  for (const Update& update : transition.updates)
    if (!add_update(update, environment, before, effect)) return {.outcome = FiringOutcome::kDoesNotFit};
  return effect;
}

bool ArrayMachine::add_update(const Update& update, const Environment& environment, const Outlook& outlook,
                              FiringEffect& effect) const {
  if (!update.everywhere) {
    const std::size_t cell =
        cells_.number(update.symbol, evaluator_.processes(update.arguments, environment));
    return add_cell(update, cell, environment, outlook, effect);
  }
  const auto [first, end] = cells_.range(update.symbol);
  for (std::size_t cell = first; cell < end; ++cell) {
    const Environment inside = extended(environment, update.bound, cells_.cell(cell).arguments);
    if (!add_cell(update, cell, inside, outlook, effect)) return false;
  }
  return true;
}

// False if a number does not fit.
bool ArrayMachine::add_cell(const Update& update, std::size_t cell, const Environment& environment,
                            const Outlook& outlook, FiringEffect& effect) const {
  for (const UpdateCase& one : update.cases) {
    const std::optional<bool> applies = evaluator_.holds(one.guard, environment, outlook);
    if (!applies) return false;
    if (!*applies) continue;
    if (leaves_alone(system_, update, one)) return true;
    if (!one.value) {
      effect.open.push_back(cell);
      return true;
    }
    const std::optional<Rational> value = evaluator_.value(*one.value, environment, outlook);
    if (!value) return false;
    WEIR_CHECK(is_value(sort_of(cell), *value), "a value of another sort");
    effect.writes.push_back({cell, *value});
    return true;
  }
  WEIR_CHECK(false, "the last case of an update always applies");
  return false;
}

ArrayState ArrayMachine::after(const ArrayState& state, const ArrayFiring& firing,
                               std::vector<CellWrite> writes) const {
  ArrayState next = state;
  const bool buffered = !weak_uses_.at(firing.transition).reads;
  std::ranges::sort(writes, {}, &CellWrite::cell);
  WriteGroup group;
  for (std::size_t place = 0; place < writes.size(); ++place) {
    const CellWrite& write = writes[place];
    WEIR_CHECK(place == 0 || writes[place - 1].cell != write.cell, "a cell is updated twice");
    const bool weak = system_.symbol(cells_.cell(write.cell).symbol).weak;
    if (weak && buffered)
      group.push_back(write);
    else
      next.cells.at(write.cell) = write.value;
  }
  if (!group.empty()) next.buffers.at(performer(firing).value()).push_back(std::move(group));
  return next;
}

ArrayMoves ArrayMachine::firings(const ArrayState& state, const ArrayFiring& firing) const {
  const FiringEffect effect = this->effect(state, firing);
  ArrayMoves found;
  found.does_not_fit = effect.outcome == FiringOutcome::kDoesNotFit;
  if (effect.outcome != FiringOutcome::kFires) return found;
  std::vector<CellWrite> chosen;
  add_choices(state, firing, effect, chosen, found);
  return found;
}

void ArrayMachine::add_choices(const ArrayState& state, const ArrayFiring& firing, const FiringEffect& effect,
                               std::vector<CellWrite>& chosen, ArrayMoves& found) const {
  if (chosen.size() < effect.open.size()) {
    const std::size_t cell = effect.open[chosen.size()];
    found.restricted = found.restricted || !has_all_values(sort_of(cell));
    for (const Rational& value : values(sort_of(cell))) {
      chosen.push_back({cell, value});
      add_choices(state, firing, effect, chosen, found);
      chosen.pop_back();
    }
    return;
  }
  ArrayStep step{.transition = firing.transition, .processes = firing.processes};
  std::vector<CellWrite> writes = effect.writes;
  for (const CellWrite& choice : chosen) {
    step.chosen.push_back({cells_.cell(choice.cell), choice.value});
    writes.push_back(choice);
  }
  found.moves.push_back({std::move(step), after(state, firing, std::move(writes))});
}

std::optional<ArrayMove> ArrayMachine::flush(const ArrayState& state, std::uint32_t process) const {
  if (state.buffers.at(process).empty()) return std::nullopt;
  ArrayMove move{.step = {.processes = {process}}, .after = state};
  std::vector<WriteGroup>& buffer = move.after.buffers.at(process);
  for (const CellWrite& write : buffer.front()) move.after.cells.at(write.cell) = write.value;
  buffer.erase(buffer.begin());
  return move;
}

ArrayMoves ArrayMachine::moves(const ArrayState& state) const {
  ArrayMoves all;
  for (std::uint32_t transition = 0; transition < system_.transitions.size(); ++transition) {
    const std::size_t parameters = system_.transitions[transition].parameters.size();
    every_choice(processes_, parameters, [&](const std::vector<std::uint32_t>& choice) {
      ArrayMoves some = firings(state, {transition, choice});
      std::ranges::move(some.moves, std::back_inserter(all.moves));
      all.does_not_fit = all.does_not_fit || some.does_not_fit;
      all.restricted = all.restricted || some.restricted;
      return true;
    });
  }
  for (std::uint32_t process = 0; process < processes_; ++process)
    if (std::optional<ArrayMove> flushed = flush(state, process)) all.moves.push_back(std::move(*flushed));
  return all;
}

}  // namespace weir::array
