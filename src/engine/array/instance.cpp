#include "engine/array/instance.hpp"

#include <algorithm>
#include <bit>

#include "engine/array/weak_use.hpp"

namespace weir::array {

namespace {

constexpr std::size_t kMostInitialStates = 512;
constexpr std::int32_t kMostBuffered = 3;
constexpr std::int64_t kLargestNumber = 1'000'000;
constexpr double kLargestSummand = 1e15;  // of a sum

}  // namespace

Instance::Instance(const Vocabulary& vocabulary, std::uint32_t processes)
    : vocabulary_(vocabulary), system_(vocabulary.system()), processes_(processes) {
  for (std::size_t s = 0; s < system_.symbols.size(); ++s) {
    first_cell_.push_back(static_cast<std::uint32_t>(cells_.size()));
    const std::uint32_t dimensions = system_.symbols[s].dimensions;
    std::size_t count = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) count *= processes;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t arguments[kMostDimensions] = {};
      std::size_t rest = i;
      for (std::uint32_t place = dimensions; place-- > 0; rest /= processes)
        arguments[place] = static_cast<std::uint8_t>(rest % processes);
      cells_.push_back(Node::cell(SymbolId(s), arguments, dimensions));
    }
  }
  for (const Transition& transition : system_.transitions)
    atomic_.push_back(weak_use(transition, system_) == WeakUse{true, true});
}

std::uint32_t Instance::index(Node cell) const {
  std::uint32_t offset = 0;
  for (std::uint32_t place = 0; place < cell.dimensions(); ++place)
    offset = offset * processes_ + cell.process(place);
  return first_cell_[cell.symbol().index()] + offset;
}

std::uint32_t Instance::index(const Access& access, const Environment& environment) const {
  std::uint32_t offset = 0;
  for (const Process& argument : access.arguments)
    offset = offset * processes_ + (argument.constant ? argument.index : environment[argument.index]);
  return first_cell_[access.symbol.index()] + offset;
}

bool Instance::buffer_empty(const State& state, std::uint32_t process) const {
  std::size_t at = cells_.size();
  for (std::uint32_t p = 0;; ++p) {
    if (p == process) return state[at] == 0;
    at += 1 + static_cast<std::size_t>(state[at]);
  }
}

std::int32_t Instance::seen(const State& state, std::uint32_t process, std::uint32_t cell) const {
  std::size_t at = cells_.size();
  for (std::uint32_t p = 0; p < process; ++p) at += 1 + static_cast<std::size_t>(state[at]);
  const std::size_t end = at + 1 + static_cast<std::size_t>(state[at]);
  std::int32_t value = state[cell];
  for (++at; at < end;) {
    const auto writes = static_cast<std::size_t>(state[at]);
    for (std::size_t i = 0; i < writes; ++i)
      if (static_cast<std::uint32_t>(state[at + 1 + 2 * i]) == cell) value = state[at + 2 + 2 * i];
    at += 1 + 2 * writes;
  }
  return value;
}

std::int64_t Instance::value(const Term& term, const Environment& environment) const {
  const auto read = [&](const Access& access) -> std::int64_t {
    const std::uint32_t cell = index(access, environment);
    return system_.symbol(access.symbol).weak ? seen(current_, performer_, cell) : current_[cell];
  };
  switch (term.kind) {
    case TermKind::kProcess:
      return term.process.constant ? term.process.index : environment[term.process.index];
    case TermKind::kConstructor: return term.constructor;
    case TermKind::kAccess: return read(term.access);
    case TermKind::kSum: break;
  }
  std::int64_t sum = vocabulary_.scaled(term.number, term.sort).value_or(0);
  for (const Summand& summand : term.summands) {
    const double part = static_cast<double>(summand.factor.numerator) *
                        static_cast<double>(read(summand.access)) /
                        static_cast<double>(summand.factor.denominator);
    sum += static_cast<std::int64_t>(std::clamp(part, -kLargestSummand, kLargestSummand));
  }
  return sum;
}

bool Instance::truth(const Formula& formula, Environment& environment) const {
  switch (formula.kind) {
    case FormulaKind::kTrue: return true;
    case FormulaKind::kFalse: return false;
    case FormulaKind::kFence: return buffer_empty(current_, performer_);
    case FormulaKind::kNot: return !truth(formula.operands[0], environment);
    case FormulaKind::kAnd:
      return std::all_of(formula.operands.begin(), formula.operands.end(),
                         [&](const Formula& operand) { return truth(operand, environment); });
    case FormulaKind::kOr:
      return std::any_of(formula.operands.begin(), formula.operands.end(),
                         [&](const Formula& operand) { return truth(operand, environment); });
    case FormulaKind::kCompare: {
      const std::int64_t left = value(formula.terms[0], environment);
      const std::int64_t right = value(formula.terms[1], environment);
      switch (formula.comparison) {
        case Comparison::kEqual: return left == right;
        case Comparison::kDifferent: return left != right;
        case Comparison::kLess: return left < right;
        case Comparison::kLessEqual: return left <= right;
      }
      return false;
    }
    case FormulaKind::kForAll:
    case FormulaKind::kExists: break;
  }
  const bool all = formula.kind == FormulaKind::kForAll;
  if (environment.size() <= formula.bound) environment.resize(formula.bound + 1);
  for (std::uint32_t p = 0; p < processes_; ++p) {
    const bool excluded = std::any_of(
        formula.others.begin(), formula.others.end(),
        [&](const Process& other) { return (other.constant ? other.index : environment[other.index]) == p; });
    if (excluded) continue;
    environment[formula.bound] = static_cast<std::uint8_t>(p);
    if (truth(formula.operands[0], environment) != all) return !all;
  }
  return all;
}

std::vector<std::int32_t> Instance::few_values(std::uint32_t cell) const {
  const Node node = cells_[cell];
  std::vector<std::int32_t> values;
  std::uint32_t count = 2;
  if (vocabulary_.domain(node) == Domain::kFinite)
    count = static_cast<std::uint32_t>(std::popcount(vocabulary_.everything(node)));
  if (vocabulary_.domain(node) == Domain::kProcess) count = processes_;
  for (std::uint32_t i = 0; i < count; ++i) values.push_back(static_cast<std::int32_t>(i));
  return values;
}

// Gives the cells from `cell` on every value that the facts, and the formula of init put into them, allow.
void Instance::complete_initial(std::size_t cell, Facts facts, State& state) {
  if (states_.size() >= kMostInitialStates) return;
  if (cell == cells_.size()) {
    add(state);
    return;
  }
  const Node node = cells_[cell];
  if (vocabulary_.has_masks(node)) {
    const std::uint64_t mask = facts.mask(node);
    for (const std::int32_t value : few_values(static_cast<std::uint32_t>(cell))) {
      if (((mask >> value) & 1) == 0) continue;
      Facts next = facts;
      if (!next.assume(Constraint::in(node, std::uint64_t{1} << value))) continue;
      state[cell] = value;
      complete_initial(cell + 1, next, state);
    }
    return;
  }
  if (!vocabulary_.numeric(node)) {  // abstract values: like numbers, but only equality counts
    for (std::int32_t value = 0; value < static_cast<std::int32_t>(processes_); ++value) {
      state[cell] = value;
      complete_initial(cell + 1, facts, state);
    }
    return;
  }
  std::vector<std::int64_t> values = facts.few_numbers(node);
  for (const std::int64_t value : values) {
    Facts next = facts;
    if (!next.assume({ConstraintKind::kEqual, node, Node::zero(), value})) continue;
    state[cell] = static_cast<std::int32_t>(value);
    complete_initial(cell + 1, next, state);
  }
}

void Instance::add_initial_states() {
  const std::size_t parameters = system_.initial.parameters.size();
  const Grounding grounding(vocabulary_, processes_, 0, [](Node cell, std::uint8_t) { return cell; });
  const std::vector<Environment> choices = distinct_choices(parameters, processes_);
  State state(cells_.size() + processes_, 0);
  const std::function<void(std::size_t, const Facts&)> hold = [&](std::size_t next, const Facts& facts) {
    if (states_.size() >= kMostInitialStates) return;
    if (next == choices.size()) return complete_initial(0, facts, state);
    grounding.expand(system_.initial.formula, true, choices[next], {}, [&](const Conjunction& conjunction) {
      Facts more = facts;
      if (more.assume_all(conjunction.constraints)) hold(next + 1, more);
    });
  };
  hold(0, Facts(vocabulary_));
}

void Instance::add(State state) {
  if (states_.size() < most_states_ && known_.insert(state).second) states_.push_back(std::move(state));
}

void Instance::explore(std::size_t most_states, const Context& context) {
  most_states_ = most_states;
  add_initial_states();
  std::vector<std::vector<Environment>> choices;  // by the number of parameters
  for (const Transition& transition : system_.transitions)
    while (choices.size() <= transition.parameters.size())
      choices.push_back(distinct_choices(choices.size(), processes_));
  for (std::size_t next = 0; next < states_.size() && states_.size() < most_states_ && !context.stopped();
       ++next) {
    current_ = states_[next];
    for (std::size_t t = 0; t < system_.transitions.size(); ++t)
      for (const Environment& environment : choices[system_.transitions[t].parameters.size()])
        fire(system_.transitions[t], environment);
    for (std::uint32_t p = 0; p < processes_; ++p) flush(p);
  }
  known_.clear();
}

void Instance::fire(const Transition& transition, const Environment& environment) {
  performer_ = transition.performer ? environment[*transition.performer] : 0;
  const bool atomic = atomic_[static_cast<std::size_t>(&transition - system_.transitions.data())];
  if (atomic && !buffer_empty(current_, performer_)) return;
  Environment inner = environment;
  if (!truth(transition.guard, inner)) return;
  std::vector<Write> writes;
  std::vector<std::uint32_t> open;
  for (const Update& update : transition.updates) {
    const auto at_cell = [&](std::uint32_t cell, Environment& where) {
      for (const UpdateCase& one : update.cases) {
        if (!truth(one.guard, where)) continue;
        if (keeps_cell(update, one)) return;
        if (!one.value) return open.push_back(cell);
        const std::int64_t result = value(*one.value, where);
        writes.push_back(
            {cell, static_cast<std::int32_t>(std::clamp(result, -kLargestNumber, kLargestNumber))});
        return;
      }
    };
    if (!update.everywhere) {
      Environment where = environment;
      at_cell(index({update.symbol, update.arguments, std::nullopt}, environment), where);
      continue;
    }
    const std::uint32_t first = first_cell_[update.symbol.index()];
    for (std::uint32_t cell = first; cell < cells_.size() && cells_[cell].symbol() == update.symbol; ++cell) {
      Environment where = environment;
      for (std::size_t place = 0; place < update.bound.size(); ++place) {
        if (where.size() <= update.bound[place]) where.resize(update.bound[place] + 1);
        where[update.bound[place]] =
            static_cast<std::uint8_t>(cells_[cell].process(static_cast<std::uint32_t>(place)));
      }
      at_cell(cell, where);
    }
  }
  choose_values(transition, environment, writes, open, 0);
}

void Instance::choose_values(const Transition& transition, const Environment& environment,
                             std::vector<Write>& writes, const std::vector<std::uint32_t>& open,
                             std::size_t next) {
  if (next == open.size()) return apply(transition, environment, writes);
  for (const std::int32_t value : few_values(open[next])) {
    writes.push_back({open[next], value});
    choose_values(transition, environment, writes, open, next + 1);
    writes.pop_back();
  }
}

void Instance::apply(const Transition& transition, const Environment& environment,
                     const std::vector<Write>& writes) {
  const bool atomic = atomic_[static_cast<std::size_t>(&transition - system_.transitions.data())];
  State after = current_;
  State group{0};
  for (const Write& write : writes) {
    if (atomic || !system_.symbol(cells_[write.cell].symbol()).weak) {
      after[write.cell] = write.value;
    } else {
      ++group[0];
      group.push_back(static_cast<std::int32_t>(write.cell));
      group.push_back(write.value);
    }
  }
  if (group[0] > 0) {
    const std::uint32_t performer = environment[*transition.performer];
    std::size_t at = cells_.size();
    for (std::uint32_t p = 0; p < performer; ++p) at += 1 + static_cast<std::size_t>(after[at]);
    const std::int32_t length = after[at];
    if (length / 3 >= kMostBuffered) return;
    after[at] = length + static_cast<std::int32_t>(group.size());
    after.insert(after.begin() + static_cast<std::ptrdiff_t>(at) + 1 + length, group.begin(), group.end());
  }
  add(std::move(after));
}

void Instance::flush(std::uint32_t process) {
  std::size_t at = cells_.size();
  for (std::uint32_t p = 0; p < process; ++p) at += 1 + static_cast<std::size_t>(current_[at]);
  if (current_[at] == 0) return;
  State after = current_;
  const auto writes = static_cast<std::size_t>(after[at + 1]);
  for (std::size_t i = 0; i < writes; ++i)
    after[static_cast<std::size_t>(after[at + 2 + 2 * i])] = after[at + 3 + 2 * i];
  after[at] -= static_cast<std::int32_t>(1 + 2 * writes);
  const auto begin = after.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  after.erase(begin, begin + static_cast<std::ptrdiff_t>(1 + 2 * writes));
  add(std::move(after));
}

std::vector<std::int64_t> Instance::possible_values(Node node, const std::vector<Read>& reads,
                                                    const State& state) const {
  if (node.is_zero()) return {0};
  if (node.is_sum()) return possible_sums(node, reads, state);
  if (!node.is_read()) return {state[index(node)]};
  const Read& read = reads[node.read()];
  const std::uint32_t cell = index(read.cell);
  std::vector<std::int64_t> values{seen(state, read.process, cell)};
  std::size_t at = cells_.size();
  for (std::uint32_t p = 0; p < processes_; ++p) {
    const std::size_t end = at + 1 + static_cast<std::size_t>(state[at]);
    for (++at; at < end;) {
      const auto writes = static_cast<std::size_t>(state[at]);
      for (std::size_t i = 0; i < writes; ++i)
        if (p != read.process && static_cast<std::uint32_t>(state[at + 1 + 2 * i]) == cell)
          values.push_back(state[at + 2 + 2 * i]);
      at += 1 + 2 * writes;
    }
  }
  return values;
}

std::vector<std::int64_t> Instance::possible_sums(Node sum, const std::vector<Read>& reads,
                                                  const State& state) const {
  constexpr std::size_t kMostSums = 64;
  std::vector<std::int64_t> sums{0};
  for (const Monomial& one : vocabulary_.monomials(sum)) {
    std::vector<std::int64_t> longer;
    for (const std::int64_t value : possible_values(one.node, reads, state))
      for (const std::int64_t before : sums)
        if (longer.size() < kMostSums) longer.push_back(before + one.factor * value);
    sums = std::move(longer);
  }
  return sums;
}

bool Instance::holds(const Constraint& constraint, const std::vector<Read>& reads, std::size_t number) const {
  const State& state = states_[number];
  for (const std::int64_t a : possible_values(constraint.a, reads, state)) {
    if (constraint.kind == ConstraintKind::kIn) {
      if (((constraint.mask() >> a) & 1) != 0) return true;
      continue;
    }
    for (const std::int64_t b : possible_values(constraint.b, reads, state)) {
      switch (constraint.kind) {
        case ConstraintKind::kEqual:
          if (a == b + constraint.value) return true;
          break;
        case ConstraintKind::kDifferent:
          if (a != b + constraint.value) return true;
          break;
        case ConstraintKind::kAtMost:
          if (a - b <= constraint.value) return true;
          break;
        case ConstraintKind::kBelow:
          if (a - b < constraint.value) return true;
          break;
        case ConstraintKind::kIn: break;
      }
    }
  }
  return false;
}

}  // namespace weir::array
