// From the steps of an attack to the computation it stands for, in the form of [Bouajjani13, Figure 4]: the
// helpers flush each store at once, the attacker flushes its delayed stores at the end, in order.
#include "base/error.hpp"
#include "engine/access_step.hpp"
#include "engine/robust/attack_search.hpp"
#include "program/address.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

class AttackWitness {
 public:
  AttackWitness(AttackSystem& system, bool triangular)
      : system_(system), triangular_(triangular), started_(system.thread_count()) {
    witness_.model = triangular ? Model::kSc : Model::kTso;
  }

  void append(const AttackStep& step) {
    start(step.move.thread);
    const StateId after = append_action(step);
    if (step.move.kind != AttackMove::Kind::kAttackLoad) append_fences(step.move.thread, after, step.after);
  }

  Witness finish() {
    for (const WitnessStep& flush : delayed_) witness_.steps.push_back(flush);
    return std::move(witness_);
  }

 private:
  ThreadAutomaton& automaton(std::size_t thread) { return system_.automaton(thread); }

  void append_path(std::size_t thread, const std::vector<PathStep>& path) {
    for (const PathStep& step : path)
      witness_.steps.push_back({.thread = ThreadId(thread),
                                .edge = step.edge,
                                .address = step.address,
                                .value = step.value,
                                .written = step.written,
                                .stored = step.stored});
  }

  // The local run before a thread's initial state, and fences, which a thread passes with an empty buffer.
  void start(std::size_t thread) {
    if (started_[thread]) return;
    started_[thread] = true;
    append_path(thread, automaton(thread).initial_path());
    const StateId initial = automaton(thread).initial();
    append_fences(thread, initial, system_.past_fences(thread, initial));
  }

  void append_fences(std::size_t thread, StateId from, StateId to) {
    while (from != to) {
      WEIR_CHECK(system_.waits_at_fence(thread, from), "only fences are passed over");
      append_path(thread, automaton(thread).path(from, 0));
      from = automaton(thread).successor(from, 0);
    }
  }

  // Returns the thread's local state after the action.
  StateId append_action(const AttackStep& step) {
    const auto [thread, local, index, returned, kind] = step.move;
    const Action action = automaton(thread).actions(local)[index];
    const bool in_block = block_open_;
    if (action.kind == ActionKind::kAtomicBegin) block_open_ = true;
    if (action.kind == ActionKind::kAtomicEnd) block_open_ = false;
    std::vector<PathStep> path = automaton(thread).path(local, index, returned);
    if (kind == AttackMove::Kind::kAttackLoad) path.resize(1);
    append_path(thread, {path[0]});
    WitnessStep& own = witness_.steps.back();
    describe_access(action, returned, system_.memory(), step.memory, own);
    const bool buffered = !in_block && !writes_at_once(witness_.model, action.order);
    if (action.kind == ActionKind::kStore && buffered) append_flush(own, kind);
    if (action.kind == ActionKind::kFree && buffered) {
      WitnessStep status = own;
      status.address = status_address(action.address);
      status.value = 1;
      append_flush(status, kind);
    }
    path.erase(path.begin());
    append_path(thread, path);
    return automaton(thread).successor(local, index, returned);
  }

  void append_flush(WitnessStep store, AttackMove::Kind kind) {
    store.kind = WitnessStep::Kind::kFlush;
    const bool delayed = kind == AttackMove::Kind::kFirstStore || kind == AttackMove::Kind::kDelayedStore;
    (delayed ? delayed_ : witness_.steps).push_back(store);
  }

  AttackSystem& system_;
  bool triangular_;
  bool block_open_ = false;
  std::vector<bool> started_;
  std::vector<WitnessStep> delayed_;
  Witness witness_;
};

}  // namespace

Witness attack_witness(AttackSystem& system, const std::vector<AttackStep>& steps, bool triangular) {
  AttackWitness builder(system, triangular);
  for (const AttackStep& step : steps) builder.append(step);
  return builder.finish();
}

}  // namespace weir
