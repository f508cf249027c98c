// Array systems written down in C++: what tests read more easily than nested structs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "program/array/system.hpp"

namespace weir::selfcheck {

// The sorts that every system built here begins with.
inline constexpr array::SortId kProcessSort{0}, kBooleanSort{1}, kIntegerSort{2}, kRealSort{3};

// A system with these sorts and nothing else, which is never unsafe.
array::ArraySystem empty_array_system(std::string name = {});
array::SortId add_enumeration(array::ArraySystem& system, std::string name,
                              std::vector<std::string> constructors);
array::SymbolId add_symbol(array::ArraySystem& system, std::string name, array::SortId sort,
                           std::uint32_t dimensions = 0, bool weak = false);

// Processes: a bound variable, and #1, #2, …
array::Process bound(std::uint32_t index);
array::Process constant_process(std::uint32_t number);

// Terms. Cells of numeric sorts become sums by themselves.
class ArrayTerms {
 public:
  explicit ArrayTerms(const array::ArraySystem& system) : system_(system) {}

  array::Term cell(array::SymbolId symbol, std::vector<array::Process> arguments = {}) const;
  array::Term view(array::Process viewer, array::SymbolId symbol,
                   std::vector<array::Process> arguments = {}) const;
  array::Term constructor(std::string_view name) const;  // of any enumeration, or True or False

 private:
  array::Term of_access(array::Access access) const;
  const array::ArraySystem& system_;
};

array::Term process_term(array::Process process);
array::Term constructor_term(array::SortId sort, std::uint32_t number);
array::Term number_term(std::int64_t number, array::SortId sort = kIntegerSort);
array::Term plus(array::Term sum, std::int64_t number);
array::Term plus(array::Term sum, std::int64_t factor, const array::Term& other);  // sum + factor * other

// Formulas.
array::Formula compare(array::Term left, array::Comparison comparison, array::Term right);
array::Formula equal(array::Term left, array::Term right);
array::Formula different(array::Term left, array::Term right);
array::Formula all_of(std::vector<array::Formula> operands);
array::Formula any_of(std::vector<array::Formula> operands);
array::Formula negation(array::Formula operand);
array::Formula fence();
array::Formula truth();
array::Formula for_all(std::uint32_t variable, std::vector<array::Process> others, array::Formula body);
array::Formula there_is(std::uint32_t variable, std::vector<array::Process> others, array::Formula body);

// Updates of one cell, which is given as a term.
array::Update becomes(const array::Term& cell, array::Term value);
array::Update becomes_anything(const array::Term& cell);
// Updates of a whole array; the last case must be without condition.
array::Update everywhere(array::SymbolId symbol, std::vector<std::uint32_t> bound,
                         std::vector<array::UpdateCase> cases);

// Transitions with the parameters 0, 1, …; performer none: no process in brackets.
array::Transition transition(std::string name, std::uint32_t parameters,
                             std::optional<std::uint32_t> performer, array::Formula guard,
                             std::vector<array::Update> updates);
array::Cube cube(std::uint32_t parameters, std::vector<array::Formula> literals);
array::Initial initially(std::uint32_t parameters, std::vector<array::Formula> conjuncts);

// "p", "q", …, after a while "p26".
std::string parameter_name(std::uint32_t index);

}  // namespace weir::selfcheck
