// Random arenas with Streett pairs, small ones for comparison with a judge and structured ones for measuring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/arena.hpp"

namespace weir::fairness::test {

// Plain data, so that it can be shrunk.
struct Instance {
  std::size_t vertices = 0;
  std::vector<Arena::Edge> edges;
  std::vector<Vertex> random;
  std::vector<StreettPair> pairs;

  Arena arena() const;
  std::string text() const;
};

// Up to `vertices` vertices; everything else depends on the seed: how many edges, whether they go far, how
// many pairs (up to 10) and how large these are, and which share of the vertices is random (none in every
// third).
Instance random_instance(std::uint64_t seed, std::size_t vertices);

}  // namespace weir::fairness::test
