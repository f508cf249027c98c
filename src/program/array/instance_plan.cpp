// An array is private if every transition uses only the cell of the process whose thread executes it.
//
// In a system with weak symbols, a transition that has nothing to do with buffers must not wait for one. If
// everything it uses is private its thread executes it without touching memory; otherwise a thread that
// belongs to no process and never stores anything does, and what it uses cannot be private. The latter can
// turn other transitions into such, so this is repeated until nothing changes.
#include "program/array/instance_plan.hpp"

#include <algorithm>

#include "program/array/walk.hpp"

namespace weir::array {

namespace {

const Access* single_cell(const Term& term) {
  if (term.kind == TermKind::kAccess) return &term.access;
  const bool alone = term.kind == TermKind::kSum && term.number == Rational{} && term.summands.size() == 1 &&
                     term.summands[0].factor == Rational{.numerator = 1};
  return alone ? &term.summands[0].access : nullptr;
}

std::vector<Process> updated_arguments(const Update& update) {
  if (!update.everywhere) return update.arguments;
  std::vector<Process> arguments;
  for (const std::uint32_t variable : update.bound) arguments.push_back({.index = variable});
  return arguments;
}

bool contains_fence(const Formula& formula) {
  return formula.kind == FormulaKind::kFence || std::ranges::any_of(formula.operands, contains_fence);
}

class Planner {
 public:
  explicit Planner(const ArraySystem& system) : system_(system) {
    for (const Symbol& symbol : system.symbols)
      plan_.is_private.push_back(!symbol.weak && symbol.dimensions == 1);
    for (const Transition& transition : system.transitions) plan_.transitions.push_back(look_at(transition));
  }

  InstancePlan run() {
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (std::size_t number = 0; number < system_.transitions.size(); ++number) spread(number);
    }
    return std::move(plan_);
  }

 private:
  TransitionPlan look_at(const Transition& transition) const {
    TransitionPlan plan;
    plan.executor = transition.performer;
    if (!plan.executor && !transition.parameters.empty()) plan.executor = 0;
    look_for_fences(transition.guard, plan);
    const auto see = [&](const Access& access) {
      plan.reads_weak = plan.reads_weak || system_.symbol(access.symbol).weak;
    };
    for_each_access(transition.guard, see);
    for (const Update& update : transition.updates)
      for (const UpdateCase& one : update.cases) {
        plan.fence_inside = plan.fence_inside || contains_fence(one.guard);
        for_each_access(one.guard, see);
        if (keeps_weak_cell(system_, update, one)) continue;
        if (one.value) for_each_access(*one.value, see);
        plan.writes_weak = plan.writes_weak || system_.symbol(update.symbol).weak;
      }
    return plan;
  }

  static void look_for_fences(const Formula& guard, TransitionPlan& plan) {
    if (guard.kind == FormulaKind::kFence) {
      plan.fenced = true;
    } else if (guard.kind == FormulaKind::kAnd) {
      for (const Formula& operand : guard.operands) look_for_fences(operand, plan);
    } else {
      plan.fence_inside = plan.fence_inside || contains_fence(guard);
    }
  }

  // Calls visit(symbol, arguments) for everything that the transition uses.
  template <class Visit>
  static void for_each_use(const Transition& transition, Visit&& visit) {
    const auto see = [&](const Access& access) { visit(access.symbol, access.arguments); };
    for_each_access(transition.guard, see);
    for (const Update& update : transition.updates) {
      visit(update.symbol, updated_arguments(update));
      for (const UpdateCase& one : update.cases) {
        for_each_access(one.guard, see);
        if (one.value) for_each_access(*one.value, see);
      }
    }
  }

  void share(SymbolId symbol) {
    changed_ = changed_ || plan_.is_private[symbol.index()];
    plan_.is_private[symbol.index()] = false;
  }

  void spread(std::size_t number) {
    const Transition& transition = system_.transitions[number];
    TransitionPlan& plan = plan_.transitions[number];
    bool uses_shared = false;
    for_each_use(transition, [&](SymbolId symbol, const std::vector<Process>& arguments) {
      const bool own = plan.executor && arguments.size() == 1 &&
                       arguments[0] == Process{.constant = false, .index = *plan.executor};
      if (!own) share(symbol);
      uses_shared = uses_shared || !plan_.is_private[symbol.index()];
    });
    const bool away = system_.weak() && plan.ordinary() && uses_shared;
    if (!away && plan.executor) return;
    changed_ = changed_ || plan.executor;
    plan.executor.reset();
    plan_.common_thread = true;
    for_each_use(transition, [&](SymbolId symbol, const std::vector<Process>&) { share(symbol); });
  }

  const ArraySystem& system_;
  InstancePlan plan_;
  bool changed_ = false;
};

}  // namespace

InstancePlan plan_instance(const ArraySystem& system) { return Planner(system).run(); }

bool keeps_weak_cell(const ArraySystem& system, const Update& update, const UpdateCase& one) {
  const Symbol& symbol = system.symbol(update.symbol);
  if (!symbol.weak || symbol.dimensions == 0 || !one.value) return false;
  const Access* access = single_cell(*one.value);
  return access != nullptr && access->symbol == update.symbol &&
         access->arguments == updated_arguments(update);
}

}  // namespace weir::array
