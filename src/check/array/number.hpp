// Exact arithmetic on fractions of 64-bit integers, for the reference machine for array systems. A result
// that does not fit is none.
#pragma once

#include <compare>
#include <optional>

#include "program/array/system.hpp"

namespace weir::array {

std::optional<Rational> sum(const Rational& a, const Rational& b);
std::optional<Rational> product(const Rational& a, const Rational& b);
std::optional<Rational> quotient(const Rational& a, const Rational& b);  // b is not 0
std::strong_ordering compare(const Rational& a, const Rational& b);

inline Rational whole(std::int64_t number) { return {.numerator = number, .denominator = 1}; }

}  // namespace weir::array
