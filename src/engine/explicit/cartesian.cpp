// Cartesian partial order reduction [Calin16, Section 4.3.2; Gueta07].
//
// From a state s each thread runs by itself, and the runs are made as long as the following holds for each
// two of them: a step of one and a step of the other may conflict only if both are the last of their runs.
// Then the search continues from the ends of the runs, one successor state per thread; the states inside are
// not stored.
//
// Why this is enough. Take an execution from s, and let t be the first thread that completes its run in it.
// What the other threads have done by then are steps before the last of their runs, which conflict with
// nothing in t's run, so t's run can be moved to the front. An execution in which no thread completes its run
// ends inside them, where nothing bad can be missed because steps that can fail, or that the properties see,
// end a run.
//
// A run also ends where the thread has a choice (several steps offered), where it would wait, after
// kLongestRun steps, and when it comes back to a state it has been in. A thread with a choice in s itself has
// one run of one step for each alternative, all of them last steps. A thread that waits has no run, but what
// it waits for counts as its last step, so that nobody else runs past it.
#include <algorithm>

#include "base/fault.hpp"
#include "engine/explicit/accesses.hpp"
#include "engine/explicit/searches.hpp"

namespace weir {

namespace {

constexpr std::size_t kLongestRun = 256;

// The run of one thread by itself.
struct Lane {
  std::vector<StepRecord> steps;        // in order; only the first if the thread has a choice in s
  std::vector<AccessSetId> accesses;    // of each step; of all alternatives if there is a choice
  std::vector<ComponentId> components;  // after each step
  std::vector<MemoryId> memories;       // after each step
  std::vector<ThreadRun> alternatives;  // if there is a choice in s, instead of `steps`
  std::size_t length = 0;               // how much of it is used

  bool idle() const { return accesses.empty(); }
};

class CartesianVector {
 public:
  CartesianVector(System& system, Monitor& monitor, Accesses& accesses, const GlobalState& state)
      : system_(system),
        monitor_(monitor),
        accesses_(accesses),
        state_(state),
        lanes_(state.components.size()) {
    for (std::size_t t = 0; t < lanes_.size(); ++t) fill(t);
    for (Lane& lane : lanes_) lane.length = lane.idle() ? 0 : 1;
    while (extend_one()) {
    }
  }

  // Did a thread leave out a store because of the buffer bound?
  bool bounded() const { return bounded_; }

  std::vector<ThreadRun> runs() const {
    std::vector<ThreadRun> result;
    for (std::size_t t = 0; t < lanes_.size(); ++t) {
      const Lane& lane = lanes_[t];
      result.insert(result.end(), lane.alternatives.begin(), lane.alternatives.end());
      if (lane.steps.empty()) continue;
      ThreadRun run;
      run.steps.assign(lane.steps.begin(), lane.steps.begin() + static_cast<std::ptrdiff_t>(lane.length));
      run.after = state_;
      run.after.components[t] = lane.components[lane.length - 1];
      run.after.memory = lane.memories[lane.length - 1];
      result.push_back(std::move(run));
    }
    return result;
  }

 private:
  // Runs thread t alone from s as far as it goes.
  void fill(std::size_t t) {
    Lane& lane = lanes_[t];
    ComponentId component = state_.components[t];
    MemoryId memory = state_.memory;
    std::vector<std::pair<ComponentId, MemoryId>> visited{{component, memory}};
    while (lane.accesses.size() < kLongestRun) {
      const std::vector<ThreadRun> next = steps_from(t, component, memory);
      const bool offers = !system_.view(t).steps(component).empty();
      const bool single = next.size() == 1 && system_.view(t).steps(component).size() == 1;
      if (lane.accesses.empty()) {
        if (offers) lane.accesses.push_back(accesses_.offered(t, component, memory));
        if (!single) {
          lane.alternatives = next;
          return;
        }
      } else {
        if (!single) return;
        lane.accesses.push_back(accesses_.offered(t, component, memory));
      }
      const StepRecord& step = next[0].steps[0];
      const ComponentId after = next[0].after.components[t];
      lane.steps.push_back(step);
      lane.components.push_back(after);
      lane.memories.push_back(next[0].after.memory);
      if (step.fails || visible(t, component, memory, after, next[0].after.memory)) return;
      component = after;
      memory = next[0].after.memory;
      if (std::ranges::find(visited, std::pair{component, memory}) != visited.end()) return;
      visited.emplace_back(component, memory);
    }
  }

  bool visible(std::size_t t, ComponentId before, MemoryId memory, ComponentId after, MemoryId memory_after) {
    return monitor_.visible(t, before, after) ||
           (memory != memory_after && !system_.program().properties.invariants.empty());
  }

  std::vector<ThreadRun> steps_from(std::size_t t, ComponentId component, MemoryId memory) {
    std::vector<ThreadRun> result;
    const auto offered = system_.view(t).steps(component);
    const std::vector<Step> steps(offered.begin(), offered.end());
    bounded_ |= system_.view(t).bounded(component);
    for (const Step& step : steps)
      system_.execute(t, component, memory, step, [&](const Move& move) {
        ThreadRun run;
        run.steps.push_back({t, component, memory, step, move.outcome, move.fails, move.value});
        run.after = state_;
        run.after.components[t] = move.component;
        run.after.memory = move.memory;
        result.push_back(std::move(run));
      });
    return result;
  }

  // Makes the run of some thread longer by one step if the vector stays cartesian.
  bool extend_one() {
    for (std::size_t t = 0; t < lanes_.size(); ++t) {
      Lane& lane = lanes_[t];
      if (lane.length == 0 || lane.length == lane.accesses.size()) continue;
      if (!lane.alternatives.empty() || lane.steps[lane.length - 1].fails) continue;
      if (can_extend(t)) {
        ++lane.length;
        return true;
      }
    }
    return false;
  }

  // The step that is the last now must not conflict with anything in the other runs; the new last one must
  // not conflict with what is not last in them.
  bool can_extend(std::size_t t) {
    const AccessSetId last = lanes_[t].accesses[lanes_[t].length - 1];
    const AccessSetId next = lanes_[t].accesses[lanes_[t].length];
    for (std::size_t u = 0; u < lanes_.size(); ++u) {
      if (u == t) continue;
      const Lane& other = lanes_[u];
      for (std::size_t i = 0; i < other.length; ++i) {
        if (accesses_.conflict(last, other.accesses[i])) return false;
        if (fault("long-runs")) continue;
        if (i + 1 < other.length && accesses_.conflict(next, other.accesses[i])) return false;
      }
    }
    return true;
  }

  System& system_;
  Monitor& monitor_;
  Accesses& accesses_;
  const GlobalState& state_;
  std::vector<Lane> lanes_;
  bool bounded_ = false;
};

}  // namespace

std::vector<ThreadRun> cartesian_runs(System& system, Monitor& monitor, const GlobalState& state) {
  Accesses accesses(system, monitor);
  return CartesianVector(system, monitor, accesses, state).runs();
}

void cartesian_search(Exploration& x) {
  Accesses accesses(x.system, x.monitor);
  std::vector<StateTable::Index> open{x.start()};
  const bool breadth_first = x.options.search == Search::kBreadthFirst;
  for (std::size_t next = 0; next < open.size() && !x.finished();) {
    const StateTable::Index index = breadth_first ? open[next++] : open.back();
    if (!breadth_first) open.pop_back();
    const GlobalState state = x.state(index);
    const CartesianVector vector(x.system, x.monitor, accesses, state);
    const std::vector<ThreadRun> runs = vector.runs();
    x.bounded |= vector.bounded();
    if (runs.empty()) x.terminal(index);
    for (const ThreadRun& run : runs) {
      x.statistics.transitions += run.steps.size();
      const StepRecord& last = run.steps.back();
      if (last.fails) {
        x.fail(index, run.steps);
        continue;
      }
      const auto [reached, added] = x.reach(run.after, index, last.thread);
      if (added) open.push_back(reached);
    }
    if ((index & 0xFF) == 0) x.tell_progress(open.size() - next);
  }
}

}  // namespace weir
