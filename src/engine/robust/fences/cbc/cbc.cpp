// The module libweir_cbc.so: the 0/1 program, solved by Cbc.
//
// There is one column per element that occurs, one row per set (at least one), one per excluded solution (not all),
// and, once the least cost is known, one that keeps it while the preferences are minimised.
#include <CbcModel.hpp>
#include <CoinMessageHandler.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "engine/robust/fences/hitting_set.hpp"

namespace weir {

namespace {

class ZeroOneProgram {
 public:
  explicit ZeroOneProgram(const HittingProblem& problem) : problem_(problem) {
    for (const auto& set : problem.sets)
      for (const std::uint32_t element : set)
        if (std::isfinite(problem.cost[element])) elements_.push_back(element);
    std::ranges::sort(elements_);
    elements_.erase(std::unique(elements_.begin(), elements_.end()), elements_.end());
  }

  std::optional<std::vector<std::uint32_t>> solve() {
    const auto cheapest = minimise(problem_.cost, std::nullopt);
    if (!cheapest) return std::nullopt;
    double cost = 0;
    for (const std::uint32_t element : *cheapest) cost += problem_.cost[element];
    const auto preferred = minimise(problem_.preference, cost + 1e-6 * std::max(1.0, cost));
    return preferred ? preferred : cheapest;
  }

 private:
  int column(std::uint32_t element) const {
    return static_cast<int>(std::ranges::lower_bound(elements_, element) - elements_.begin());
  }
  bool known(std::uint32_t element) const { return std::ranges::binary_search(elements_, element); }

  std::optional<std::vector<std::uint32_t>> minimise(const std::vector<double>& weights,
                                                     std::optional<double> most_cost) {
    if (elements_.empty()) {
      if (problem_.sets.empty() && problem_.excluded.empty()) return std::vector<std::uint32_t>{};
      return std::nullopt;
    }
    OsiClpSolverInterface solver;
    solver.messageHandler()->setLogLevel(0);
    CoinPackedMatrix matrix(false, 0, 0);
    matrix.setDimensions(0, static_cast<int>(elements_.size()));
    std::vector<double> low, high;
    add_rows(matrix, low, high, most_cost);
    const std::vector<double> zeros(elements_.size(), 0.0), ones(elements_.size(), 1.0);
    std::vector<double> objective;
    for (const std::uint32_t element : elements_) objective.push_back(weights[element]);
    solver.loadProblem(matrix, zeros.data(), ones.data(), objective.data(), low.data(), high.data());
    for (int c = 0; c < static_cast<int>(elements_.size()); ++c) solver.setInteger(c);
    return run(solver);
  }

  void add_rows(CoinPackedMatrix& matrix, std::vector<double>& low, std::vector<double>& high,
                std::optional<double> most_cost) const {
    const auto add = [&](const CoinPackedVector& row, double least, double most) {
      matrix.appendRow(row);
      low.push_back(least);
      high.push_back(most);
    };
    for (const auto& set : problem_.sets) {
      CoinPackedVector row;
      for (const std::uint32_t element : set)
        if (known(element)) row.insert(column(element), 1.0);
      add(row, 1.0, COIN_DBL_MAX);
    }
    for (const auto& solution : problem_.excluded) {
      CoinPackedVector row;
      for (const std::uint32_t element : solution) row.insert(column(element), 1.0);
      add(row, -COIN_DBL_MAX, static_cast<double>(solution.size()) - 1.0);
    }
    if (!most_cost) return;
    CoinPackedVector row;
    for (const std::uint32_t element : elements_) row.insert(column(element), problem_.cost[element]);
    add(row, -COIN_DBL_MAX, *most_cost);
  }

  std::optional<std::vector<std::uint32_t>> run(OsiClpSolverInterface& solver) const {
    CbcModel model(solver);
    model.setLogLevel(0);
    model.solver()->messageHandler()->setLogLevel(0);
    model.branchAndBound();
    if (model.isProvenInfeasible() || model.bestSolution() == nullptr) return std::nullopt;
    WEIR_CHECK(model.isProvenOptimal(), "Cbc solves small 0/1 programs to optimality");
    std::vector<std::uint32_t> chosen;
    for (std::size_t c = 0; c < elements_.size(); ++c)
      if (model.bestSolution()[c] > 0.5) chosen.push_back(elements_[c]);
    return chosen;
  }

  const HittingProblem& problem_;
  std::vector<std::uint32_t> elements_;  // those that may be chosen
};

}  // namespace

}  // namespace weir

extern "C" __attribute__((visibility("default"))) void weir_cheapest_hitting_set(
    const weir::HittingProblem& problem, std::optional<std::vector<std::uint32_t>>& result) {
  result = weir::ZeroOneProgram(problem).solve();
}
