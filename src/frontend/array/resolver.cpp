// From syntax to the system: one function per declaration. A mistake ends its declaration, and the next one
// is looked at all the same.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/array/cubes.hpp"
#include "frontend/array/update_resolver.hpp"
#include "program/array/assumptions.hpp"

namespace weir::cub {

namespace {

std::vector<std::string> texts(const std::vector<Name>& names) {
  std::vector<std::string> result;
  for (const Name& name : names) result.push_back(name.text);
  return result;
}

class Resolver {
 public:
  Resolver(const SystemSyntax& syntax, const Names& names, ArraySystem& system,
           std::vector<Diagnostic>& diagnostics)
      : syntax_(syntax), names_(names), system_(system), diagnostics_(diagnostics), order_(names, system) {}

  void resolve() {
    guarded([&] { resolve_initial(); });
    for (const PropertySyntax& cube : syntax_.unsafe) guarded([&] { resolve_cubes(cube, system_.unsafe); });
    for (const PropertySyntax& cube : syntax_.invariants)
      guarded([&] { resolve_cubes(cube, system_.invariants); });
    for (const TransitionSyntax& transition : syntax_.transitions)
      guarded([&] { resolve_transition(transition); });
    assume_invariants();
    order_.finish();
  }

 private:
  template <class Work>
  void guarded(const Work& work) {
    if (diagnostics_.size() >= kMostDiagnostics) return;
    try {
      work();
    } catch (SyntaxError& error) {
      diagnostics_.push_back(std::move(error.diagnostic));
    }
  }

  void resolve_initial() {
    if (syntax_.initials.empty()) fail(syntax_.end, "the initial states are missing", "write init (p) { … }");
    if (syntax_.initials.size() > 1) fail(syntax_.initials[1].position, "a second 'init'");
    const PropertySyntax& syntax = syntax_.initials[0];
    TermResolver terms(names_, system_, Place::kInitial, syntax.parameters, std::nullopt);
    system_.initial = {texts(syntax.parameters), FormulaResolver(terms, order_).formula(syntax.formula),
                       syntax.position};
  }

  void resolve_cubes(const PropertySyntax& syntax, std::vector<array::Cube>& cubes) {
    TermResolver terms(names_, system_, Place::kCube, syntax.parameters, std::nullopt);
    const Formula formula = FormulaResolver(terms, order_).formula(syntax.formula);
    for (CubeCase& one : cubes_of(formula, static_cast<std::uint32_t>(syntax.parameters.size())))
      cubes.push_back(
          {syntax.name, parameters_for(syntax, one.processes), std::move(one.literals), syntax.position});
  }

  // Those that are declared, and new names for what quantifiers have added.
  static std::vector<std::string> parameters_for(const PropertySyntax& syntax, std::size_t count) {
    std::vector<std::string> result = texts(syntax.parameters);
    for (std::size_t number = 1; result.size() < count; ++number) {
      std::string name = fmt::format("j{}", number);
      if (std::ranges::find(result, name) == result.end()) result.push_back(std::move(name));
    }
    return result;
  }

  // What the author knows of the cells that are never written is a condition on how the system begins.
  void assume_invariants() {
    for (const array::Cube& cube : system_.invariants)
      if (array::is_assumed(system_, cube)) array::assume(system_, cube);
  }

  void resolve_transition(const TransitionSyntax& syntax) {
    TermResolver terms(names_, system_, Place::kTransition, syntax.parameters, syntax.performer);
    FormulaResolver formulas(terms, order_);
    array::Transition transition{.name = syntax.name.text,
                                 .parameters = texts(syntax.parameters),
                                 .guard = formulas.formula(syntax.guard, true),
                                 .position = syntax.name.position};
    for (const LetSyntax& let : syntax.lets) terms.bind(let.name, terms.term(let.value));
    transition.updates = resolve_updates(syntax.updates, system_, terms, formulas);
    transition.performer = terms.performer();
    system_.transitions.push_back(std::move(transition));
  }

  const SystemSyntax& syntax_;
  const Names& names_;
  ArraySystem& system_;
  std::vector<Diagnostic>& diagnostics_;
  ProcessOrder order_;
};

}  // namespace

void resolve(const SystemSyntax& syntax, ArraySystem& system, std::vector<Diagnostic>& diagnostics) {
  system.number_of_processes = syntax.number_of_processes;
  const Names names(syntax, system, diagnostics);
  if (diagnostics.empty()) Resolver(syntax, names, system, diagnostics).resolve();
}

}  // namespace weir::cub
