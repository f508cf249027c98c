// Measures the symbolic Streett algorithms: `streett_bench systems COUNT LEAST MOST SHARE` and
// `streett_bench family N`. One line of JSON per instance and algorithm.
//
// systems: graphs of LEAST to MOST vertices, of which SHARE are random. A system is a few components that
// move one at a time (what the models of the VLTS suite are, before they are minimised), times a
// deterministic automaton that reads who moved, with up to five Streett pairs over its states and those of
// one component. The thesis takes the automata from LTL formulas; here they are random, with transitions that
// mostly stay near, so that they have several components of their own.
//
// family: a path whose edges go both ways, and a pair for each vertex, granted as long as the vertex before
// it is there. Vertices go bad one after the other. The basic algorithm computes all components after each,
// the improved one notices that the rest stayed connected.
#include "engine/fairness/streett.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <random>
#include <string_view>

namespace {

using namespace weir;
using namespace weir::fairness;

struct Instance {
  Arena arena;
  std::vector<StreettPair> pairs;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  Instance system(std::size_t least, std::size_t most, double share) {
    choose_sizes(least, most);
    choose_moves();
    std::vector<Arena::Edge> edges;
    for (std::size_t v = 0; v < vertices_; ++v) add_edges(v, edges);
    Instance result{Arena(vertices_, std::move(edges)), {}};
    for (Vertex v = 0; v < vertices_; ++v)
      if (chance(share)) result.arena.set_random(v);
    for (std::size_t pairs = 2 + below(4); pairs > 0; --pairs) result.pairs.push_back(pair());
    return result;
  }

 private:
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  bool chance(double p) { return static_cast<double>(engine_() >> 11) < p * 9007199254740992.0; }

  void choose_sizes(std::size_t least, std::size_t most) {
    do {
      sizes_ = {5 + below(16)};  // the automaton
      vertices_ = sizes_[0];
      for (std::size_t components = 3 + below(2); components > 0; --components) {
        sizes_.push_back(4 + below(28));
        vertices_ *= sizes_.back();
      }
    } while (vertices_ < least || vertices_ > most);
  }

  // Components: a ring and some chords, now and then without the edge that closes the ring.
  void choose_moves() {
    moves_.assign(sizes_.size(), {});
    for (std::size_t c = 1; c < sizes_.size(); ++c) {
      moves_[c].resize(sizes_[c]);
      const bool open = chance(0.3);
      for (std::size_t s = 0; s < sizes_[c]; ++s) {
        if (!open || s + 1 < sizes_[c]) moves_[c][s].push_back((s + 1) % sizes_[c]);
        for (std::size_t chords = 1 + below(5); chords > 0; --chords)
          moves_[c][s].push_back(below(sizes_[c]));
      }
    }
    reads_.assign(sizes_[0], {});
    for (std::size_t q = 0; q < sizes_[0]; ++q)
      for (std::size_t c = 0; c < sizes_.size(); ++c)
        reads_[q].push_back(chance(0.06)
                                ? below(sizes_[0])
                                : std::min(sizes_[0] - 1, q + below(2) - (q > 0 && chance(0.45) ? 1 : 0)));
  }

  void add_edges(std::size_t vertex, std::vector<Arena::Edge>& edges) const {
    const std::size_t control = vertex % sizes_[0];
    std::size_t weight = sizes_[0];
    for (std::size_t c = 1; c < sizes_.size(); ++c) {
      const std::size_t state = vertex / weight % sizes_[c];
      for (const std::size_t next : moves_[c][state]) {
        const std::size_t target = vertex - control + reads_[control][c] + next * weight - state * weight;
        edges.emplace_back(static_cast<Vertex>(vertex), static_cast<Vertex>(target));
      }
      weight *= sizes_[c];
    }
  }

  StreettPair pair() {
    StreettPair result;
    const std::size_t component = 1 + below(sizes_.size() - 1);
    std::size_t weight = 1;
    for (std::size_t c = 0; c < component; ++c) weight *= sizes_[c];
    std::vector<bool> request(sizes_[0]), grant(sizes_[0]), here(sizes_[component]), there(sizes_[component]);
    for (std::size_t q = 0; q < sizes_[0]; ++q) {
      request[q] = chance(0.4);
      grant[q] = chance(previous_.empty() || !previous_[q] ? 0.04 : 0.3);
    }
    previous_ = request;
    for (std::size_t s = 0; s < sizes_[component]; ++s) here[s] = chance(0.4), there[s] = chance(0.2);
    for (std::size_t v = 0; v < vertices_; ++v) {
      const std::size_t q = v % sizes_[0], s = v / weight % sizes_[component];
      if (request[q] && here[s]) result.requests.push_back(static_cast<Vertex>(v));
      if (grant[q] && there[s]) result.grants.push_back(static_cast<Vertex>(v));
    }
    return result;
  }

  std::mt19937_64 engine_;
  std::vector<std::size_t> sizes_;  // of the automaton, then of the components
  std::size_t vertices_ = 0;
  std::vector<bool> previous_;  // the control states that request the pair before
  std::vector<std::vector<std::vector<std::size_t>>> moves_;
  std::vector<std::vector<std::size_t>> reads_;
};

Instance path(std::size_t n) {
  std::vector<Arena::Edge> edges;
  Instance result;
  for (Vertex v = 0; v < n; ++v) {
    if (v + 1 < n) {
      edges.emplace_back(v, v + 1);
      edges.emplace_back(v + 1, v);
    }
    StreettPair& pair = result.pairs.emplace_back();
    pair.requests = {v};
    if (v > 0) pair.grants = {v - 1};
  }
  result.arena = Arena(n, std::move(edges));
  return result;
}

// Both algorithms must agree.
bool measure(const Instance& instance, std::uint64_t seed) {
  std::vector<bool> winning;
  for (const Algorithm algorithm : {Algorithm::kBasic, Algorithm::kImproved}) {
    const StreettResult result = solve_streett(instance.arena, instance.pairs, {algorithm, {}});
    const StreettFigures& figures = result.figures;
    fmt::print(
        "{{\"seed\": {}, \"algorithm\": \"{}\", \"vertices\": {}, \"edges\": {}, \"pairs\": {}, \"winning\": "
        "{}, "
        "\"components\": {}, \"steps\": {}, \"seconds\": {:.6f}, \"first_steps\": {}, \"all_seconds\": "
        "{:.3f}}}\n",
        seed, algorithm == Algorithm::kBasic ? "basic" : "improved", instance.arena.vertices(),
        instance.arena.edges(), instance.pairs.size(),
        std::count(result.winning.begin(), result.winning.end(), true), result.components.size(),
        figures.search_steps + figures.reach_steps, figures.search_seconds + figures.reach_seconds,
        figures.first_steps,
        figures.build_seconds + figures.first_seconds + figures.search_seconds + figures.reach_seconds);
    std::fflush(stdout);
    if (!winning.empty() && winning != result.winning) return false;
    winning = result.winning;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  bool agree = true;
  if (argc == 3 && std::string_view(argv[1]) == "family")
    agree = measure(path(number(2)), 0);
  else if (argc == 6 && std::string_view(argv[1]) == "systems")
    for (std::uint64_t seed = 1; seed <= number(2) && agree; ++seed)
      agree = measure(Generator(seed).system(number(3), number(4), std::strtod(argv[5], nullptr)), seed);
  else {
    fmt::print(stderr, "usage: streett_bench systems COUNT LEAST MOST SHARE | family N\n");
    return 1;
  }
  if (!agree) fmt::print(stderr, "the algorithms disagree\n");
  return agree ? 0 : 6;
}
