#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fault.hpp"
#include "base/module.hpp"
#include "engine/robust/fences/hitting_set.hpp"

namespace weir {

namespace {

struct Price {
  double cost = 0, preference = 0;

  // Costs are sums of numbers given by people: rounding must not decide.
  friend bool operator<(const Price& a, const Price& b) {
    const double tolerance = 1e-9 * std::max({1.0, std::abs(a.cost), std::abs(b.cost)});
    if (std::abs(a.cost - b.cost) > tolerance) return a.cost < b.cost;
    return a.preference < b.preference - 1e-9;
  }
};

class Branching {
 public:
  Branching(const HittingProblem& problem, std::uint64_t most_branches)
      : problem_(problem),
        most_branches_(most_branches),
        chosen_(problem.cost.size()),
        forbidden_(problem.cost.size()) {}

  std::optional<std::optional<std::vector<std::uint32_t>>> solve() {
    branch({});
    if (branches_ > most_branches_) return std::nullopt;
    return best_;
  }

 private:
  bool hit(const std::vector<std::uint32_t>& set) const {
    return std::ranges::any_of(set, [&](std::uint32_t e) { return chosen_[e]; });
  }
  bool allowed() const {
    return std::ranges::none_of(problem_.excluded, [&](const auto& solution) {
      const auto chosen = [&](std::uint32_t e) { return chosen_[e]; };
      if (fault("lost-alternative")) return std::ranges::any_of(solution, chosen);
      return std::ranges::all_of(solution, chosen);
    });
  }

  void branch(Price price) {
    if (++branches_ > most_branches_) return;
    if (best_ && !(price < best_price_)) return;
    if (!allowed()) return;
    const auto open = std::ranges::find_if(problem_.sets, [&](const auto& set) { return !hit(set); });
    if (open == problem_.sets.end()) return keep(price);
    std::vector<std::uint32_t> tried;
    for (const std::uint32_t element : *open) {
      if (forbidden_[element] || !std::isfinite(problem_.cost[element])) continue;
      chosen_[element] = true;
      branch({price.cost + problem_.cost[element], price.preference + problem_.preference[element]});
      chosen_[element] = false;
      forbidden_[element] = true;  // in the other branches the set is hit by another element
      tried.push_back(element);
    }
    for (const std::uint32_t element : tried) forbidden_[element] = false;
  }

  void keep(Price price) {
    best_price_ = price;
    best_.emplace();
    for (std::uint32_t e = 0; e < chosen_.size(); ++e)
      if (chosen_[e]) best_->push_back(e);
  }

  const HittingProblem& problem_;
  std::uint64_t most_branches_;
  std::uint64_t branches_ = 0;
  std::vector<bool> chosen_, forbidden_;
  Price best_price_;
  std::optional<std::vector<std::uint32_t>> best_;
};

}  // namespace

std::optional<std::optional<std::vector<std::uint32_t>>> cheapest_hitting_set_by_branching(
    const HittingProblem& problem, std::uint64_t most_branches) {
  return Branching(problem, most_branches).solve();
}

std::optional<std::vector<std::uint32_t>> cheapest_hitting_set(const HittingProblem& problem) {
  constexpr std::uint64_t kFewBranches = 5'000;  // less than a millisecond
  if (const auto solved = cheapest_hitting_set_by_branching(problem, kFewBranches)) return *solved;
  return cheapest_hitting_set_by_cbc(problem);
}

std::optional<std::vector<std::uint32_t>> cheapest_hitting_set_by_cbc(const HittingProblem& problem) {
  using Solve = void(const HittingProblem&, std::optional<std::vector<std::uint32_t>>&);
  auto solve = module_function("libweir_cbc.so", "weir_cheapest_hitting_set");
  if (!solve) return *cheapest_hitting_set_by_branching(problem, std::numeric_limits<std::uint64_t>::max());
  std::optional<std::vector<std::uint32_t>> result;
  reinterpret_cast<Solve*> (*solve)(problem, result);
  return result;
}

}  // namespace weir
