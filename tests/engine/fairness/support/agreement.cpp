#include "engine/fairness/support/agreement.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "check/streett_reference.hpp"
#include "engine/fairness/plays.hpp"
#include "engine/fairness/streett.hpp"

namespace weir::fairness::test {

namespace {

struct Named {
  const char* name;
  StreettOptions options;
};

constexpr std::uint64_t kAlways = 1'000'000;

const Named kAll[] = {
    {"basic", {Algorithm::kBasic, {}}},
    {"improved, adaptive", {Algorithm::kImproved, {Threshold::Kind::kAdaptive, 0}}},
    {"improved, log n", {Algorithm::kImproved, {Threshold::Kind::kLogarithm, 0}}},
    {"improved, bound", {Algorithm::kImproved, {Threshold::Kind::kBound, 0}}},
    {"improved, never lock-step", {Algorithm::kImproved, {Threshold::Kind::kNumber, 0}}},
    {"improved, always lock-step", {Algorithm::kImproved, {Threshold::Kind::kNumber, kAlways}}},
};

std::string play_mistake(const Instance& instance, const Arena& arena, const StreettResult& result) {
  if (arena.has_random())
    return strategy_mistake(arena, instance.pairs, result.winning, find_strategy(arena, result));
  for (Vertex v = 0; v < arena.vertices(); ++v) {
    if (!result.winning[v]) continue;
    const std::string mistake =
        lasso_mistake(arena, instance.pairs, v, find_lasso(arena, instance.pairs, result, v));
    if (!mistake.empty()) return mistake;
  }
  return "";
}

template <class T>
bool shrink_list(Instance& instance, std::vector<T> Instance::*list) {
  for (std::size_t i = 0; i < (instance.*list).size(); ++i) {
    Instance smaller = instance;
    (smaller.*list).erase((smaller.*list).begin() + static_cast<std::ptrdiff_t>(i));
    if (disagreement(smaller).empty()) continue;
    instance = std::move(smaller);
    return true;
  }
  return false;
}

}  // namespace

std::string disagreement(const Instance& instance, std::size_t* winning) {
  const Arena arena = instance.arena();
  const std::vector<bool> expected = streett_winning(arena, instance.pairs);
  if (winning != nullptr)
    *winning = static_cast<std::size_t>(std::count(expected.begin(), expected.end(), true));
  for (const Named& algorithm : kAll) {
    const StreettResult result = solve_streett(arena, instance.pairs, algorithm.options);
    for (Vertex v = 0; v < arena.vertices(); ++v)
      if (result.winning[v] != expected[v])
        return fmt::format("{}: vertex {} is said to be {}", algorithm.name, v,
                           result.winning[v] ? "won" : "lost");
    const std::string mistake = play_mistake(instance, arena, result);
    if (!mistake.empty()) return fmt::format("{}: {}", algorithm.name, mistake);
  }
  return "";
}

Instance shrink(Instance instance) {
  while (shrink_list(instance, &Instance::pairs) || shrink_list(instance, &Instance::edges) ||
         shrink_list(instance, &Instance::random)) {
  }
  return instance;
}

}  // namespace weir::fairness::test
