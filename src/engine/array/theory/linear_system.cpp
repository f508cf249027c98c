#include "engine/array/theory/linear_system.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace weir::array {

namespace {

using Row = LinearSystem::Row;
using Answer = LinearSystem::Answer;

constexpr std::size_t kMostRows = 300;
constexpr std::uint32_t kMostSteps = 4000;  // eliminations, of one question

// Thrown inside this file only, where going on would not be exact.
struct TooHard {};

std::int64_t narrow(__int128 number) {
  constexpr __int128 kLargest = std::numeric_limits<std::int64_t>::max() / 4;
  if (number > kLargest || number < -kLargest) throw TooHard{};
  return static_cast<std::int64_t>(number);
}

std::int64_t floor_quotient(std::int64_t number, std::int64_t divisor) {
  return number / divisor - (number % divisor < 0 ? 1 : 0);
}

// a * row + b * other, for the factors and the bound.
Row combination(const Row& row, std::int64_t a, const Row& other, std::int64_t b) {
  Row result = row;
  const auto weigh = [&](std::int64_t x, std::int64_t y) {
    return narrow(static_cast<__int128>(a) * x + static_cast<__int128>(b) * y);
  };
  for (std::size_t i = 0; i < row.factors.size(); ++i)
    result.factors[i] = weigh(row.factors[i], other.factors[i]);
  result.bound = weigh(row.bound, other.bound);
  result.strict = row.strict || other.strict;
  return result;
}

// Both multiplied so that the factors of the variable cancel; `slack` is taken from the bound.
Row cancelled(const Row& upper, const Row& lower, std::size_t variable, bool dark) {
  const std::int64_t a = upper.factors[variable];
  const std::int64_t b = -lower.factors[variable];
  WEIR_CHECK(a > 0 && b > 0, "an upper and a lower bound");
  Row result = combination(upper, b, lower, a);
  result.equation = false;
  if (dark)
    result.bound = narrow(static_cast<__int128>(result.bound) - static_cast<__int128>(a - 1) * (b - 1));
  return result;
}

class Elimination {
 public:
  Elimination(std::size_t variables, bool integers, std::uint32_t& steps)
      : variables_(variables), integers_(integers), steps_(steps) {}

  // False: a contradiction is in sight.
  bool add(Row row) {
    if (row.equation) {
      equations_.push_back(std::move(row));
      return true;
    }
    std::int64_t divisor = integers_ ? 0 : std::abs(row.bound);
    bool open = false;
    for (const std::int64_t factor : row.factors) {
      divisor = std::gcd(divisor, factor);
      open = open || factor != 0;
    }
    if (!open) return row.strict ? row.bound > 0 : row.bound >= 0;
    for (std::int64_t& factor : row.factors) factor /= divisor;
    row.bound = floor_quotient(row.bound, divisor);
    return merge(std::move(row));
  }

  bool solvable() {
    if (++steps_ > kMostSteps) throw TooHard{};
    while (!equations_.empty()) {
      const Row equation = std::move(equations_.back());
      equations_.pop_back();
      if (!(integers_ ? solve_integer(equation) : solve_real(equation))) return false;
    }
    if (rows_.empty()) return true;
    return eliminate(cheapest_variable());
  }

 private:
  struct Bounds {
    std::size_t variable = 0;
    std::vector<std::size_t> upper, lower;  // rows
    bool exact = true;
  };

  // Rows with the same factors become one; opposite ones that meet become an equation.
  bool merge(Row row) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Row& other = rows_[i];
      if (other.factors == row.factors) {
        if (row.bound < other.bound || (row.bound == other.bound && row.strict)) {
          other.bound = row.bound;
          other.strict = row.strict;
        }
        return consistent(i);
      }
    }
    if (rows_.size() >= kMostRows) throw TooHard{};
    rows_.push_back(std::move(row));
    return consistent(rows_.size() - 1);
  }

  bool consistent(std::size_t changed) {
    const Row& row = rows_[changed];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& other = rows_[i];
      const bool opposite = std::equal(row.factors.begin(), row.factors.end(), other.factors.begin(),
                                       [](std::int64_t x, std::int64_t y) { return x == -y; });
      if (!opposite) continue;
      const std::int64_t room = row.bound + other.bound;
      if (room < 0 || (room == 0 && (row.strict || other.strict))) return false;
      if (room > 0) return true;
      Row equation = row;
      equation.equation = true;
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(std::max(i, changed)));
      rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(std::min(i, changed)));
      equations_.push_back(std::move(equation));
      return true;
    }
    return true;
  }

  // All rows changed by `change`, which returns the new row.
  template <class Change>
  bool rewrite(const Change& change) {
    std::vector<Row> old = std::move(rows_);
    rows_.clear();
    for (Row& row : equations_) row = change(row);
    return std::all_of(old.begin(), old.end(), [&](const Row& row) { return add(change(row)); });
  }

  static std::optional<std::size_t> smallest_factor(const Row& row) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < row.factors.size(); ++i)
      if (row.factors[i] != 0 && (!best || std::abs(row.factors[i]) < std::abs(row.factors[*best]))) best = i;
    return best;
  }

  bool solve_real(const Row& equation) {
    const auto variable = smallest_factor(equation);
    if (!variable) return equation.bound == 0;
    const std::int64_t pivot = equation.factors[*variable];
    return rewrite([&](const Row& row) {
      const std::int64_t factor = row.factors[*variable];
      if (factor == 0) return row;
      Row result = combination(row, std::abs(pivot), equation, pivot > 0 ? -factor : factor);
      result.strict = row.strict;
      return reduced(std::move(result));
    });
  }

  static Row reduced(Row row) {
    std::int64_t divisor = std::abs(row.bound);
    for (const std::int64_t factor : row.factors) divisor = std::gcd(divisor, factor);
    if (divisor < 2) return row;
    for (std::int64_t& factor : row.factors) factor /= divisor;
    row.bound /= divisor;
    return row;
  }

  bool solve_integer(Row equation) {
    std::int64_t divisor = 0;
    for (const std::int64_t factor : equation.factors) divisor = std::gcd(divisor, factor);
    if (divisor == 0) return equation.bound == 0;
    if (equation.bound % divisor != 0) return false;
    for (std::int64_t& factor : equation.factors) factor /= divisor;
    equation.bound /= divisor;
    const std::size_t variable = *smallest_factor(equation);
    if (std::abs(equation.factors[variable]) > 1) return solve_with_new_variable(equation, variable);
    const std::int64_t pivot = equation.factors[variable];
    return rewrite([&](const Row& row) {
      const std::int64_t factor = row.factors[variable];
      return factor == 0 ? row : combination(row, 1, equation, -factor * pivot);
    });
  }

  // The remainder of least size.
  static std::int64_t remainder(std::int64_t number, std::int64_t modulus) {
    return number - modulus * floor_quotient(2 * number + modulus, 2 * modulus);
  }

  // Pugh's step: with m = |factor| + 1 the remainders of the equation modulo m are a multiple of m, and in
  // them the variable has factor 1. The equation itself stays, with smaller factors.
  bool solve_with_new_variable(const Row& equation, std::size_t variable) {
    const std::int64_t modulus = std::abs(equation.factors[variable]) + 1;
    const auto widened = [](Row row) {
      row.factors.push_back(0);
      return row;
    };
    ++variables_;
    for (Row& row : equations_) row = widened(std::move(row));
    for (Row& row : rows_) row = widened(std::move(row));
    equations_.push_back(widened(equation));
    Row solved = widened(equation);
    for (std::int64_t& factor : solved.factors) factor = remainder(factor, modulus);
    solved.bound = remainder(solved.bound, modulus);
    solved.factors.back() = modulus;
    const std::int64_t pivot = solved.factors[variable];
    WEIR_CHECK(std::abs(pivot) == 1, "the new equation can be solved");
    return rewrite([&](const Row& row) {
      const std::int64_t factor = row.factors[variable];
      return factor == 0 ? row : combination(row, 1, solved, narrow(-static_cast<__int128>(factor) * pivot));
    });
  }

  Bounds cheapest_variable() const {
    Bounds best;
    std::optional<std::size_t> cost;
    for (std::size_t variable = 0; variable < variables_; ++variable) {
      Bounds here;
      here.variable = variable;
      bool upper_units = true, lower_units = true;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::int64_t factor = rows_[i].factors[variable];
        if (factor > 0) here.upper.push_back(i);
        if (factor < 0) here.lower.push_back(i);
        upper_units = upper_units && factor <= 1;
        lower_units = lower_units && factor >= -1;
      }
      if (here.upper.empty() && here.lower.empty()) continue;
      here.exact = !integers_ || upper_units || lower_units || here.upper.empty() || here.lower.empty();
      const std::size_t price = here.upper.size() * here.lower.size() + (here.exact ? 0 : 1'000'000);
      if (cost && *cost <= price) continue;
      cost = price;
      best = std::move(here);
    }
    WEIR_CHECK(cost.has_value(), "a row without a variable");
    return best;
  }

  // The system without the variable; none if that is a contradiction.
  std::optional<Elimination> without(const Bounds& bounds, bool dark) const {
    Elimination rest(variables_, integers_, steps_);
    for (const Row& row : rows_)
      if (row.factors[bounds.variable] == 0 && !rest.add(row)) return std::nullopt;
    for (const std::size_t upper : bounds.upper)
      for (const std::size_t lower : bounds.lower)
        if (!rest.add(cancelled(rows_[upper], rows_[lower], bounds.variable, dark))) return std::nullopt;
    return rest;
  }

  bool eliminate(const Bounds& bounds) {
    std::optional<Elimination> shadow = without(bounds, false);
    if (!shadow || !shadow->solvable()) return false;
    if (bounds.exact) return true;
    std::optional<Elimination> dark = without(bounds, true);
    return (dark && dark->solvable()) || in_a_gap(bounds);
  }

  // A solution outside the dark shadow is close to a lower bound.
  bool in_a_gap(const Bounds& bounds) const {
    std::int64_t largest = 0;
    for (const std::size_t upper : bounds.upper)
      largest = std::max(largest, rows_[upper].factors[bounds.variable]);
    for (const std::size_t lower : bounds.lower) {
      const std::int64_t factor = -rows_[lower].factors[bounds.variable];
      const std::int64_t last =
          static_cast<std::int64_t>((static_cast<__int128>(largest) * factor - largest - factor) / largest);
      for (std::int64_t distance = 0; distance <= last; ++distance) {
        Elimination near = *this;
        Row beside = rows_[lower];
        beside.equation = true;
        beside.bound = narrow(static_cast<__int128>(beside.bound) - distance);
        if (near.add(std::move(beside)) && near.solvable()) return true;
      }
    }
    return false;
  }

  std::size_t variables_;
  bool integers_;
  std::uint32_t& steps_;
  std::vector<Row> rows_;
  std::vector<Row> equations_;
};

}  // namespace

LinearSystem::Answer LinearSystem::solvable() const {
  try {
    std::uint32_t steps = 0;
    Elimination elimination(variables_, integers_, steps);
    for (const Row& row : rows_)
      if (!elimination.add(row)) return Answer::kNo;
    return elimination.solvable() ? Answer::kYes : Answer::kNo;
  } catch (const TooHard&) {
    return Answer::kUnknown;
  }
}

std::optional<LinearSystem::Row> shadow(const LinearSystem::Row& upper, const LinearSystem::Row& lower,
                                        std::size_t variable) {
  try {
    return cancelled(upper, lower, variable, false);
  } catch (const TooHard&) {
    return std::nullopt;
  }
}

}  // namespace weir::array
