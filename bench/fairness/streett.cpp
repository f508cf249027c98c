// Measures the symbolic Streett algorithms, one line of JSON per instance and algorithm, and compares their
// answers:
//
//   streett_bench systems COUNT LEAST MOST SHARE [FIRST_SEED]   generated systems of that size
//   streett_bench family N                                      as many pairs as a quarter of the vertices
//   streett_bench agree COUNT [FIRST_SEED]                      10,000 to 200,000 vertices; only a summary
//
// As in the thesis, components (end components) of the whole graph are computed once, both algorithms start
// from these, and steps and seconds count from there. Seconds are processor time. For `agree` each computes
// these by itself, too.
//
// Instances: generated_systems.hpp.
#include "engine/fairness/streett.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <string_view>

#include "fairness/generated_systems.hpp"

namespace {

using namespace weir;
using namespace weir::fairness;
using namespace weir::fairness::bench;

constexpr Algorithm kAlgorithms[] = {Algorithm::kBasic, Algorithm::kImproved};

class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

// An instance with what all algorithms start from.
class Race {
 public:
  explicit Race(const Instance& instance)
      : instance_(instance),
        graph_(instance.arena),
        objective_(symbolic_objective(graph_, instance.pairs)),
        candidates_(first_candidates(graph_, {Algorithm::kBasic, {}})),
        first_steps_(graph_.steps()),
        first_seconds_(stopwatch_.seconds()) {}

  // Prints a line. Do the answers agree?
  bool run(std::uint64_t seed) {
    std::optional<VertexSet> expected;
    for (const Algorithm algorithm : kAlgorithms) {
      graph_.forget_results();
      const Stopwatch stopwatch;
      const std::uint64_t before = graph_.steps();
      const std::vector<VertexSet> good = good_candidates(graph_, objective_, candidates_, {algorithm, {}});
      const VertexSet winning = winning_vertices(graph_, good);
      const double seconds = stopwatch.seconds();
      print(seed, algorithm, good.size(), graph_.count(winning), graph_.steps() - before, seconds);
      if (expected && *expected != winning) return false;
      expected = winning;
    }
    return true;
  }

 private:
  void print(std::uint64_t seed, Algorithm algorithm, std::size_t components, std::uint64_t winning,
             std::uint64_t steps, double seconds) const {
    fmt::print("{{\"seed\": {}, \"algorithm\": \"{}\", \"vertices\": {}, \"edges\": {}, \"pairs\": {}, ",
               seed, algorithm == Algorithm::kBasic ? "basic" : "improved", instance_.arena.vertices(),
               instance_.arena.edges(), instance_.pairs.size());
    fmt::print("\"winning\": {}, \"components\": {}, \"steps\": {}, \"seconds\": {:.6f}, ", winning,
               components, steps, seconds);
    fmt::print("\"first_steps\": {}, \"first_seconds\": {:.3f}}}\n", first_steps_, first_seconds_);
    std::fflush(stdout);
  }

  const Instance& instance_;
  Stopwatch stopwatch_;
  SymbolicGraph graph_;
  Objective objective_;
  std::vector<VertexSet> candidates_;
  std::uint64_t first_steps_;
  double first_seconds_;
};

bool measured(const Instance& instance, std::uint64_t seed) {
  if (Race(instance).run(seed)) return true;
  fmt::print(stderr, "seed {}: the algorithms disagree\n", seed);
  return false;
}

bool systems(std::uint64_t count, std::size_t least, std::size_t most, double share, std::uint64_t first) {
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    if (!measured(generated_system(seed, least, most, share), seed)) return false;
  return true;
}

// The shares of random vertices are those of the thesis. Sizes are 10,000 times a power of 20; the exponent
// is a product of three uniform numbers, so that most are small, or for one in twenty at least a half. One in
// fifty is as dense as it gets, with 200,000 vertices and 5 million edges.
Instance large_instance(std::uint64_t seed) {
  constexpr double kShares[] = {0, 0.1, 0.2, 0.5};
  constexpr std::size_t kLeast = 10'000, kMost = 200'000;
  const double share = kShares[seed % 4];
  if (seed % 50 == 7) return dense_graph(seed, kMost, 25, share);
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double exponent =
      seed % 20 == 1 ? (1 + uniform(engine)) / 2 : uniform(engine) * uniform(engine) * uniform(engine);
  const auto size = static_cast<std::size_t>(kLeast * std::pow(20.0, exponent));
  return generated_system(seed, size, std::min(kMost, 3 * size / 2), share);
}

class Agreement {
 public:
  bool compare(std::uint64_t seed) {
    const Instance instance = large_instance(seed);
    SymbolicGraph graph(instance.arena);
    const Objective objective = symbolic_objective(graph, instance.pairs);
    const VertexSet basic = solved(graph, objective, Algorithm::kBasic);
    if (basic != solved(graph, objective, Algorithm::kImproved)) {
      fmt::print(stderr, "seed {}: the algorithms disagree\n", seed);
      return false;
    }
    note(instance, graph.count(basic));
    return true;
  }

  void print_summary() const {
    fmt::print(
        "{} graphs and {} MDPs of {} to {} vertices and {} to {} edges, {} of them won in part: basic and "
        "improved agree; {:.0f} seconds of processor time\n",
        graphs_, mdps_, least_vertices_, most_vertices_, least_edges_, most_edges_, divided_,
        stopwatch_.seconds());
  }

 private:
  static VertexSet solved(SymbolicGraph& graph, const Objective& objective, Algorithm algorithm) {
    const StreettOptions options{algorithm, {}};
    return winning_vertices(graph,
                            good_candidates(graph, objective, first_candidates(graph, options), options));
  }

  void note(const Instance& instance, std::size_t won) {
    const std::size_t vertices = instance.arena.vertices(), edges = instance.arena.edges();
    (instance.arena.has_random() ? mdps_ : graphs_) += 1;
    divided_ += won > 0 && won < vertices ? 1 : 0;
    least_vertices_ = std::min(least_vertices_, vertices);
    most_vertices_ = std::max(most_vertices_, vertices);
    least_edges_ = std::min(least_edges_, edges);
    most_edges_ = std::max(most_edges_, edges);
  }

  Stopwatch stopwatch_;
  std::size_t graphs_ = 0, mdps_ = 0, divided_ = 0;
  std::size_t least_vertices_ = SIZE_MAX, most_vertices_ = 0, least_edges_ = SIZE_MAX, most_edges_ = 0;
};

bool agree(std::uint64_t count, std::uint64_t first) {
  Agreement agreement;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    if (!agreement.compare(seed)) return false;
    if ((seed - first + 1) % 10 == 0) fmt::print(stderr, "{} of {}\n", seed - first + 1, count);
  }
  agreement.print_summary();
  return true;
}

constexpr int kDisagreement = 6;

}  // namespace

int main(int argc, char** argv) {
  const std::string_view job = argc > 1 ? argv[1] : "";
  const auto number = [&](int i, std::uint64_t otherwise = 0) {
    return i < argc ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  if (job == "family" && argc == 3) return measured(many_pairs(number(2)), 0) ? 0 : kDisagreement;
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
