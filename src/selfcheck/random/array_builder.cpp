// Each function fills in the few fields that its kind of term, formula or update uses.
#include "selfcheck/random/array_builder.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"

namespace weir::selfcheck {

using namespace weir::array;

ArraySystem empty_array_system(std::string name) {
  ArraySystem system;
  system.name = std::move(name);
  system.sorts = {{.name = "proc", .kind = SortKind::kProcess},
                  {.name = "bool", .kind = SortKind::kBoolean, .constructors = {"False", "True"}},
                  {.name = "int", .kind = SortKind::kInteger},
                  {.name = "real", .kind = SortKind::kReal}};
  return system;
}

SortId add_enumeration(ArraySystem& system, std::string name, std::vector<std::string> constructors) {
  system.sorts.push_back({std::move(name), SortKind::kEnumeration, std::move(constructors)});
  return SortId(system.sorts.size() - 1);
}

SymbolId add_symbol(ArraySystem& system, std::string name, SortId sort, std::uint32_t dimensions, bool weak) {
  system.symbols.push_back({.name = std::move(name), .sort = sort, .dimensions = dimensions, .weak = weak});
  return SymbolId(system.symbols.size() - 1);
}

Process bound(std::uint32_t index) { return {.constant = false, .index = index}; }
Process constant_process(std::uint32_t number) { return {.constant = true, .index = number - 1}; }

Term ArrayTerms::cell(SymbolId symbol, std::vector<Process> arguments) const {
  return of_access({.symbol = symbol, .arguments = std::move(arguments)});
}

Term ArrayTerms::view(Process viewer, SymbolId symbol, std::vector<Process> arguments) const {
  return of_access({.symbol = symbol, .arguments = std::move(arguments), .viewer = viewer});
}

Term ArrayTerms::of_access(Access access) const {
  const SortId sort = system_.symbol(access.symbol).sort;
  if (!system_.sort(sort).numeric())
    return {.kind = TermKind::kAccess, .sort = sort, .access = std::move(access)};
  return {.kind = TermKind::kSum,
          .sort = sort,
          .summands = {{.factor = {.numerator = 1}, .access = std::move(access)}}};
}

Term ArrayTerms::constructor(std::string_view name) const {
  for (std::size_t sort = 0; sort < system_.sorts.size(); ++sort)
    for (std::uint32_t number = 0; number < system_.sorts[sort].constructors.size(); ++number)
      if (system_.sorts[sort].constructors[number] == name) return constructor_term(SortId(sort), number);
  WEIR_CHECK(false, "no such constructor");
  return {};
}

Term process_term(Process process) {
  return {.kind = TermKind::kProcess, .sort = kProcessSort, .process = process};
}

Term constructor_term(SortId sort, std::uint32_t number) {
  return {.kind = TermKind::kConstructor, .sort = sort, .constructor = number};
}

Term number_term(std::int64_t number, SortId sort) {
  return {.kind = TermKind::kSum, .sort = sort, .number = {.numerator = number}};
}

Term plus(Term sum, std::int64_t number) {
  sum.number.numerator += number * sum.number.denominator;
  return sum;
}

Term plus(Term sum, std::int64_t factor, const Term& other) {
  for (const Summand& added : other.summands) {
    const auto same = std::ranges::find_if(
        sum.summands, [&](const Summand& summand) { return summand.access == added.access; });
    if (same == sum.summands.end()) {
      sum.summands.push_back(added);
      sum.summands.back().factor.numerator *= factor;
      continue;
    }
    same->factor.numerator += factor * added.factor.numerator;
    if (same->factor.numerator == 0) sum.summands.erase(same);
  }
  return plus(std::move(sum), factor * other.number.numerator);
}

Formula compare(Term left, Comparison comparison, Term right) {
  return {
      .kind = FormulaKind::kCompare, .comparison = comparison, .terms = {std::move(left), std::move(right)}};
}

Formula equal(Term left, Term right) {
  return compare(std::move(left), Comparison::kEqual, std::move(right));
}

Formula different(Term left, Term right) {
  return compare(std::move(left), Comparison::kDifferent, std::move(right));
}

Formula all_of(std::vector<Formula> operands) {
  return {.kind = FormulaKind::kAnd, .operands = std::move(operands)};
}

Formula any_of(std::vector<Formula> operands) {
  return {.kind = FormulaKind::kOr, .operands = std::move(operands)};
}

Formula negation(Formula operand) { return {.kind = FormulaKind::kNot, .operands = {std::move(operand)}}; }
Formula fence() { return {.kind = FormulaKind::kFence}; }
Formula truth() { return {.kind = FormulaKind::kTrue}; }

Formula for_all(std::uint32_t variable, std::vector<Process> others, Formula body) {
  return {.kind = FormulaKind::kForAll,
          .operands = {std::move(body)},
          .bound = variable,
          .others = std::move(others)};
}

Formula there_is(std::uint32_t variable, std::vector<Process> others, Formula body) {
  Formula formula = for_all(variable, std::move(others), std::move(body));
  formula.kind = FormulaKind::kExists;
  return formula;
}

Update becomes_anything(const Term& cell) {
  const Access& access = cell.kind == TermKind::kSum ? cell.summands.at(0).access : cell.access;
  return {.symbol = access.symbol, .arguments = access.arguments, .cases = {{truth(), std::nullopt}}};
}

Update becomes(const Term& cell, Term value) {
  Update update = becomes_anything(cell);
  update.cases[0].value = std::move(value);
  return update;
}

Update everywhere(SymbolId symbol, std::vector<std::uint32_t> variables, std::vector<UpdateCase> cases) {
  return {.symbol = symbol, .everywhere = true, .bound = std::move(variables), .cases = std::move(cases)};
}

std::string parameter_name(std::uint32_t index) {
  constexpr std::string_view letters = "pqrstuvw";
  return index < letters.size() ? std::string(1, letters[index]) : fmt::format("p{}", index);
}

namespace {

std::vector<std::string> parameter_names(std::uint32_t count) {
  std::vector<std::string> names;
  for (std::uint32_t index = 0; index < count; ++index) names.push_back(parameter_name(index));
  return names;
}

}  // namespace

Transition transition(std::string name, std::uint32_t parameters, std::optional<std::uint32_t> performer,
                      Formula guard, std::vector<Update> updates) {
  return {.name = std::move(name),
          .parameters = parameter_names(parameters),
          .performer = performer,
          .guard = std::move(guard),
          .updates = std::move(updates)};
}

Cube cube(std::uint32_t parameters, std::vector<Formula> literals) {
  return {.parameters = parameter_names(parameters), .literals = std::move(literals)};
}

Initial initially(std::uint32_t parameters, std::vector<Formula> conjuncts) {
  return {.parameters = parameter_names(parameters), .formula = all_of(std::move(conjuncts))};
}

}  // namespace weir::selfcheck
