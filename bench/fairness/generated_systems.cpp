#include "fairness/generated_systems.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <unordered_map>

namespace weir::fairness::bench {

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return engine_() % bound; }
  std::size_t between(std::size_t least, std::size_t most) { return least + below(most - least + 1); }
  bool chance(double p) { return static_cast<double>(engine_() >> 11) < p * 9007199254740992.0; }

 private:
  std::mt19937_64 engine_;
};

struct Labelled {
  Vertex target;
  std::uint32_t action;
};
using Model = std::vector<std::vector<Labelled>>;

constexpr std::size_t kMostEdges = 25;  // for each vertex that an instance may have
constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

// Processes, and the graph of their states.
class Processes {
 public:
  explicit Processes(Dice& dice) {
    const std::size_t count = dice.between(3, 5);
    for (std::size_t p = 0; p < count; ++p) {
      sizes_.push_back(dice.between(4, 20));
      actions_.push_back(dice.between(2, 5));
    }
    shared_ = dice.between(1, 4);
    const std::size_t most_moves = dice.between(3, 10);
    for (std::size_t p = 0; p < count; ++p) add_moves(dice, p, most_moves);
    for (std::size_t s = 0; s < shared_; ++s) {
      partners_.push_back({dice.below(count), dice.below(count)});
      while (partners_.back()[0] == partners_.back()[1]) partners_.back()[1] = dice.below(count);
    }
  }

  std::uint32_t actions() const { return static_cast<std::uint32_t>(shared_ + 5 * sizes_.size()); }

  // The states that can be reached, at most `most` of them (nothing if there are more).
  Model reachable(std::size_t most) const {
    Model model;
    std::map<std::vector<std::size_t>, Vertex> numbers;
    std::vector<std::vector<std::size_t>> states{std::vector<std::size_t>(sizes_.size(), 0)};
    numbers.emplace(states.front(), 0);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states.size() > most) return {};
      auto& edges = model.emplace_back();
      const std::vector<std::size_t> state = states[i];
      each_successor(state, [&](std::vector<std::size_t> next, std::uint32_t action) {
        const auto [place, added] = numbers.try_emplace(next, static_cast<Vertex>(states.size()));
        if (added) states.push_back(std::move(next));
        edges.push_back({place->second, action});
      });
    }
    return model;
  }

 private:
  struct Move {
    std::size_t target;
    std::uint32_t action;
  };

  // A ring and chords; a sixth of the moves need a partner.
  void add_moves(Dice& dice, std::size_t p, std::size_t most_moves) {
    auto& moves = moves_.emplace_back(sizes_[p]);
    for (std::size_t s = 0; s < sizes_[p]; ++s)
      for (std::size_t i = dice.between(1, most_moves); i > 0; --i) {
        const std::size_t target = moves[s].empty() ? (s + 1) % sizes_[p] : dice.below(sizes_[p]);
        const bool together = dice.chance(1.0 / 6);
        const std::size_t action = together ? dice.below(shared_) : shared_ + 5 * p + dice.below(actions_[p]);
        moves[s].push_back({target, static_cast<std::uint32_t>(action)});
      }
  }

  template <class Sink>
  void each_successor(const std::vector<std::size_t>& state, Sink sink) const {
    for (std::size_t p = 0; p < state.size(); ++p)
      for (const Move& move : moves_[p][state[p]]) {
        std::vector<std::size_t> next = state;
        next[p] = move.target;
        if (move.action >= shared_) {
          sink(std::move(next), move.action);
          continue;
        }
        const auto& [first, second] = partners_[move.action];
        if (p != first) continue;
        for (const Move& other : moves_[second][state[second]])
          if (other.action == move.action) {
            next[second] = other.target;
            sink(next, move.action);
          }
      }
  }

  std::vector<std::size_t> sizes_, actions_;
  std::size_t shared_ = 0;  // actions 0 to shared_ - 1
  std::vector<std::vector<std::vector<Move>>> moves_;
  std::vector<std::array<std::size_t, 2>> partners_;
};

// Tarjan's algorithm without recursion; the number of the component of each state.
std::vector<Vertex> components(const Model& model) {
  std::vector<Vertex> number(model.size(), kNone), low(model.size(), 0), component(model.size(), kNone),
      stack;
  std::vector<std::pair<Vertex, std::size_t>> calls;
  Vertex next = 0, found = 0;
  for (Vertex root = 0; root < model.size(); ++root) {
    if (number[root] != kNone) continue;
    calls.emplace_back(root, 0);
    while (!calls.empty()) {
      auto& [v, i] = calls.back();
      if (i == 0) {
        number[v] = low[v] = next++;
        stack.push_back(v);
      }
      if (i < model[v].size()) {
        const Vertex w = model[v][i++].target;
        if (number[w] == kNone)
          calls.emplace_back(w, 0);
        else if (component[w] == kNone)
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      const Vertex done = v;
      calls.pop_back();
      if (!calls.empty()) low[calls.back().first] = std::min(low[calls.back().first], low[done]);
      if (low[done] != number[done]) continue;
      while (component[done] == kNone) {
        component[stack.back()] = found;
        stack.pop_back();
      }
      ++found;
    }
  }
  return component;
}

Model largest_component(const Model& model) {
  const std::vector<Vertex> component = components(model);
  std::vector<std::size_t> sizes(model.size(), 0);
  for (const Vertex c : component) ++sizes[c];
  const auto largest = static_cast<Vertex>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::vector<Vertex> renamed(model.size(), kNone);
  Vertex next = 0;
  for (Vertex v = 0; v < model.size(); ++v)
    if (component[v] == largest) renamed[v] = next++;
  Model result(next);
  for (Vertex v = 0; v < model.size(); ++v)
    if (renamed[v] != kNone)
      for (const auto& [target, action] : model[v])
        if (renamed[target] != kNone) result[renamed[v]].push_back({renamed[target], action});
  return result;
}

// A deterministic automaton that reads actions, with one pair of sets of its states.
struct Pattern {
  std::size_t states;
  std::vector<std::vector<std::uint8_t>> next;  // by state and action
  std::vector<bool> request, grant;
};

class Patterns {
 public:
  Patterns(Dice& dice, std::uint32_t actions) : dice_(dice), actions_(actions) {}

  Pattern draw() {
    switch (dice_.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3: return from(3, {0, 1, 0}, {0, 0, 1}, subset(0.3), subset(0.08), &Patterns::last_seen);
      case 4:
      case 5: return from(2, {0, 1}, {1, 0}, subset(0.2), subset(0.08), &Patterns::pending);
      case 6:
      case 7: return from(2, {0, 1}, {0, 0}, subset(0.85), {}, &Patterns::outside);
      case 8: return from(3, {1, 0, 1}, {0, 0, 0}, subset(0.85), subset(0.08), &Patterns::until);
      default: return from(3, {0, 1, 0}, {0, 0, 1}, subset(0.85), subset(0.08), &Patterns::outside_or_seen);
    }
  }

 private:
  using Next = std::uint8_t (*)(std::uint8_t state, bool a, bool b);

  static std::uint8_t last_seen(std::uint8_t, bool a, bool b) { return b ? 2 : a ? 1 : 0; }
  static std::uint8_t pending(std::uint8_t state, bool a, bool b) { return b ? 0 : a ? 1 : state; }
  static std::uint8_t outside(std::uint8_t, bool a, bool) { return a ? 0 : 1; }
  // 0: waiting, 1: b has come, 2: it never will have in time.
  static std::uint8_t until(std::uint8_t state, bool a, bool b) {
    return state != 0 ? state : b ? 1 : a ? 0 : 2;
  }
  static std::uint8_t outside_or_seen(std::uint8_t, bool a, bool b) { return b ? 2 : a ? 0 : 1; }

  std::vector<bool> subset(double density) {
    std::vector<bool> result(actions_);
    for (std::uint32_t a = 0; a < actions_; ++a) result[a] = dice_.chance(density);
    return result;
  }

  Pattern from(std::size_t states, std::vector<bool> request, std::vector<bool> grant, std::vector<bool> a,
               std::vector<bool> b, Next next) const {
    b.resize(actions_, false);
    Pattern pattern{states, {}, std::move(request), std::move(grant)};
    for (std::size_t s = 0; s < states; ++s) {
      auto& row = pattern.next.emplace_back();
      for (std::uint32_t action = 0; action < actions_; ++action)
        row.push_back(next(static_cast<std::uint8_t>(s), a[action], b[action]));
    }
    return pattern;
  }

  Dice& dice_;
  std::uint32_t actions_;
};

// The part of model x patterns that can be reached; nothing if it is too large.
class Product {
 public:
  Product(const Model& model, const std::vector<Pattern>& patterns) : model_(model), patterns_(patterns) {}

  bool build(std::size_t most) {
    visit(0);
    for (Vertex v = 0; v < states_.size(); ++v) {
      if (states_.size() > most || edges_.size() > kMostEdges * most) return false;
      const std::uint64_t state = states_[v];
      for (const auto& [target, action] : model_[state % model_.size()])
        edges_.emplace_back(v, visit(target + model_.size() * controls_after(state / model_.size(), action)));
    }
    return true;
  }

  std::size_t vertices() const { return states_.size(); }
  Arena arena() && {
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    return Arena(states_.size(), std::move(edges_));
  }

  std::vector<StreettPair> pairs() const {
    std::vector<StreettPair> result(patterns_.size());
    for (Vertex v = 0; v < states_.size(); ++v) {
      std::uint64_t controls = states_[v] / model_.size();
      for (std::size_t p = 0; p < patterns_.size(); ++p) {
        const std::uint64_t state = controls % patterns_[p].states;
        controls /= patterns_[p].states;
        if (patterns_[p].request[state]) result[p].requests.push_back(v);
        if (patterns_[p].grant[state]) result[p].grants.push_back(v);
      }
    }
    return result;
  }

 private:
  Vertex visit(std::uint64_t state) {
    const auto [place, added] = numbers_.try_emplace(state, static_cast<Vertex>(states_.size()));
    if (added) states_.push_back(state);
    return place->second;
  }

  std::uint64_t controls_after(std::uint64_t controls, std::uint32_t action) const {
    std::uint64_t result = 0, weight = 1;
    for (const Pattern& pattern : patterns_) {
      result += weight * pattern.next[controls % pattern.states][action];
      controls /= pattern.states;
      weight *= pattern.states;
    }
    return result;
  }

  const Model& model_;
  const std::vector<Pattern>& patterns_;
  std::vector<std::uint64_t> states_;
  std::unordered_map<std::uint64_t, Vertex> numbers_;
  std::vector<Arena::Edge> edges_;
};

void make_random(Arena& arena, std::uint64_t seed, double share) {
  Dice dice(seed ^ 0x9e3779b97f4a7c15);
  for (Vertex v = 0; v < arena.vertices(); ++v)
    if (dice.chance(share)) arena.set_random(v);
}

}  // namespace

Instance generated_system(std::uint64_t seed, std::size_t least, std::size_t most, double random_share) {
  Dice dice(seed);
  while (true) {
    const Processes processes(dice);
    const Model all = processes.reachable(most);
    if (all.empty()) continue;
    const Model model = largest_component(all);
    std::vector<Pattern> patterns;
    Patterns source(dice, processes.actions());
    for (std::size_t count = dice.between(3, 6); count > 0; --count) patterns.push_back(source.draw());
    Product product(model, patterns);
    if (!product.build(most) || product.vertices() < least) continue;
    Instance result;
    result.pairs = product.pairs();
    result.arena = std::move(product).arena();
    make_random(result.arena, seed, random_share);
    return result;
  }
}

Instance dense_graph(std::uint64_t seed, std::size_t vertices, std::size_t degree, double random_share) {
  Dice dice(seed);
  std::vector<Arena::Edge> edges;
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t i = 0; i < degree; ++i) {
      const std::size_t distance = i == 0               ? 1
                                   : 5 * i < 4 * degree ? dice.below(vertices / 50)
                                                        : dice.below(vertices);
      edges.emplace_back(static_cast<Vertex>(v), static_cast<Vertex>((v + distance) % vertices));
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Instance result{Arena(vertices, std::move(edges)), {}};
  make_random(result.arena, seed, random_share);
  for (std::size_t p = 0; p < 4; ++p) {
    StreettPair& pair = result.pairs.emplace_back();
    for (Vertex v = 0; v < vertices; ++v) {
      if (dice.chance(0.01)) pair.requests.push_back(v);
      if (p > 0 && dice.chance(2.0 / static_cast<double>(vertices))) pair.grants.push_back(v);
    }
  }
  return result;
}

Instance many_pairs(std::size_t vertices) {
  const auto count = static_cast<Vertex>(std::max<std::size_t>(vertices / 4, 1));
  const auto path = [](Vertex i) { return 4 * i; };
  const auto first = [](Vertex i) { return 4 * i + 1; };
  const auto second = [](Vertex i) { return 4 * i + 2; };
  const auto back = [](Vertex i) { return 4 * i + 3; };
  std::vector<Arena::Edge> edges;
  Instance result;
  for (Vertex i = 0; i < count; ++i) {
    if (i + 1 < count) {
      edges.emplace_back(path(i), path(i + 1));
      edges.emplace_back(path(i + 1), path(i));
    }
    edges.insert(edges.end(), {{path(i), first(i)},
                               {first(i), second(i)},
                               {second(i), first(i)},
                               {second(i), back(i)},
                               {back(i), path(i)}});
    StreettPair& pair = result.pairs.emplace_back();
    pair.requests = {back(i)};
    if (i > 0) pair.grants = {first(i - 1)};
  }
  result.arena = Arena(std::size_t{4} * count, std::move(edges));
  return result;
}

}  // namespace weir::fairness::bench
