// How often locations are passed, estimated from control flow: what the costs of fences are where executions
// cannot be measured (measured_cost.hpp). A loop is repeated ten times, a branch is taken as often as the
// other, a function is entered as often as all of its calls together, and one that calls itself ten times as
// often as from outside.
//
// Loops are the strongly connected components of the control flow graph, and inside, those of a component
// without its entries. An irreducible loop with several entries loses all of them at once, which only makes
// the estimate smaller. Within a function, the times are those of a random walk: from a place in a loop, one
// step in ten goes to the ways out of the innermost loop, if there are some there; in a loop without a way out
// anywhere, one in ten of those that return to its entry is lost. Linear equations, solved by iteration.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/robust/fences/fence.hpp"

namespace weir {

namespace {

constexpr double kTimesPerLoop = 10;
constexpr double kLeaving = 1 / kTimesPerLoop;  // of a loop, or of a recursion
constexpr double kMostTimes = 1e12;
constexpr int kMostSweeps = 1'000;
constexpr double kNever = 1e-3;  // times that what is never entered is passed: costs are positive
constexpr int kDeepest = 12;     // beyond that, one loop more or less does not matter

class LoopNesting {
 public:
  static constexpr std::size_t kNoLoop = static_cast<std::size_t>(-1);

  struct Loop {
    std::size_t around = kNoLoop;  // the loop that it is in
    bool has_way_out = false;
  };

  explicit LoopNesting(const Program& program)
      : program_(program),
        innermost_(program.locations.size(), kNoLoop),
        entry_of_(program.locations.size(), kNoLoop) {
    std::vector<LocationId> all;
    for (std::size_t l = 0; l < program.locations.size(); ++l) all.push_back(LocationId(l));
    nest(all, 0, kNoLoop);
    for (const Edge& edge : program.edges)
      if (leads_on(edge))
        for (std::size_t loop = innermost(edge.source); loop != kNoLoop; loop = loops_[loop].around)
          loops_[loop].has_way_out |= !inside(edge.target, loop);
  }

  // Does control go on to the edge's target?
  static bool leads_on(const Edge& edge) {
    return edge.instruction.op != Opcode::kReturn && edge.instruction.op != Opcode::kStop &&
           edge.instruction.op != Opcode::kHalt;
  }

  const Loop& loop(std::size_t number) const { return loops_[number]; }
  std::size_t innermost(LocationId at) const { return innermost_[at.index()]; }

  bool inside(LocationId at, std::size_t loop) const {
    std::size_t found = innermost(at);
    while (found != kNoLoop && found != loop) found = loops_[found].around;
    return found == loop;
  }

  // Is the target an entry of a loop that the edge is in, and that nobody leaves?
  bool repeats_for_ever(const Edge& edge) const {
    for (std::size_t loop = innermost(edge.target); loop != kNoLoop; loop = loops_[loop].around)
      if (!loops_[loop].has_way_out && inside(edge.source, loop) && entry_of_[edge.target.index()] == loop)
        return true;
    return false;
  }

 private:
  // Every cycle within `locations` is a loop; goes on inside the cycles.
  void nest(const std::vector<LocationId>& locations, int level, std::size_t around) {
    if (level == kDeepest) return;
    const Components components(program_, locations);
    for (const std::vector<LocationId>& component : components.found()) {
      const std::size_t loop = loops_.size();
      loops_.push_back({.around = around});
      for (const LocationId at : component) innermost_[at.index()] = loop;
      std::vector<LocationId> rest = component;
      std::erase_if(rest, [&](LocationId at) {
        const bool entered = entered_from_outside(at, component);
        if (entered) entry_of_[at.index()] = loop;
        return entered;
      });
      if (rest.size() < component.size()) nest(rest, level + 1, loop);
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
  std::vector<Loop> loops_;
  std::vector<std::size_t> innermost_;  // per location
  std::vector<std::size_t> entry_of_;   // per location: the loop that is entered there
};

// Times that locations are passed when their function is entered once.
class TimesPerEntry {
 public:
  explicit TimesPerEntry(const Program& program) : program_(program), nesting_(program) {
    into_.resize(program.locations.size());
    for (std::size_t e = 0; e < program.edges.size(); ++e)
      if (LoopNesting::leads_on(program.edges[e])) {
        const double chance = chance_of(EdgeId(e));
        into_[program.edges[e].target.index()].emplace_back(program.edges[e].source.index(), chance);
      }
    solve();
  }

  double at(std::size_t location) const { return times_[location]; }

 private:
  double chance_of(EdgeId id) const {
    const Edge& edge = program_.edge(id);
    const std::size_t loop = nesting_.innermost(edge.source);
    const auto leaves = [&](const Edge& e) {
      return loop != LoopNesting::kNoLoop && (!LoopNesting::leads_on(e) || !nesting_.inside(e.target, loop));
    };
    const std::vector<EdgeId>& all = program_.location(edge.source).edges;
    const auto leaving = static_cast<double>(
        std::ranges::count_if(all, [&](EdgeId other) { return leaves(program_.edge(other)); }));
    const double staying = static_cast<double>(all.size()) - leaving;
    double chance = 1 / static_cast<double>(all.size());
    if (leaving > 0 && staying > 0) chance = leaves(edge) ? kLeaving / leaving : (1 - kLeaving) / staying;
    return nesting_.repeats_for_ever(edge) ? chance * (1 - kLeaving) : chance;
  }

  void solve() {
    times_.resize(program_.locations.size());
    std::vector<bool> entry(times_.size());
    for (const Function& function : program_.functions) entry[function.entry.index()] = true;
    bool changed = true;
    for (int sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
      changed = false;
      for (std::size_t l = 0; l < times_.size(); ++l) {
        double sum = entry[l] ? 1 : 0;
        for (const auto& [source, chance] : into_[l]) sum += times_[source] * chance;
        sum = std::min(sum, kMostTimes);
        changed |= std::abs(sum - times_[l]) > 1e-7 * sum;
        times_[l] = sum;
      }
    }
  }

  const Program& program_;
  const LoopNesting nesting_;
  std::vector<std::vector<std::pair<std::size_t, double>>> into_;  // per location: from where, by what chance
  std::vector<double> times_;
};

// How often functions are entered, by threads and by calls.
class Entries {
 public:
  Entries(const Program& program, const TimesPerEntry& times)
      : times_(times), calls_(program.functions.size()), entered_(program.functions.size()) {
    for (const Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kCall)
        calls_[program.location(edge.source).function.index()].push_back(
            {edge.instruction.callee.index(), edge.source.index()});
    for (const Thread& thread : program.threads) entered_[thread.function.index()] += 1;
    reaches_.resize(entered_.size(), std::vector<bool>(entered_.size()));
    for (std::size_t f = 0; f < entered_.size(); ++f) mark_reached(f, f);
    std::vector<bool> done(entered_.size());
    for (std::size_t i = 0; i < done.size(); ++i)
      if (const auto next = next_group(done)) enter(*next, done);
  }

  double of(FunctionId function) const { return entered_[function.index()]; }

 private:
  struct Call {
    std::size_t callee, location;
  };

  void mark_reached(std::size_t from, std::size_t at) {
    for (const Call& call : calls_[at]) {
      if (reaches_[from][call.callee]) continue;
      reaches_[from][call.callee] = true;
      mark_reached(from, call.callee);
    }
  }

  bool together(std::size_t a, std::size_t b) const { return a == b || (reaches_[a][b] && reaches_[b][a]); }

  // A function all of whose callers are done, but for those that it calls itself.
  std::optional<std::size_t> next_group(const std::vector<bool>& done) const {
    for (std::size_t f = 0; f < done.size(); ++f) {
      bool ready = !done[f];
      for (std::size_t g = 0; g < done.size() && ready; ++g)
        ready = done[g] || together(f, g) || !reaches_[g][f];
      if (ready) return f;
    }
    return std::nullopt;
  }

  // Functions that call each other are entered ten times as often as all of them from outside.
  void enter(std::size_t first, std::vector<bool>& done) {
    std::vector<std::size_t> group;
    double sum = 0;
    for (std::size_t f = 0; f < done.size(); ++f)
      if (together(first, f)) {
        group.push_back(f);
        sum += entered_[f];
      }
    for (const std::size_t f : group) {
      if (reaches_[f][f]) entered_[f] = std::min(sum * kTimesPerLoop, kMostTimes);
      done[f] = true;
    }
    for (const std::size_t f : group)
      for (const Call& call : calls_[f])
        if (!together(f, call.callee))
          entered_[call.callee] =
              std::min(entered_[call.callee] + entered_[f] * times_.at(call.location), kMostTimes);
  }

  const TimesPerEntry& times_;
  std::vector<std::vector<Call>> calls_;  // per function, those in it
  std::vector<double> entered_;
  std::vector<std::vector<bool>> reaches_;  // by one call or more
};

// What a fence cannot be put before costs infinitely much.
std::vector<double> costs(const Program& program, const std::function<double(std::size_t)>& of_location) {
  std::vector<double> result;
  for (std::size_t l = 0; l < program.locations.size(); ++l)
    result.push_back(program.locations[l].edges.empty() ? std::numeric_limits<double>::infinity()
                                                        : of_location(l));
  return result;
}

}  // namespace

std::vector<double> unit_costs(const Program& program) {
  return costs(program, [&](std::size_t l) -> double {
    return program.function(program.locations[l].function).copies;
  });
}

std::vector<double> estimated_costs(const Program& program) {
  const TimesPerEntry times(program);
  const Entries entries(program, times);
  return costs(program, [&](std::size_t l) {
    const double passed = entries.of(program.locations[l].function) * times.at(l);
    return std::clamp(passed, kNever, kMostTimes);
  });
}

std::vector<double> measured_costs(const Program& program, const Measurement& measured) {
  return costs(program, [&](std::size_t l) { return measured.times[l]; });
}

}  // namespace weir
