// Exact arithmetic on numbers of terms; nothing where a result does not fit.
#pragma once

#include <optional>
#include <string_view>

#include "program/array/system.hpp"

namespace weir::cub {

using array::Rational;

std::optional<Rational> sum(Rational a, Rational b);
std::optional<Rational> product(Rational a, Rational b);
std::optional<Rational> quotient(Rational a, Rational b);  // b is not 0

// "12", "1.5", "1."
std::optional<Rational> parse_number(std::string_view digits);

}  // namespace weir::cub
