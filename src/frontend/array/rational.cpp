#include "frontend/array/rational.hpp"

#include <limits>

#include "base/error.hpp"

namespace weir::cub {

namespace {

using Wide = __int128;  // holds the product of two 64-bit numbers, and the sum of two such products

constexpr Wide kGreatest = std::numeric_limits<std::int64_t>::max();
constexpr Wide kLeast = -kGreatest;  // so that every number can be negated

Wide common_factor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

std::optional<Rational> reduced(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide factor = common_factor(numerator, denominator);
  numerator /= factor;
  denominator /= factor;
  if (numerator < kLeast || numerator > kGreatest || denominator > kGreatest) return std::nullopt;
  return Rational{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

}  // namespace

std::optional<Rational> sum(Rational a, Rational b) {
  return reduced(Wide{a.numerator} * b.denominator + Wide{b.numerator} * a.denominator,
                 Wide{a.denominator} * b.denominator);
}

std::optional<Rational> product(Rational a, Rational b) {
  return reduced(Wide{a.numerator} * b.numerator, Wide{a.denominator} * b.denominator);
}

std::optional<Rational> quotient(Rational a, Rational b) {
  WEIR_CHECK(b.numerator != 0, "division by zero");
  return reduced(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
}

std::optional<Rational> parse_number(std::string_view digits) {
  if (digits.find('.') != std::string_view::npos) digits = digits.substr(0, digits.find_last_not_of('0') + 1);
  Wide numerator = 0, denominator = 1;
  bool behind_point = false;
  for (const char c : digits) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    numerator = numerator * 10 + (c - '0');
    if (behind_point) denominator *= 10;
    if (numerator > kGreatest || denominator > kGreatest) return std::nullopt;
  }
  return reduced(numerator, denominator);
}

}  // namespace weir::cub
