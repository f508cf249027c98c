// Numerators and denominators fit in 63 bits and a sign, so every product of two of them, and the sum of two
// such products, is exact in 128 bits.
#include "check/array/number.hpp"

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace weir::array {

namespace {

__extension__ using Wide = __int128;

Wide common_factor(Wide a, Wide b) {
  if (a < 0) a = -a;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// `denominator` is positive.
std::optional<Rational> reduced(Wide numerator, Wide denominator) {
  const Wide factor = common_factor(numerator, denominator);
  numerator /= factor;
  denominator /= factor;
  constexpr Wide least = std::numeric_limits<std::int64_t>::min();
  constexpr Wide greatest = std::numeric_limits<std::int64_t>::max();
  if (numerator < least || numerator > greatest || denominator > greatest) return std::nullopt;
  return Rational{.numerator = static_cast<std::int64_t>(numerator),
                  .denominator = static_cast<std::int64_t>(denominator)};
}

}  // namespace

std::optional<Rational> sum(const Rational& a, const Rational& b) {
  return reduced(Wide(a.numerator) * b.denominator + Wide(b.numerator) * a.denominator,
                 Wide(a.denominator) * b.denominator);
}

std::optional<Rational> product(const Rational& a, const Rational& b) {
  return reduced(Wide(a.numerator) * b.numerator, Wide(a.denominator) * b.denominator);
}

std::optional<Rational> quotient(const Rational& a, const Rational& b) {
  WEIR_CHECK(b.numerator != 0, "division by zero");
  const Wide numerator = Wide(a.numerator) * b.denominator;
  const Wide denominator = Wide(a.denominator) * b.numerator;
  return denominator > 0 ? reduced(numerator, denominator) : reduced(-numerator, -denominator);
}

std::strong_ordering compare(const Rational& a, const Rational& b) {
  return Wide(a.numerator) * b.denominator <=> Wide(b.numerator) * a.denominator;
}

}  // namespace weir::array
