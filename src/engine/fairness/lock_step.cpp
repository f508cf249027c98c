// Lock-step search, Algorithm 6.1 of [Toman21]. As there, except that a search keeps its frontier apart: the
// steps are the same, and each costs what is new.
#include <algorithm>

#include "base/error.hpp"
#include "engine/fairness/components.hpp"

namespace weir::fairness {

void Candidate::take_out(const VertexSet& gone) {
  set -= gone;
  heads &= set;
  tails &= set;
}

void Candidate::shatter() {
  shattered = true;
  heads = tails = VertexSet();
}

namespace {

struct Search {
  VertexSet start;
  VertexSet found, frontier;
};

std::vector<Search> searches_from(SymbolicGraph& graph, const VertexSet& starts) {
  std::vector<Search> searches;
  for (const Vertex v : graph.elements(starts)) {
    const VertexSet start = graph.single(v);
    searches.push_back({start, start, start});
  }
  return searches;
}

// One step of every search in one direction. The set of the first that is complete, or nothing.
template <class Step>
VertexSet advance(std::vector<Search>& searches, VertexSet& starts, const VertexSet& within, Step step) {
  for (Search& search : searches) {
    search.frontier = step(search.frontier, within - search.found);
    const VertexSet found = search.found | search.frontier;
    // It met another start: either both are in one component, and one search is enough, or this one is in
    // none that we look for.
    if (!((found & starts) - search.start).empty()) {
      starts -= search.start;
      search.start = VertexSet();
      continue;
    }
    if (search.frontier.empty()) return found;
    search.found = found;
  }
  std::erase_if(searches, [](const Search& search) { return search.start.empty(); });
  return {};
}

}  // namespace

VertexSet lock_step_search(SymbolicGraph& graph, Candidate& candidate, std::uint64_t most_steps) {
  std::vector<Search> backward = searches_from(graph, candidate.heads);
  std::vector<Search> forward = searches_from(graph, candidate.tails);
  const std::uint64_t before = graph.steps();
  while (graph.steps() - before + backward.size() + forward.size() <= most_steps) {
    WEIR_CHECK(!backward.empty() || !forward.empty(), "one search is never given up");
    VertexSet found = advance(backward, candidate.heads, candidate.set,
                              [&](const auto& from, const auto& to) { return graph.pre(from, to); });
    if (!found.empty()) return found;
    found = advance(forward, candidate.tails, candidate.set,
                    [&](const auto& from, const auto& to) { return graph.post(from, to); });
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace weir::fairness
