// Whether linear inequalities and equations over a few integers, or over a few reals, have a solution.
//
// Variables are eliminated one after the other. Over the reals this is Fourier and Motzkin's method. Over the
// integers it is Pugh's Omega test ("The Omega Test: a fast and practical integer programming algorithm for
// dependence analysis", 1991): equations are solved first, with a new variable where no factor is 1; an
// elimination with a factor 1 on one side of every pair is exact; where none is, a solution of the dark
// shadow is one, and otherwise the gaps beside each lower bound are tried. Both are complete.
//
// Why not a simplex tableau: the regions of a search have two to six numbers under a sum, elimination of so
// few is a handful of additions without fractions, integers need no second method on top, and the same step
// gives the shadow that is needed to forget a cell. The price is growth with many variables, so there is a
// limit on rows and steps. Beyond it, and where a number does not fit into 64 bits, the answer is kUnknown.
#pragma once

#include <absl/container/inlined_vector.h>
#include <cstdint>
#include <optional>
#include <vector>

namespace weir::array {

class LinearSystem {
 public:
  // factors · variables <= bound; < if strict, which is for reals only; = if an equation.
  struct Row {
    absl::InlinedVector<std::int64_t, 8> factors;
    std::int64_t bound = 0;
    bool strict = false;
    bool equation = false;
  };
  enum class Answer : std::uint8_t { kNo, kYes, kUnknown };

  LinearSystem(std::size_t variables, bool integers) : variables_(variables), integers_(integers) {}

  // With a factor for every variable.
  void add(Row row) { rows_.push_back(std::move(row)); }

  Answer solvable() const;

 private:
  std::size_t variables_;
  bool integers_;
  std::vector<Row> rows_;
};

// What follows from an upper and a lower bound of a variable (its factor in `upper` is positive, in `lower`
// negative) about the others. None if it does not fit.
std::optional<LinearSystem::Row> shadow(const LinearSystem::Row& upper, const LinearSystem::Row& lower,
                                        std::size_t variable);

}  // namespace weir::array
