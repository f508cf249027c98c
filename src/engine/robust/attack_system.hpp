// The transition system whose reachable success states are the feasible attacks: the instrumentation of
// [Bouajjani13, Section 5] as a semantics, on the unmodified automata of the threads.
//
// A run has three phases. First everybody runs under SC. Then one thread, the attacker, executes a store
// and keeps it, and every later store, to itself (the *delayed* values); finally it executes the attack's
// load and is done: only its stores remain to be flushed. From then on the other threads, the helpers, may
// only take steps that happen after that load: a helper joins the *path* with an access that conflicts with
// one on the path, and stays on it. For that it is enough to know the strongest access on the path per cell
// (Lemma 3). The attack succeeds when the path reaches the cell of the delayed store.
//
// What is not in the paper:
// - Locked instructions. A read-modify-write, an atomic block and everything between `lock` and `unlock` are
//   one event. A helper off the path may enter a section on trial: its accesses are kept aside, and count as
//   soon as one of them conflicts with the path as it was before the section; a section that ends without
//   joining is a dead end. Success counts only when no section is open: the store could not be flushed.
// - While the attacker delays, helpers move only if they must: a step that does not happen after one of the
//   attacker's loads in that phase could have been taken before the store was issued. It is the same
//   discipline as after the attack's load, with another start of the path, and it removes most interleavings.
// - After the load the attacker's own state is of no account and is forgotten.
// - Threads with the same code are interchangeable, the attacker's role included.
//
// The second notion, triangular races [Owens10], walks the same phases with other rules: the attacker's
// stores do go to memory, helpers are free until the load, and the attack succeeds when the very next unit of
// another thread writes the cell just loaded.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <memory>
#include <span>
#include <tuple>

#include "base/sequence_interner.hpp"
#include "engine/robust/delay_graph.hpp"
#include "engine/robust/robust.hpp"
#include "machine/thread_automaton.hpp"
#include "memory/shared_memory.hpp"

namespace weir {

// Everything about a state that is neither memory nor a thread.
struct AttackControl {
  enum class Phase : std::uint8_t { kSequential, kDelaying, kClosing };

  static constexpr std::uint32_t kNoTag = 0xFFFFFFFF;

  Phase phase = Phase::kSequential;
  bool block_open = false;     // a thread is inside an atomic block: only it moves
  std::uint32_t tag = kNoTag;  // delaying: which store; closing: which attack; none if all are treated alike
  CellId target;               // of the delayed store; for triangular races, of the load

  friend bool operator==(const AttackControl&, const AttackControl&) = default;
  template <class H>
  friend H AbslHashValue(H h, const AttackControl& c) {
    return H::combine(std::move(h), c.phase, c.block_open, c.tag, c.target.index());
  }
};

// A state as a row of small numbers: control, memory, the attacker's delayed stores, the accesses on the
// path, those of a section on trial, and one number per thread: its local state and its roles.
class AttackRow {
 public:
  enum Field : std::size_t { kControl, kMemory, kDelayed, kPath, kTrial, kFirstThread };
  enum Role : std::uint32_t { kOnPath = 1, kHoldsLock = 2, kInBlock = 4, kAttacker = 8, kRoles = 15 };

  explicit AttackRow(std::size_t threads) : ids(kFirstThread + threads) {}

  std::size_t thread_count() const { return ids.size() - kFirstThread; }
  MemoryId memory() const { return MemoryId(ids[kMemory]); }
  void set_memory(MemoryId memory) { ids[kMemory] = memory.index(); }
  StateId local(std::size_t thread) const { return StateId(ids[kFirstThread + thread] >> 4); }
  std::uint32_t roles(std::size_t thread) const { return ids[kFirstThread + thread] & kRoles; }
  bool has(std::size_t thread, Role role) const { return (roles(thread) & role) != 0; }
  void set_local(std::size_t thread, StateId local) {
    ids[kFirstThread + thread] = local.index() << 4 | roles(thread);
  }
  void give(std::size_t thread, Role role) { ids[kFirstThread + thread] |= role; }
  void take(std::size_t thread, Role role) { ids[kFirstThread + thread] &= ~std::uint32_t{role}; }

  std::vector<std::uint32_t> ids;
};

// One step, with what is needed to tell it.
struct AttackMove {
  enum class Kind : std::uint8_t { kOrdinary, kFirstStore, kDelayedStore, kAttackLoad };

  std::size_t thread = 0;
  StateId local;  // before
  std::uint32_t action = 0;
  Value returned = 0;
  Kind kind = Kind::kOrdinary;
};

// Does the action leave memory alone?
inline bool is_local(const Action& action) {
  return action.kind == ActionKind::kInternal || action.kind == ActionKind::kFence;
}

class AttackSystem {
 public:
  // Only the attacks in `wanted` (indices) are looked for. `program` and `attacks` must outlive the system.
  AttackSystem(const Program& program, const RobustOptions& options, const std::vector<Attack>& attacks,
               const std::vector<bool>& wanted);

  std::size_t thread_count() const { return kind_of_.size(); }
  ThreadAutomaton& automaton(std::size_t thread) { return *automata_[kind_of_[thread]]; }
  SharedMemory& memory() { return memory_; }
  const SharedMemory& memory() const { return memory_; }
  const AttackControl& control(const AttackRow& row) const { return controls_[row.ids[AttackRow::kControl]]; }

  AttackRow initial();

  struct Successor {
    AttackMove move;
    AttackRow row;  // not yet canonical
  };
  // Every step that can be taken, by anybody or by one thread. Valid until the next call.
  std::span<const Successor> successors(const AttackRow& row);
  std::span<const Successor> successors(const AttackRow& row, std::size_t thread);
  // Can the thread only take steps that touch neither memory nor lock? Then it may move alone.
  bool moves_locally(const AttackRow& row, std::size_t thread);

  bool waits_at_fence(std::size_t thread, StateId local);
  // Where the thread is after the fences that it waits at: with an empty buffer they are not in the way.
  StateId past_fences(std::size_t thread, StateId local);

  bool success(const AttackRow& row) const;
  // Has the attack, or every attack with the store, that the row works on been found?
  bool settled(const AttackRow& row) const;
  void found(std::uint32_t attack);
  // `attack` may name any thread with the code of the attacker.
  std::uint32_t index_of(const Attack& attack) const;

  // Sorts interchangeable threads. `order`, if given, is permuted along.
  void canonicalise(AttackRow& row, std::vector<std::size_t>* order = nullptr) const;

  // The instructions of a step; only the load itself if it is the one that ends the delay.
  std::vector<EdgeId> edges(const AttackMove& move);

  // Set during the search.
  std::optional<std::size_t> cut;  // a local run of this thread was cut
  EdgeId gave_up;                  // what follows this instruction was left out
  EdgeId after_release;            // it accesses a block that was released

 private:
  using Phase = AttackControl::Phase;
  using Level = std::uint32_t;
  static constexpr Level kNotAccessed = 0, kLoaded = 1, kStored = 2;
  static constexpr std::uint32_t kEmpty = 0;

  void build_automata();
  std::uint32_t intern(const AttackControl& control);
  void change_control(AttackRow& row, const AttackControl& control) {
    row.ids[AttackRow::kControl] = intern(control);
  }

  // These add to `found_steps_`.
  void add_steps(const AttackRow& row, std::size_t thread);
  void add_helper_step(const AttackRow& row, std::size_t thread, std::uint32_t index);
  void add_attacker_step(const AttackRow& row, std::size_t thread, std::uint32_t index);
  void add_attack_load(const AttackRow& row, const AttackMove& move, const Action& action, CellId cell);
  void begin_delay(const AttackRow& row, std::size_t thread, std::uint32_t index);
  Successor& add(const AttackMove& move, const AttackRow& from);
  void drop_last() { --found_count_; }

  // Each changes `row` and says whether the step is possible.
  bool help(AttackRow& row, std::size_t thread, const Action& action, Value& returned);
  bool open_section(AttackRow& row, std::size_t thread, bool block);
  bool close_section(AttackRow& row, std::size_t thread, bool block);
  bool read(AttackRow& row, std::size_t thread, const Action& action, Value& returned);
  bool update(AttackRow& row, std::size_t thread, const Action& action, Value& returned);
  bool access(AttackRow& row, std::size_t thread, CellId cell, bool writes);
  bool write(AttackRow& row, CellId cell, Value value);
  bool keep(AttackRow& row, CellId cell, Value value);  // a store of the attacker

  bool disciplined(const AttackControl& control) const;  // may helpers move only along the path?
  bool may_go_on(std::size_t thread, StateId local);
  bool drains(const Action& action) const;
  bool may_move_off_path(const AttackRow& row, std::size_t thread) const;
  bool is_there(const AttackRow& row, const Action& action, bool attacker = false);
  void release(AttackRow& row, const Action& action);
  void note_halt(const Action& action);
  bool passable(const AttackMove& move);
  bool blocked(const AttackRow& row, std::size_t thread) const {
    return memory_.locked(row.memory()) && !row.has(thread, AttackRow::kHoldsLock);
  }

  Level level(std::uint32_t accesses, CellId cell) const;
  std::uint32_t raise(std::uint32_t accesses, CellId cell, Level level);
  std::uint32_t merge(std::uint32_t a, std::uint32_t b);
  std::optional<Value> delayed(std::uint32_t stores, CellId cell) const;
  std::uint32_t delay(std::uint32_t stores, CellId cell, Value value);

  const Program& program_;
  const RobustOptions& options_;
  const std::vector<Attack>& attacks_;
  bool separate_;  // are attacks told apart?
  bool triangular_;
  DelayGraph graph_;
  Code code_;
  SharedMemory memory_;
  std::vector<std::unique_ptr<ThreadAutomaton>> automata_;
  std::vector<std::uint32_t> kind_of_;            // per thread: its automaton
  std::vector<std::vector<std::size_t>> groups_;  // of interchangeable threads

  // By (kind, store): the number of the store, if some attack with it is wanted; and by (that number, load)
  // the attack.
  absl::flat_hash_map<std::pair<std::uint32_t, EdgeId>, std::uint32_t> stores_;
  absl::flat_hash_map<std::pair<std::uint32_t, EdgeId>, std::uint32_t> attack_of_;
  std::vector<std::uint32_t> open_;      // per store number: attacks not yet found
  std::vector<bool> found_;              // per attack
  std::vector<std::uint32_t> store_of_;  // per attack: its store number

  std::vector<AttackControl> controls_;
  absl::flat_hash_map<AttackControl, std::uint32_t> control_ids_;
  SequenceInterner<std::uint32_t> accesses_;  // cell * 2 + (stored?), ascending
  absl::flat_hash_map<std::tuple<std::uint32_t, std::uint32_t, Level>, std::uint32_t> raised_;
  SequenceInterner<Value> delayed_;     // cell, value, cell, value…, ascending
  std::vector<Successor> found_steps_;  // the first `found_count_`; the others keep their storage
  std::size_t found_count_ = 0;
};

}  // namespace weir
