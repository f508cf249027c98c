// How often locations are passed, from the nesting of loops: the strongly connected components of the control
// flow graph are its outermost loops, and those of a component without its entries are the loops inside. An
// irreducible loop with several entries loses all of them at once, which only makes the estimate smaller.
#include <algorithm>
#include <limits>

#include "engine/robust/fences/fence.hpp"

namespace weir {

namespace {

constexpr double kTimesPerLoop = 10;
constexpr int kDeepest = 12;  // beyond that, one loop more or less does not matter

class LoopNesting {
 public:
  explicit LoopNesting(const Program& program) : program_(program), depth_(program.locations.size()) {
    std::vector<LocationId> all;
    for (std::size_t l = 0; l < program.locations.size(); ++l) all.push_back(LocationId(l));
    nest(all, 0);
  }

  const std::vector<int>& depth() const { return depth_; }

 private:
  // Raises the depth of everything in a cycle within `locations`, and goes on inside the cycles.
  void nest(const std::vector<LocationId>& locations, int level) {
    if (level == kDeepest) return;
    const Components components(program_, locations);
    for (const std::vector<LocationId>& component : components.found()) {
      for (const LocationId at : component) depth_[at.index()] = level + 1;
      std::vector<LocationId> inside = component;
      std::erase_if(inside, [&](LocationId at) { return entered_from_outside(at, component); });
      if (inside.size() < component.size()) nest(inside, level + 1);
    }
  }

  bool entered_from_outside(LocationId at, const std::vector<LocationId>& component) const {
    if (program_.function(program_.location(at).function).entry == at) return true;
    return std::ranges::any_of(program_.edges, [&](const Edge& edge) {
      return edge.target == at && edge.instruction.op != Opcode::kReturn &&
             !std::ranges::binary_search(component, edge.source);
    });
  }

  // Tarjan's strongly connected components of a subgraph, without recursion; only those with a cycle.
  class Components {
   public:
    Components(const Program& program, const std::vector<LocationId>& locations)
        : program_(program), number_(program.locations.size(), kOutside), low_(program.locations.size()) {
      for (const LocationId at : locations) number_[at.index()] = kNew;
      for (const LocationId at : locations)
        if (number_[at.index()] == kNew) visit(at);
    }

    const std::vector<std::vector<LocationId>>& found() const { return found_; }

   private:
    static constexpr int kOutside = -1, kNew = -2, kDone = std::numeric_limits<int>::max();

    struct Frame {
      LocationId at;
      std::size_t next_edge = 0;
    };

    void visit(LocationId start) {
      std::vector<Frame> frames{enter(start)};
      while (!frames.empty()) {
        Frame& frame = frames.back();
        const std::vector<EdgeId>& edges = program_.location(frame.at).edges;
        if (frame.next_edge == edges.size()) {
          const LocationId finished = frame.at;
          frames.pop_back();
          leave(finished);
          if (!frames.empty()) lower(frames.back().at, low_[finished.index()]);
          continue;
        }
        const Edge& edge = program_.edge(edges[frame.next_edge++]);
        const int known = number_[edge.target.index()];
        if (edge.instruction.op == Opcode::kReturn || known == kOutside || known == kDone) continue;
        if (known == kNew) {
          frames.push_back(enter(edge.target));
        } else {
          lower(frame.at, known);
        }
      }
    }

    Frame enter(LocationId at) {
      number_[at.index()] = low_[at.index()] = count_++;
      stack_.push_back(at);
      return {at};
    }

    void lower(LocationId at, int to) { low_[at.index()] = std::min(low_[at.index()], to); }

    void leave(LocationId at) {
      if (low_[at.index()] != number_[at.index()]) return;
      std::vector<LocationId> component;
      do {
        component.push_back(stack_.back());
        number_[stack_.back().index()] = kDone;
        stack_.pop_back();
      } while (component.back() != at);
      if (component.size() > 1 || loops(at)) {
        std::ranges::sort(component);
        found_.push_back(std::move(component));
      }
    }

    bool loops(LocationId at) const {
      return std::ranges::any_of(program_.location(at).edges, [&](EdgeId edge) {
        return program_.edge(edge).target == at && program_.edge(edge).instruction.op != Opcode::kReturn;
      });
    }

    const Program& program_;
    std::vector<int> number_, low_;
    std::vector<LocationId> stack_;
    std::vector<std::vector<LocationId>> found_;
    int count_ = 0;
  };

  const Program& program_;
  std::vector<int> depth_;
};

std::vector<double> costs(const Program& program, const std::function<double(std::size_t)>& of_location) {
  std::vector<double> result;
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    const Location& location = program.locations[l];
    const double copies = program.function(location.function).copies;
    result.push_back(location.edges.empty() ? std::numeric_limits<double>::infinity()
                                            : copies * of_location(l));
  }
  return result;
}

}  // namespace

std::vector<double> unit_costs(const Program& program) {
  return costs(program, [](std::size_t) { return 1.0; });
}

std::vector<double> frequency_costs(const Program& program) {
  const LoopNesting nesting(program);
  return costs(program, [&](std::size_t location) {
    double cost = 1;
    for (int level = 0; level < nesting.depth()[location]; ++level) cost *= kTimesPerLoop;
    return cost;
  });
}

}  // namespace weir
