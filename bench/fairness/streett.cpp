// Measures the symbolic Streett algorithms, one line of JSON per instance and algorithm, and compares their
// answers:
//
//   streett_bench systems COUNT LEAST MOST SHARE [FIRST_SEED]   generated systems of that size
//   streett_bench family N                                      as many pairs as a quarter of the vertices
//   streett_bench agree COUNT [FIRST_SEED]                      10,000 to 200,000 vertices; only a summary
//
// Instances: generated_systems.hpp.
#include "engine/fairness/streett.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "fairness/generated_systems.hpp"

namespace {

using namespace weir;
using namespace weir::fairness;
using namespace weir::fairness::bench;

void print(const Instance& instance, std::uint64_t seed, Algorithm algorithm, const StreettResult& result) {
  const StreettFigures& figures = result.figures;
  fmt::print("{{\"seed\": {}, \"algorithm\": \"{}\", \"vertices\": {}, \"edges\": {}, \"pairs\": {}, ", seed,
             algorithm == Algorithm::kBasic ? "basic" : "improved", instance.arena.vertices(),
             instance.arena.edges(), instance.pairs.size());
  fmt::print("\"winning\": {}, \"components\": {}, \"steps\": {}, \"seconds\": {:.6f}, ",
             std::ranges::count(result.winning, true), result.components.size(),
             figures.search_steps + figures.reach_steps, figures.search_seconds + figures.reach_seconds);
  fmt::print("\"first_steps\": {}, \"all_seconds\": {:.3f}}}\n", figures.first_steps,
             figures.build_seconds + figures.first_seconds + figures.search_seconds + figures.reach_seconds);
  std::fflush(stdout);
}

// The vertices that win, if basic and improved agree about them.
std::optional<std::vector<bool>> solve(const Instance& instance, std::uint64_t seed, bool show) {
  std::vector<bool> winning;
  for (const Algorithm algorithm : {Algorithm::kBasic, Algorithm::kImproved}) {
    const StreettResult result = solve_streett(instance.arena, instance.pairs, {algorithm, {}});
    if (show) print(instance, seed, algorithm, result);
    if (!winning.empty() && winning != result.winning) {
      fmt::print(stderr, "seed {}: the algorithms disagree\n", seed);
      return std::nullopt;
    }
    winning = result.winning;
  }
  return winning;
}

// Every twentieth is dense, with 25 edges for each vertex; the shares of random vertices are those of the
// thesis.
Instance large_instance(std::uint64_t seed) {
  constexpr double kShares[] = {0, 0.1, 0.2, 0.5};
  const double share = kShares[seed % 4];
  if (seed % 20 == 7) return dense_graph(seed, 10'000 + seed * 7'919 % 190'000, 25, share);
  if (seed % 20 == 14) return dense_graph(seed, 200'000, 25, share);
  const std::size_t least = seed % 5 == 0 ? 50'000 : 10'000;
  return generated_system(seed, least, 4 * least, share);
}

bool agree(std::uint64_t count, std::uint64_t first) {
  std::uint64_t mdps = 0, divided = 0;
  std::size_t vertices = 0, edges = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Instance instance = large_instance(seed);
    const auto winning = solve(instance, seed, false);
    if (!winning) return false;
    const auto won = static_cast<std::size_t>(std::ranges::count(*winning, true));
    mdps += instance.arena.has_random() ? 1 : 0;
    divided += won > 0 && won < winning->size() ? 1 : 0;
    vertices = std::max(vertices, instance.arena.vertices());
    edges = std::max(edges, instance.arena.edges());
    if ((seed - first + 1) % 10 == 0) fmt::print(stderr, "{} of {}\n", seed - first + 1, count);
  }
  fmt::print(
      "{} graphs and {} MDPs of up to {} vertices and {} edges, {} of them won in part: basic and improved "
      "agree\n",
      count - mdps, mdps, vertices, edges, divided);
  return true;
}

bool systems(std::uint64_t count, std::size_t least, std::size_t most, double share, std::uint64_t first) {
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    if (!solve(generated_system(seed, least, most, share), seed, true)) return false;
  return true;
}

constexpr int kDisagreement = 6;

}  // namespace

int main(int argc, char** argv) {
  const std::string_view job = argc > 1 ? argv[1] : "";
  const auto number = [&](int i, std::uint64_t otherwise = 0) {
    return i < argc ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  if (job == "family" && argc == 3) return solve(many_pairs(number(2)), 0, true) ? 0 : kDisagreement;
  if (job == "agree" && argc >= 3) return agree(number(2), number(3, 1)) ? 0 : kDisagreement;
  if (job == "systems" && argc >= 6)
    return systems(number(2), number(3), number(4), std::strtod(argv[5], nullptr), number(6, 1))
               ? 0
               : kDisagreement;
  fmt::print(stderr,
             "usage: streett_bench systems COUNT LEAST MOST SHARE [FIRST_SEED] | family N | agree COUNT "
             "[FIRST_SEED]\n");
  return 1;
}
