#include "engine/array/axiomatic/moves.hpp"

#include <algorithm>

namespace weir::array {

namespace {

// Guards: existential quantifiers that are not below a negation or a universal one become witnesses, each
// with a variable of its own.

void replace(Process& process, std::uint32_t from, std::uint32_t to) {
  if (!process.constant && process.index == from) process.index = to;
}

void replace(Access& access, std::uint32_t from, std::uint32_t to) {
  for (Process& argument : access.arguments) replace(argument, from, to);
  if (access.viewer) replace(*access.viewer, from, to);
}

void replace(Formula& formula, std::uint32_t from, std::uint32_t to) {
  for (Process& other : formula.others) replace(other, from, to);
  for (Term& term : formula.terms) {
    replace(term.process, from, to);
    replace(term.access, from, to);
    for (Summand& summand : term.summands) replace(summand.access, from, to);
  }
  for (Formula& operand : formula.operands) replace(operand, from, to);
}

bool has_exists(const Formula& formula) {
  return formula.kind == FormulaKind::kExists ||
         std::any_of(formula.operands.begin(), formula.operands.end(), has_exists);
}

std::uint32_t variables_in(const Formula& formula) {
  std::uint32_t count =
      formula.kind == FormulaKind::kForAll || formula.kind == FormulaKind::kExists ? formula.bound + 1 : 0;
  for (const Formula& operand : formula.operands) count = std::max(count, variables_in(operand));
  return count;
}

std::uint32_t variables_in(const Transition& transition) {
  std::uint32_t count =
      std::max(static_cast<std::uint32_t>(transition.parameters.size()), variables_in(transition.guard));
  for (const Update& update : transition.updates) {
    for (const std::uint32_t variable : update.bound) count = std::max(count, variable + 1);
    for (const UpdateCase& one : update.cases) count = std::max(count, variables_in(one.guard));
  }
  return count;
}

// A conjunction, and the witnesses it speaks of.
struct Alternative {
  std::vector<Witness> witnesses;
  std::vector<Formula> conjuncts;
};

std::vector<Alternative> with_witnesses(const Formula& formula, const Alternative& before,
                                        std::uint32_t& variables) {
  if (formula.kind == FormulaKind::kExists) {
    const std::uint32_t variable = variables++;
    Formula body = formula.operands[0];
    replace(body, formula.bound, variable);
    Alternative next = before;
    next.witnesses.push_back({variable, formula.others});
    return with_witnesses(body, next, variables);
  }
  std::vector<Alternative> alternatives;
  if (formula.kind == FormulaKind::kOr && has_exists(formula)) {
    for (const Formula& operand : formula.operands)
      for (Alternative& one : with_witnesses(operand, before, variables))
        alternatives.push_back(std::move(one));
    return alternatives;
  }
  alternatives.push_back(before);
  if (formula.kind != FormulaKind::kAnd) {
    alternatives[0].conjuncts.push_back(formula);
    return alternatives;
  }
  for (const Formula& operand : formula.operands) {
    std::vector<Alternative> longer;
    for (const Alternative& one : alternatives)
      for (Alternative& next : with_witnesses(operand, one, variables)) longer.push_back(std::move(next));
    alternatives = std::move(longer);
  }
  return alternatives;
}

// All ways to give different processes to the parameters, and processes to the witnesses: those named
// already, or new ones, as far as there are so many. False from `found` ends it.
class Choices {
 public:
  Choices(std::size_t parameters, const std::vector<Witness>& witnesses, std::uint32_t variables,
          std::uint32_t most, const ProcessesFound& found)
      : parameters_(parameters), witnesses_(witnesses), most_(most), environment_(variables), found_(found) {}

  // False: there are too many processes, or `found` ended it.
  bool all(std::uint32_t processes) { return choose(0, processes); }

 private:
  bool choose(std::size_t next, std::uint32_t processes) {
    if (processes >= kMostProcesses) return false;
    if (next == parameters_ + witnesses_.size()) return found_(environment_, processes);
    const std::size_t variable = next < parameters_ ? next : witnesses_[next - parameters_].variable;
    for (std::uint32_t process = 0; process <= processes; ++process) {
      if (process >= most_ || excluded(next, process)) continue;
      environment_[variable] = static_cast<std::uint8_t>(process);
      if (!choose(next + 1, std::max(processes, process + 1))) return false;
    }
    return true;
  }

  bool excluded(std::size_t next, std::uint32_t process) const {
    if (next < parameters_) {
      const auto end = environment_.begin() + static_cast<std::ptrdiff_t>(next);
      return std::find(environment_.begin(), end, process) != end;
    }
    const std::vector<Process>& others = witnesses_[next - parameters_].others;
    return std::any_of(others.begin(), others.end(), [&](const Process& other) {
      return (other.constant ? other.index : environment_[other.index]) == process;
    });
  }

  std::size_t parameters_;
  const std::vector<Witness>& witnesses_;
  std::uint32_t most_;
  Environment environment_;
  const ProcessesFound& found_;
};

}  // namespace

std::vector<Move> moves_of(const ArraySystem& system) {
  std::vector<Move> moves;
  for (std::uint32_t index = 0; index < system.transitions.size(); ++index) {
    const Transition& transition = system.transitions[index];
    std::uint32_t variables = variables_in(transition);
    for (Alternative& one : with_witnesses(transition.guard, {}, variables)) {
      Move move{&transition, index, weak_use(transition, system), std::move(one.witnesses), {}, 0};
      move.guard.kind = FormulaKind::kAnd;
      move.guard.operands = std::move(one.conjuncts);
      moves.push_back(std::move(move));
    }
    for (Move& move : moves) move.variables = std::max(move.variables, variables);
  }
  return moves;
}

bool each_choice(std::size_t parameters, const std::vector<Witness>& witnesses, std::uint32_t variables,
                 std::uint32_t processes, std::uint32_t most, const ProcessesFound& found) {
  return Choices(parameters, witnesses, variables, most, found).all(processes);
}

}  // namespace weir::array
