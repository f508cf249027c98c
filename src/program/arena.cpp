#include "program/arena.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir {

Arena::Arena(std::size_t vertices, std::vector<Edge> edges)
    : given(vertices), first_(vertices + 1, 0), random_(vertices, false) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  targets_.reserve(edges.size());
  for (const auto& [from, to] : edges) {
    WEIR_CHECK(from < vertices && to < vertices, "edges join vertices");
    ++first_[from + 1];
    targets_.push_back(to);
  }
  for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
}

bool Arena::has_edge(Vertex from, Vertex to) const {
  const auto targets = successors(from);
  return std::binary_search(targets.begin(), targets.end(), to);
}

bool Arena::has_random() const { return std::find(random_.begin(), random_.end(), true) != random_.end(); }

}  // namespace weir
