// The Omega test and Fourier and Motzkin's elimination against Z3, which shares nothing with them, on random systems: those
// that regions of a search have, and larger factors, for which an elimination is not exact and the dark shadow decides.
#ifdef WEIR_HAS_Z3

#include <gtest/gtest.h>
#include <random>
#include <z3++.h>

#include "engine/array/theory/linear_system.hpp"

namespace weir::array::linear_system_z3_test {

using Answer = LinearSystem::Answer;
using Row = LinearSystem::Row;

struct Drawn {
  std::size_t variables;
  bool integers;
  std::vector<Row> rows;
};

Drawn draw(std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  const auto from = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(numbers() % static_cast<std::uint64_t>(high - low + 1));
  };
  Drawn drawn{static_cast<std::size_t>(from(1, 4)), from(0, 2) != 0, {}};
  const std::int64_t largest = from(0, 1) == 0 ? 1 : from(2, 7);
  const std::int64_t rows = from(1, 7);
  for (std::int64_t r = 0; r < rows; ++r) {
    Row row;
    for (std::size_t v = 0; v < drawn.variables; ++v) row.factors.push_back(from(-largest, largest));
    row.bound = from(-9, 9);
    row.equation = from(0, 4) == 0;
    row.strict = !drawn.integers && !row.equation && from(0, 2) == 0;
    drawn.rows.push_back(std::move(row));
  }
  return drawn;
}

Answer by_elimination(const Drawn& drawn) {
  LinearSystem system(drawn.variables, drawn.integers);
  for (const Row& row : drawn.rows) system.add(row);
  return system.solvable();
}

Answer by_z3(z3::context& context, const Drawn& drawn) {
  z3::solver solver(context, z3::solver::simple());  // without tactics that take longer to set up than to ask
  const auto number = [&](std::int64_t value) {
    return drawn.integers ? context.int_val(value) : context.real_val(std::to_string(value).c_str());
  };
  std::vector<z3::expr> variables;
  for (std::size_t v = 0; v < drawn.variables; ++v) {
    const std::string name = "v" + std::to_string(v);
    variables.push_back(drawn.integers ? context.int_const(name.c_str()) : context.real_const(name.c_str()));
  }
  for (const Row& row : drawn.rows) {
    z3::expr sum = number(0);
    for (std::size_t v = 0; v < drawn.variables; ++v) sum = sum + number(row.factors[v]) * variables[v];
    const z3::expr bound = number(row.bound);
    solver.add(row.equation ? sum == bound : row.strict ? sum < bound : sum <= bound);
  }
  switch (solver.check()) {
    case z3::sat: return Answer::kYes;
    case z3::unsat: return Answer::kNo;
    case z3::unknown: break;
  }
  return Answer::kUnknown;
}

std::string text(const Drawn& drawn) {
  std::string result = drawn.integers ? "integers" : "reals";
  for (const Row& row : drawn.rows) {
    result += "\n ";
    for (const std::int64_t factor : row.factors) result += " " + std::to_string(factor);
    result += (row.equation ? " = " : row.strict ? " < " : " <= ") + std::to_string(row.bound);
  }
  return result;
}

TEST(LinearSystemAndZ3, AgreeOnRandomSystems) {
  constexpr std::uint64_t kSystems = 4'000;
  z3::context context;
  std::size_t solvable = 0, unsolvable = 0;
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    const Drawn drawn = draw(seed);
    const Answer expected = by_z3(context, drawn), found = by_elimination(drawn);
    ASSERT_NE(expected, Answer::kUnknown) << text(drawn);
    ASSERT_EQ(found, expected) << "system " << seed << ", " << text(drawn);
    ++(expected == Answer::kYes ? solvable : unsolvable);
  }
  EXPECT_GT(solvable, kSystems / 5);
  EXPECT_GT(unsolvable, kSystems / 5);
}

}  // namespace weir::array::linear_system_z3_test

#endif
