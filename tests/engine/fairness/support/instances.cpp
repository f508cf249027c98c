#include "engine/fairness/support/instances.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <random>

namespace weir::fairness::test {

Arena Instance::arena() const {
  Arena result(vertices, edges);
  for (const Vertex v : random) result.set_random(v);
  return result;
}

std::string Instance::text() const {
  std::string out = fmt::format("{} vertices, random: {}\n", vertices, fmt::join(random, " "));
  for (const auto& [from, to] : edges) out += fmt::format("{} -> {}\n", from, to);
  for (const StreettPair& pair : pairs)
    out += fmt::format("L: {} U: {}\n", fmt::join(pair.requests, " "), fmt::join(pair.grants, " "));
  return out;
}

namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(engine_); }

  std::vector<Vertex> subset(std::size_t vertices, double density) {
    std::vector<Vertex> result;
    for (Vertex v = 0; v < vertices; ++v)
      if (chance(density)) result.push_back(v);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace

Instance random_instance(std::uint64_t seed, std::size_t vertices) {
  Generator generator(seed);
  Instance result;
  result.vertices = 1 + generator.below(vertices);
  constexpr double kDegrees[] = {0.8, 1.2, 1.5, 2, 3, 5};
  constexpr double kDensities[] = {0.02, 0.05, 0.1, 0.3};
  constexpr double kRandom[] = {0.1, 0.2, 0.5, 0.9};
  const auto edges =
      static_cast<std::size_t>(kDegrees[generator.below(6)] * static_cast<double>(result.vertices));
  const std::size_t reach =
      generator.chance(0.5) ? result.vertices : std::min<std::size_t>(6, result.vertices);
  for (std::size_t i = 0; i < edges; ++i) {
    const std::size_t from = generator.below(result.vertices);
    const std::size_t to = (from + result.vertices + generator.below(reach) - reach / 3) % result.vertices;
    result.edges.emplace_back(static_cast<Vertex>(from), static_cast<Vertex>(to));
  }
  // Large components, from which much has to be removed.
  if (generator.chance(0.5))
    for (std::size_t v = 0; v < result.vertices; ++v)
      result.edges.emplace_back(static_cast<Vertex>(v), static_cast<Vertex>((v + 1) % result.vertices));
  std::sort(result.edges.begin(), result.edges.end());
  result.edges.erase(std::unique(result.edges.begin(), result.edges.end()), result.edges.end());
  if (seed % 3 != 0) result.random = generator.subset(result.vertices, kRandom[generator.below(4)]);
  for (std::size_t pairs = generator.below(11); pairs > 0; --pairs) {
    const double requests = kDensities[generator.below(4)];
    const double grants = kDensities[generator.below(4)] / 2;
    result.pairs.push_back(
        {generator.subset(result.vertices, requests), generator.subset(result.vertices, grants), ""});
  }
  return result;
}

}  // namespace weir::fairness::test
