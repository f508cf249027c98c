// What all searches of the explicit engine share: the table of visited states, the symmetry reduction, the
// check of properties in new states, and the figures.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <map>
#include <set>

#include "engine/explicit/explicit.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/partial_deadlock.hpp"
#include "engine/explicit/symmetry.hpp"
#include "engine/explicit/system.hpp"
#include "engine/loop_watch.hpp"
#include "engine/state_table.hpp"

namespace weir {

// One step taken, with what is needed to tell it: see witness_builder.hpp.
struct StepRecord {
  std::size_t thread = 0;
  ComponentId component;  // before the step
  MemoryId memory;        // before the step
  Step step;
  std::uint32_t outcome = 0;
  bool fails = false;
  Value value = 0;
};

// A violation: it holds in a visited state or, if there are steps in `failing`, these lead from it to a
// failure.
struct Found {
  Violation violation;
  StateTable::Index state = 0;
  std::vector<StepRecord> failing;
};

struct ExplicitStatistics {
  std::uint64_t transitions = 0;
  std::uint64_t terminal = 0;
  std::uint64_t depth = 0;
};

class Exploration {
 public:
  using Index = StateTable::Index;

  Exploration(System& system, Monitor& monitor, const ExplicitOptions& options, Context& context,
              bool symmetry);

  System& system;
  Monitor& monitor;
  const ExplicitOptions& options;
  Context& context;
  Symmetry symmetry;
  StateTable table;
  ExplicitStatistics statistics;
  std::optional<Found> found;         // the first violation
  bool bounded = false;               // a store was left out because of the buffer bound
  std::optional<ThreadLocation> cut;  // a local run was cut here
  // What threads that have not begun were waiting for while others flushed early. That was right if no store
  // to these cells was ever buffered.
  absl::flat_hash_set<std::uint32_t> sleep_guards;
  StepGraph graph;  // noted only if wanted

  // Adds the initial state and checks it.
  Index start();
  // Adds a state reached from `parent` by a step of `thread` and, if it is new, checks its properties.
  StateTable::Inserted reach(GlobalState state, Index parent, std::size_t thread);
  GlobalState state(Index index) const;

  // A new state was added, with the last step by `thread` to `component`.
  void inspect(Index index, std::size_t thread, ComponentId component);
  void fail(Index from, std::size_t thread, ComponentId component, MemoryId memory, const Move& move);
  void fail(Index from, std::vector<StepRecord> steps);  // the last of which fails
  // For each thread the number of its group: of those that the symmetry reduction takes for the same.
  std::vector<std::uint8_t> interchangeable() const;
  // After a search of everything: is a thread stuck somewhere for good?
  void look_for_partial_deadlock();
  // Nothing can happen in this state.
  void terminal(Index index);

  // To be asked now and then: has somebody asked us to stop, or is the question answered?
  bool finished() {
    return context.stopped() || system.memory().grown() || (found && options.record == nullptr);
  }
  void tell_progress(std::uint64_t queue);

  // A search that can be interrupted says all that it knows in `transfer`, between two steps of it. The
  // search goes on from a checkpoint if there is one; asks now and then whether it is time for the next; and
  // if it was stopped, leaves what it knows at the end.
  template <class Search>
  bool resume(Search& search) {
    if (options.checkpoint == nullptr || !options.checkpoint->found()) return false;
    options.checkpoint->load(search);
    return true;
  }
  template <class Search>
  void save_if_due(Search& search) {
    if (options.checkpoint == nullptr) return;
    if (options.checkpoint->due()) options.checkpoint->save(search);
    if (++asked_to_save_ % kAskForMemory == 0) stop_if_memory_ends();
  }
  template <class Search>
  void save_if_stopped(Search& search) {
    if (options.checkpoint != nullptr && context.stopped() && !found && !system.memory().grown())
      options.checkpoint->save(search);
  }
  template <class Archive>
  void transfer(Archive& archive) {
    auto bound = system.options().buffer;
    bool flushes_early = options.flush_early;
    archive.section("round");
    archive(bound, flushes_early);
    archive.section("system");
    archive(system, monitor);
    archive.section("states");
    archive(table, statistics.transitions, statistics.terminal, statistics.depth);
    archive(bounded, sleep_guards, graph);
    bool was_cut = cut.has_value();
    archive(was_cut);
    if (!cut && was_cut) cut.emplace();
    if (cut) archive(cut->thread, cut->location);
  }

 private:
  void report(Violation violation, Index index, std::vector<StepRecord> failing = {});
  void note_cut(const GlobalState& state);
  void record_memory(MemoryId memory);
  void record_end(const GlobalState& end);
  std::vector<std::pair<Value, Value>> nonzero_cells(MemoryId memory) const;
  void add_cell(MemoryId memory, CellId cell, std::map<Value, Value>& cells) const;
  void make_room(const GlobalState& state);
  void stop_if_memory_ends();

  static constexpr std::uint64_t kAskForMemory = 16;
  std::uint64_t asked_to_save_ = 0;
  std::vector<std::uint64_t> packed_;
  LoopWatch loops_;
};

}  // namespace weir
