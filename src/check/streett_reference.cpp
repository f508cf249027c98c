#include "check/streett_reference.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

// Tarjan's algorithm with its own stack.
template <class Successors>
std::vector<std::vector<Vertex>> components_of(std::size_t vertices, const std::vector<bool>& alive,
                                               Successors successors) {
  struct Frame {
    Vertex vertex;
    std::vector<Vertex> next;
    std::size_t position;
  };
  std::vector<std::vector<Vertex>> components;
  std::vector<std::uint32_t> index(vertices, 0), low(vertices, 0);
  std::vector<bool> open(vertices, false);
  std::vector<Vertex> stack;
  std::vector<Frame> frames;
  std::uint32_t counter = 0;
  const auto enter = [&](Vertex v) {
    index[v] = low[v] = ++counter;
    open[v] = true;
    stack.push_back(v);
    frames.push_back({v, successors(v), 0});
  };
  const auto close = [&](Vertex v) {
    std::vector<Vertex>& component = components.emplace_back();
    do {
      component.push_back(stack.back());
      open[stack.back()] = false;
      stack.pop_back();
    } while (component.back() != v);
  };
  for (Vertex root = 0; root < vertices; ++root) {
    if (!alive[root] || index[root] != 0) continue;
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const Vertex v = frame.vertex;
      if (frame.position < frame.next.size()) {
        const Vertex next = frame.next[frame.position++];
        if (!alive[next]) continue;
        if (index[next] == 0)
          enter(next);
        else if (open[next])
          low[v] = std::min(low[v], index[next]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
      if (low[v] == index[v]) close(v);
    }
  }
  return components;
}

std::vector<Vertex> arena_successors(const Arena& arena, Vertex v) {
  const auto span = arena.successors(v);
  return {span.begin(), span.end()};
}

std::vector<bool> membership(std::size_t vertices, const std::vector<Vertex>& members) {
  std::vector<bool> result(vertices, false);
  for (const Vertex v : members) result[v] = true;
  return result;
}

class Reference {
 public:
  Reference(const Arena& arena, const std::vector<StreettPair>& pairs)
      : arena_(arena), set_of_(arena.vertices(), 0) {
    for (const StreettPair& pair : pairs) {
      requests_.push_back(membership(arena.vertices(), pair.requests));
      grants_.push_back(membership(arena.vertices(), pair.grants));
    }
  }

  std::vector<bool> winning() {
    std::vector<bool> goal(arena_.vertices(), false);
    std::vector<std::vector<Vertex>> work =
        explicit_components(arena_, std::vector<bool>(arena_.vertices(), true));
    while (!work.empty()) {
      const std::vector<Vertex> set = std::move(work.back());
      work.pop_back();
      const std::vector<Vertex> kept = without_impossible(set);
      if (kept.size() == set.size()) {
        if (has_edge(set))
          for (const Vertex v : set) goal[v] = true;
        continue;
      }
      if (kept.empty()) continue;
      for (auto& component : explicit_components(arena_, membership(arena_.vertices(), kept)))
        work.push_back(std::move(component));
    }
    return sure_to_reach(goal);
  }

 private:
  // Without random vertices that may leave the set, and requests that are never granted in it.
  std::vector<Vertex> without_impossible(const std::vector<Vertex>& set) {
    ++sets_;
    for (const Vertex v : set) set_of_[v] = sets_;
    std::vector<bool> granted(grants_.size(), false);
    for (std::size_t i = 0; i < grants_.size(); ++i)
      for (const Vertex v : set) granted[i] = granted[i] || grants_[i][v];
    std::vector<Vertex> kept;
    for (const Vertex v : set) {
      bool keep = true;
      for (std::size_t i = 0; i < granted.size(); ++i) keep = keep && (granted[i] || !requests_[i][v]);
      if (arena_.random(v))
        for (const Vertex next : arena_.successors(v)) keep = keep && set_of_[next] == sets_;
      if (keep) kept.push_back(v);
    }
    return kept;
  }

  bool has_edge(const std::vector<Vertex>& component) const {
    return component.size() > 1 || arena_.has_edge(component.front(), component.front());
  }

  // The largest set whose random vertices stay in it and from whose every vertex the goal can be reached
  // inside it.
  std::vector<bool> sure_to_reach(const std::vector<bool>& goal) const {
    std::vector<bool> sure(arena_.vertices(), true);
    while (true) {
      std::vector<bool> reaches = reaching(goal, sure);
      for (Vertex v = 0; v < arena_.vertices(); ++v)
        if (reaches[v] && !goal[v] && arena_.random(v))
          for (const Vertex next : arena_.successors(v))
            if (!reaches[next]) reaches[v] = false;
      if (reaches == sure) return sure;
      sure = std::move(reaches);
    }
  }

  std::vector<bool> reaching(const std::vector<bool>& goal, const std::vector<bool>& within) const {
    std::vector<std::vector<Vertex>> before(arena_.vertices());
    for (Vertex v = 0; v < arena_.vertices(); ++v)
      if (within[v])
        for (const Vertex next : arena_.successors(v)) before[next].push_back(v);
    std::vector<bool> reached(arena_.vertices(), false);
    std::vector<Vertex> queue;
    const auto add = [&](Vertex v) {
      if (reached[v]) return;
      reached[v] = true;
      queue.push_back(v);
    };
    for (Vertex v = 0; v < arena_.vertices(); ++v)
      if (goal[v] && within[v]) add(v);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Vertex v : before[queue[i]]) add(v);
    return reached;
  }

  const Arena& arena_;
  std::vector<std::vector<bool>> requests_, grants_;
  std::vector<std::uint32_t> set_of_;  // the number of the set that was looked at last with this vertex
  std::uint32_t sets_ = 0;
};

// Says which pair is violated by visiting these vertices for ever.
class PairCheck {
 public:
  PairCheck(const Arena& arena, const std::vector<StreettPair>& pairs) {
    for (const StreettPair& pair : pairs) {
      requests_.push_back(membership(arena.vertices(), pair.requests));
      grants_.push_back(membership(arena.vertices(), pair.grants));
    }
  }

  // Its number, from 1; 0 if there is none.
  std::size_t violated(const std::vector<Vertex>& visited) const {
    const auto meets = [&](const std::vector<bool>& set) {
      return std::any_of(visited.begin(), visited.end(), [&](Vertex v) { return set[v]; });
    };
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (meets(requests_[i]) && !meets(grants_[i])) return i + 1;
    return 0;
  }

 private:
  std::vector<std::vector<bool>> requests_, grants_;
};

}  // namespace

std::vector<std::vector<Vertex>> explicit_components(const Arena& arena, const std::vector<bool>& alive) {
  return components_of(arena.vertices(), alive, [&](Vertex v) { return arena_successors(arena, v); });
}

std::vector<bool> streett_winning(const Arena& arena, const std::vector<StreettPair>& pairs) {
  return Reference(arena, pairs).winning();
}

std::string lasso_mistake(const Arena& arena, const std::vector<StreettPair>& pairs, Vertex start,
                          const Lasso& lasso) {
  if (lasso.loop.empty()) return "the loop is empty";
  std::vector<Vertex> play = lasso.stem;
  play.insert(play.end(), lasso.loop.begin(), lasso.loop.end());
  play.push_back(lasso.loop.front());
  if (play.front() != start) return fmt::format("the play starts at {}, not at {}", play.front(), start);
  for (std::size_t i = 0; i + 1 < play.size(); ++i)
    if (play[i] >= arena.vertices() || !arena.has_edge(play[i], play[i + 1]))
      return fmt::format("there is no edge from {} to {}", play[i], play[i + 1]);
  const std::size_t pair = PairCheck(arena, pairs).violated(lasso.loop);
  return pair == 0 ? "" : fmt::format("the loop never grants the requests of pair {}", pair);
}

std::string strategy_mistake(const Arena& arena, const std::vector<StreettPair>& pairs,
                             const std::vector<bool>& winning, const RandomStrategy& strategy) {
  const auto moves = [&](Vertex v) {
    return arena.random(v) ? arena_successors(arena, v) : strategy.choices[v];
  };
  for (Vertex v = 0; v < arena.vertices(); ++v) {
    if (!winning[v]) continue;
    const std::vector<Vertex> next = moves(v);
    if (next.empty()) return fmt::format("there is no move at {}", v);
    for (const Vertex to : next) {
      if (!arena.has_edge(v, to)) return fmt::format("there is no edge from {} to {}", v, to);
      if (!winning[to]) return fmt::format("the play may go from {} to {}, which is lost", v, to);
    }
  }
  const auto components = components_of(arena.vertices(), winning, moves);
  std::vector<std::size_t> number(arena.vertices(), components.size());
  for (std::size_t c = 0; c < components.size(); ++c)
    for (const Vertex v : components[c]) number[v] = c;
  const PairCheck check(arena, pairs);
  for (std::size_t c = 0; c < components.size(); ++c) {
    const bool closed = std::all_of(components[c].begin(), components[c].end(), [&](Vertex v) {
      const std::vector<Vertex> next = moves(v);
      return std::all_of(next.begin(), next.end(), [&](Vertex to) { return number[to] == c; });
    });
    if (!closed) continue;
    if (const std::size_t pair = check.violated(components[c]))
      return fmt::format("a play can get caught at {}, where pair {} is violated", components[c].front(),
                         pair);
  }
  return "";
}

}  // namespace weir
