// Simplifications of array systems: everything that can be left out is left out once, by itself; what is not
// well formed then is not offered.
#include <algorithm>
#include <optional>
#include <utility>

#include "program/array/validate.hpp"
#include "selfcheck/random/array_builder.hpp"
#include "selfcheck/random/array_generator.hpp"

namespace weir::selfcheck {

using namespace weir::array;

namespace {

template <class T>
std::vector<T> without(std::vector<T> list, std::size_t place) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
  return list;
}

bool mentions(const Term& term, SymbolId symbol) {
  if (term.kind == TermKind::kAccess) return term.access.symbol == symbol;
  return std::ranges::any_of(term.summands,
                             [&](const Summand& summand) { return summand.access.symbol == symbol; });
}

// True in place of every literal about the symbol; numbers of later symbols one less.
class SymbolRemover {
 public:
  explicit SymbolRemover(SymbolId symbol) : symbol_(symbol) {}

  ArraySystem without_it(ArraySystem system) const {
    system.symbols = without(std::move(system.symbols), symbol_.index());
    clean(system.initial.formula);
    for (Cube& cube : system.unsafe) clean(cube);
    for (Cube& cube : system.invariants) clean(cube);
    for (Transition& transition : system.transitions) clean(transition);
    return system;
  }

 private:
  void rename(SymbolId& id) const {
    if (id > symbol_) id = SymbolId(id.index() - 1);
  }

  void clean(Term& term) const {
    rename(term.access.symbol);
    for (Summand& summand : term.summands) rename(summand.access.symbol);
  }

  void clean(Formula& formula) const {
    if (std::ranges::any_of(formula.terms, [&](const Term& term) { return mentions(term, symbol_); })) {
      formula = truth();
      return;
    }
    for (Term& term : formula.terms) clean(term);
    for (Formula& operand : formula.operands) clean(operand);
  }

  void clean(Cube& cube) const {
    for (Formula& literal : cube.literals) clean(literal);
    std::erase_if(cube.literals, [](const Formula& one) { return one.kind == FormulaKind::kTrue; });
  }

  void clean(Transition& transition) const {
    clean(transition.guard);
    std::erase_if(transition.updates, [&](const Update& update) {
      return update.symbol == symbol_ || std::ranges::any_of(update.cases, [&](const UpdateCase& one) {
               return one.value && mentions(*one.value, symbol_);
             });
    });
    for (Update& update : transition.updates) {
      rename(update.symbol);
      for (UpdateCase& one : update.cases) {
        clean(one.guard);
        if (one.value) clean(*one.value);
      }
    }
  }

  const SymbolId symbol_;
};

// Each way to make a formula smaller by one step.
std::vector<Formula> smaller(const Formula& formula) {
  std::vector<Formula> found;
  if (formula.kind == FormulaKind::kTrue) return found;
  if (!(formula.kind == FormulaKind::kAnd && formula.operands.empty())) found.push_back(truth());
  const bool several = formula.kind == FormulaKind::kAnd || formula.kind == FormulaKind::kOr;
  for (std::size_t place = 0; place < formula.operands.size(); ++place) {
    if (several) {
      found.push_back(formula.operands[place]);
      Formula less = formula;
      less.operands = without(std::move(less.operands), place);
      found.push_back(std::move(less));
    }
    if (formula.kind == FormulaKind::kNot) found.push_back(formula.operands[place]);
    for (Formula& operand : smaller(formula.operands[place])) {
      Formula changed = formula;
      changed.operands[place] = std::move(operand);
      found.push_back(std::move(changed));
    }
  }
  return found;
}

class SystemSimplifier {
 public:
  explicit SystemSimplifier(const ArraySystem& system) : system_(system) {}

  std::vector<ArraySystem> run() {
    for (std::size_t place = 0; place < system_.transitions.size(); ++place)
      offer([&](ArraySystem& one) { one.transitions = without(std::move(one.transitions), place); });
    for (std::size_t symbol = 0; symbol < system_.symbols.size(); ++symbol)
      add(SymbolRemover(SymbolId(symbol)).without_it(system_));
    for (std::size_t cube = 0; cube < system_.unsafe.size(); ++cube) simplify_cube(cube);
    for (std::size_t place = 0; place < system_.transitions.size(); ++place) simplify_transition(place);
    for (Formula& formula : smaller(system_.initial.formula))
      offer([&](ArraySystem& one) { one.initial.formula = formula; });
    return std::move(found_);
  }

 private:
  template <class Change>
  void offer(Change&& change) {
    ArraySystem one = system_;
    change(one);
    add(std::move(one));
  }

  void add(ArraySystem one) {
    const bool says_something =
        std::ranges::none_of(one.unsafe, [](const Cube& cube) { return cube.literals.empty(); });
    if (says_something && problem(one).empty()) found_.push_back(std::move(one));
  }

  void simplify_cube(std::size_t cube) {
    if (system_.unsafe.size() > 1)
      offer([&](ArraySystem& one) { one.unsafe = without(std::move(one.unsafe), cube); });
    for (std::size_t literal = 0; literal < system_.unsafe[cube].literals.size(); ++literal)
      offer([&](ArraySystem& one) {
        one.unsafe[cube].literals = without(std::move(one.unsafe[cube].literals), literal);
      });
  }

  void simplify_transition(std::size_t place) {
    const Transition& transition = system_.transitions[place];
    for (std::size_t update = 0; update < transition.updates.size(); ++update)
      offer([&](ArraySystem& one) {
        one.transitions[place].updates = without(std::move(one.transitions[place].updates), update);
      });
    for (Formula& guard : smaller(transition.guard))
      offer([&](ArraySystem& one) { one.transitions[place].guard = guard; });
    for (std::size_t update = 0; update < transition.updates.size(); ++update) simplify_update(place, update);
  }

  void simplify_update(std::size_t place, std::size_t update) {
    const std::vector<UpdateCase>& cases = system_.transitions[place].updates[update].cases;
    for (std::size_t number = 0; number < cases.size(); ++number) {
      offer([&](ArraySystem& one) {
        std::vector<UpdateCase>& changed = one.transitions[place].updates[update].cases;
        changed = without(std::move(changed), number);
        if (!changed.empty()) changed.back().guard = truth();
      });
      if (number + 1 == cases.size()) continue;
      for (Formula& guard : smaller(cases[number].guard))
        offer([&](ArraySystem& one) { one.transitions[place].updates[update].cases[number].guard = guard; });
    }
  }

  const ArraySystem& system_;
  std::vector<ArraySystem> found_;
};

}  // namespace

std::vector<ArraySystem> simplifications(const ArraySystem& system) { return SystemSimplifier(system).run(); }

ArraySystem shrink_failing(ArraySystem system, const std::function<bool(const ArraySystem&)>& fails) {
  for (bool smaller_found = true; smaller_found;) {
    smaller_found = false;
    for (ArraySystem& simpler : simplifications(system)) {
      if (!fails(simpler)) continue;
      system = std::move(simpler);
      smaller_found = true;
      break;
    }
  }
  return system;
}

}  // namespace weir::selfcheck
