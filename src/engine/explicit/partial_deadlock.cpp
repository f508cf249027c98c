#include "engine/explicit/partial_deadlock.hpp"

#include "engine/explicit/exploration.hpp"

namespace weir {

// The graph with its edges turned round.
class StepGraph::Backwards {
 public:
  Backwards(const std::vector<Step>& steps, std::size_t states) : first_(states + 1), sources_(steps.size()) {
    for (const Step& step : steps) ++first_[step.to + 1];
    for (std::size_t s = 0; s < states; ++s) first_[s + 1] += first_[s];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Step& step : steps) sources_[next[step.to]++] = step.from;
  }

  template <class Visit>
  void for_each_source(Index state, Visit&& visit) const {
    for (std::size_t i = first_[state]; i < first_[state + 1]; ++i) visit(sources_[i]);
  }

  // Marks all from which a state of `open` can be reached.
  void mark(std::vector<Index> open, std::vector<bool>& marked) const {
    for (const Index state : open) marked[state] = true;
    while (!open.empty()) {
      const Index state = open.back();
      open.pop_back();
      for_each_source(state, [&](Index source) {
        if (marked[source]) return;
        marked[source] = true;
        open.push_back(source);
      });
    }
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Index> sources_;
};

namespace {

using Index = StateTable::Index;

std::vector<Index> unmarked(const std::vector<bool>& marked) {
  std::vector<Index> found;
  for (std::size_t s = 0; s < marked.size(); ++s)
    if (!marked[s]) found.push_back(static_cast<Index>(s));
  return found;
}

}  // namespace

std::optional<std::pair<StepGraph::Index, Violation>> StepGraph::partial_deadlock(Exploration& x) const {
  const std::size_t count = x.table.size();
  const Backwards backwards(steps_, count);
  std::vector<bool> goes_on(count), ends(count);
  for (const Step& step : steps_) goes_on[step.from] = true;
  backwards.mark(unmarked(goes_on), ends);
  std::vector<Index> halting;
  for (const Index state : unmarked(ends))
    if (const GlobalState global = x.state(state); x.monitor.can_halt(global) || x.monitor.held_back(global))
      halting.push_back(state);
  backwards.mark(std::move(halting), ends);

  // Which groups move from a state on.
  const std::vector<Index> endless = unmarked(ends);
  if (endless.empty()) return std::nullopt;
  std::vector<std::uint64_t> movers(count);
  for (const Step& step : steps_)
    if (!ends[step.from]) movers[step.from] |= std::uint64_t{1} << step.group;
  for (std::vector<Index> open = endless; !open.empty();) {
    const Index state = open.back();
    open.pop_back();
    backwards.for_each_source(state, [&](Index source) {
      if (ends[source] || (movers[state] & ~movers[source]) == 0) return;
      movers[source] |= movers[state];
      open.push_back(source);
    });
  }
  for (const Index state : endless)
    if (auto stuck = x.monitor.stuck(x.state(state), group_, movers[state]))
      return std::pair{state, std::move(*stuck)};
  return std::nullopt;
}

bool has_loop(const Program& program) {
  // Colours of a depth-first search over locations; a call may come back to its function.
  for (const Edge& edge : program.edges)
    if (edge.instruction.op == Opcode::kCall) return true;
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> colour(program.locations.size(), kNew);
  struct Frame {
    LocationId location;
    std::size_t next = 0;
  };
  for (std::size_t start = 0; start < colour.size(); ++start) {
    if (colour[start] != kNew) continue;
    std::vector<Frame> stack{{LocationId(start)}};
    colour[start] = kOpen;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const std::vector<EdgeId>& edges = program.location(frame.location).edges;
      if (frame.next == edges.size()) {
        colour[frame.location.index()] = kDone;
        stack.pop_back();
        continue;
      }
      const Edge& edge = program.edge(edges[frame.next++]);
      if (edge.instruction.op == Opcode::kReturn) continue;  // its target means nothing
      if (colour[edge.target.index()] == kOpen) return true;
      if (colour[edge.target.index()] != kNew) continue;
      colour[edge.target.index()] = kOpen;
      stack.push_back({edge.target});
    }
  }
  return false;
}

}  // namespace weir
