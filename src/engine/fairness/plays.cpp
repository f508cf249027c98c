#include "engine/fairness/plays.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace weir::fairness {

namespace {

constexpr Vertex kNone = std::numeric_limits<Vertex>::max();

// The number of the good component of each vertex; kNone elsewhere.
std::vector<Vertex> component_numbers(const Arena& arena, const StreettResult& result) {
  std::vector<Vertex> numbers(arena.vertices(), kNone);
  for (Vertex c = 0; c < result.components.size(); ++c)
    for (const Vertex v : result.components[c]) numbers[v] = c;
  return numbers;
}

// The vertices after `start` on a shortest path of at least one edge to a goal, through allowed vertices.
template <class Allowed, class Goal>
std::vector<Vertex> shortest_path(const Arena& arena, Vertex start, Allowed allowed, Goal goal) {
  std::vector<Vertex> parent(arena.vertices(), kNone), queue{start};
  const auto path_to = [&](Vertex last, Vertex before) {
    std::vector<Vertex> path{last};
    for (Vertex v = before; v != start; v = parent[v]) path.push_back(v);
    std::reverse(path.begin(), path.end());
    return path;
  };
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Vertex next : arena.successors(queue[i])) {
      if (!allowed(next)) continue;
      if (goal(next)) return path_to(next, queue[i]);
      if (next == start || parent[next] != kNone) continue;
      parent[next] = queue[i];
      queue.push_back(next);
    }
  throw InternalError("a winning vertex without a way");
}

bool meets(const std::vector<Vertex>& sorted, const std::vector<Vertex>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](Vertex v) { return std::binary_search(sorted.begin(), sorted.end(), v); });
}

// The loop through `anchor`, which is last in what is returned.
std::vector<Vertex> loop_through(const Arena& arena, const std::vector<StreettPair>& pairs,
                                 const std::vector<Vertex>& component, Vertex anchor) {
  const auto inside = [&](Vertex v) { return std::binary_search(component.begin(), component.end(), v); };
  std::vector<Vertex> loop;
  Vertex at = anchor;
  const auto walk = [&](auto goal) {
    const std::vector<Vertex> path = shortest_path(arena, at, inside, goal);
    loop.insert(loop.end(), path.begin(), path.end());
    at = path.back();
  };
  for (const StreettPair& pair : pairs) {
    const auto grants = [&](Vertex v) {
      return std::binary_search(pair.grants.begin(), pair.grants.end(), v);
    };
    if (!meets(component, pair.requests) || grants(anchor) || std::any_of(loop.begin(), loop.end(), grants))
      continue;
    walk(grants);
  }
  if (at != anchor || loop.empty()) walk([&](Vertex v) { return v == anchor; });
  return loop;
}

}  // namespace

Lasso find_lasso(const Arena& arena, const std::vector<StreettPair>& pairs, const StreettResult& result,
                 Vertex start) {
  const std::vector<Vertex> number = component_numbers(arena, result);
  Lasso lasso;
  Vertex anchor = start;
  if (number[start] == kNone) {
    const std::vector<Vertex> way = shortest_path(
        arena, start, [](Vertex) { return true; }, [&](Vertex v) { return number[v] != kNone; });
    anchor = way.back();
    lasso.stem.push_back(start);
    lasso.stem.insert(lasso.stem.end(), way.begin(), way.end() - 1);
  }
  lasso.loop = loop_through(arena, pairs, result.components[number[anchor]], anchor);
  std::rotate(lasso.loop.begin(), lasso.loop.end() - 1, lasso.loop.end());
  return lasso;
}

RandomStrategy find_strategy(const Arena& arena, const StreettResult& result) {
  const std::vector<Vertex> number = component_numbers(arena, result);
  RandomStrategy strategy{std::vector<std::vector<Vertex>>(arena.vertices())};
  std::vector<std::vector<Vertex>> before(arena.vertices());
  for (Vertex v = 0; v < arena.vertices(); ++v)
    if (result.winning[v] && number[v] == kNone)
      for (const Vertex next : arena.successors(v))
        if (result.winning[next]) before[next].push_back(v);
  std::vector<Vertex> queue;
  std::vector<bool> seen(arena.vertices(), false);
  for (const std::vector<Vertex>& component : result.components)
    for (const Vertex v : component) {
      seen[v] = true;
      queue.push_back(v);
      if (arena.random(v)) continue;
      for (const Vertex next : arena.successors(v))
        if (number[next] == number[v]) strategy.choices[v].push_back(next);
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Vertex v : before[queue[i]]) {
      if (seen[v]) continue;
      seen[v] = true;
      queue.push_back(v);
      if (!arena.random(v)) strategy.choices[v] = {queue[i]};
    }
  return strategy;
}

}  // namespace weir::fairness
