// Each delayed store is tried by itself: its flush moves to right behind the store, with those that have to come before
// it, and the execution is replayed. Where that still ends in the same violation, the delay was no cause of it. What is
// left is minimal for these steps in this order; another execution may do with less. One replay for each delay. Of these,
// the ones are told that turn round an edge of the cycle that sequential consistency forbids, if there is one: the others
// are delayed because of them.
#include "report/execution/reorderings.hpp"

#include <algorithm>
#include <optional>

#include "check/reference/access.hpp"
#include "check/replay.hpp"
#include "program/ordering.hpp"
#include "report/execution/cycle.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostReplays = 64, kMostStepsWithCycle = 5'000;
constexpr std::size_t kMostReplayedSteps = 500'000;  // over all replays

class Search {
 public:
  Search(const Program& program, const Witness& witness)
      : program_(program), witness_(witness), buffering_(find_buffering(program, witness)) {}

  std::vector<Reordering> run() {
    std::vector<Reordering> found;
    const std::size_t length = std::max<std::size_t>(witness_.steps.size(), 1);
    std::size_t left = std::min(kMostReplays, kMostReplayedSteps / length);
    for (std::size_t i = 0; i < witness_.steps.size() && left > 0; ++i) {
      if (!buffering_.buffered[i] || program_.edge(step(i).edge).instruction.op != Opcode::kStore) continue;
      const auto overtaker = overtaker_of(i);
      if (!overtaker) continue;
      --left;
      if (!happens_without_delay(i)) found.push_back({i, *overtaker});
    }
    return those_in_cycle(std::move(found));
  }

 private:
  std::vector<Reordering> those_in_cycle(std::vector<Reordering> needed) const {
    if (needed.empty() || witness_.steps.size() > kMostStepsWithCycle) return needed;
    const HappensBefore relation = happens_before(program_, witness_);
    std::vector<Reordering> found;
    for (const HappensBeforeEdge& edge : told_cycle(relation)) {
      const Reordering each{relation.events[edge.from].step, relation.events[edge.to].step};
      if (is_overtaken(relation, edge) &&
          std::ranges::find(needed, each.store, &Reordering::store) != needed.end())
        found.push_back(each);
    }
    return found.empty() ? needed : found;
  }

  const WitnessStep& step(std::size_t i) const { return witness_.steps[i]; }

  std::size_t flush_of(std::size_t store) const {
    const std::size_t flush = buffering_.partner[store];
    return flush == kNoStep ? witness_.steps.size() : flush;
  }

  // The last one that overtakes it: loads are what is told if there are both.
  std::optional<std::size_t> overtaker_of(std::size_t store) const {
    std::optional<std::size_t> load, other;
    const std::size_t flush = flush_of(store);
    for (std::size_t i = store + 1; i < flush; ++i) {
      if (step(i).thread != step(store).thread || step(i).kind == WitnessStep::Kind::kFlush) continue;
      if (step(i).address == step(store).address) continue;
      if (is_shared_load(i)) load = i;
      if (buffering_.buffered[i] && flush_of(i) < flush) other = i;
    }
    return load ? load : other;
  }

  bool is_shared_load(std::size_t i) const {
    return program_.edge(step(i).edge).instruction.op == Opcode::kLoad &&
           region_of(program_, step(i).address) == Region::kShared;
  }

  // Stores to other cells have to go first if there is a barrier between.
  bool happens_without_delay(std::size_t store) const {
    return replay(program_, without_delay(store, true)).reproduced ||
           (reorders_stores(witness_.model) && replay(program_, without_delay(store, false)).reproduced);
  }

  Witness without_delay(std::size_t store, bool with_earlier_ones) const {
    Witness changed{witness_.model, {}, witness_.violation};
    std::vector<bool> moved(witness_.steps.size() + 1);
    std::vector<WitnessStep> early;
    for (std::size_t i = 0; i <= store; ++i) {
      if (!buffering_.buffered[i] || step(i).thread != step(store).thread || flush_of(i) < store) continue;
      if (!with_earlier_ones && step(i).address != step(store).address) continue;
      early.push_back(flush_step(i));
      moved[flush_of(i)] = flush_of(i) < witness_.steps.size();
    }
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) {
      if (!moved[i]) changed.steps.push_back(step(i));
      if (i == store) changed.steps.insert(changed.steps.end(), early.begin(), early.end());
    }
    return changed;
  }

  WitnessStep flush_step(std::size_t store) const {
    if (flush_of(store) < witness_.steps.size()) return step(flush_of(store));
    WitnessStep flush{
        .thread = step(store).thread, .kind = WitnessStep::Kind::kFlush, .edge = step(store).edge};
    flush.address = *buffered_cell(program_, step(store), witness_.model, buffering_.in_atomic[store]);
    flush.value = step(store).value;
    return flush;
  }

  const Program& program_;
  const Witness& witness_;
  const Buffering buffering_;
};

}  // namespace

std::vector<Reordering> needed_reorderings(const Program& program, const Witness& witness) {
  if (!buffers_stores(witness.model) || witness.starvation) return {};
  return Search(program, witness).run();
}

}  // namespace weir
