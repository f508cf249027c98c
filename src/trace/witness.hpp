// A witness: one concrete execution of a program under a memory model, instruction by instruction, and what
// it violates. It is the only trace type. Engines produce it, `check` replays it on its own interpreter,
// reports show it.
//
// Every instruction that a thread executes is a step, local ones included, so that replaying needs no
// guesses. Under TSO and PSO a buffered store is two steps: the store, which puts an entry into the thread's
// buffer, and the flush, which takes the entry to memory. A store that goes straight to memory (under SC,
// inside an atomic block, or a sequentially consistent store) is one step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir {

struct WitnessStep {
  enum class Kind : std::uint8_t { kInstruction, kFlush };

  ThreadId thread;
  Kind kind = Kind::kInstruction;
  EdgeId edge;        // instruction: the edge taken. Flush: the edge of the store being flushed, if known
  Value address = 0;  // load, store, rmw, flush: the cell's address; free: of the block's first byte, but its
                      // flush is that of the block's status cell
  Value value = 0;    // load: value read; store, flush: value written; rmw: value read; choose: value chosen;
                      // assign: value assigned; allocate: the address of the block
  Value written = 0;  // rmw that stored: the value written
  bool stored = false;  // rmw: whether it wrote (a failing compare-exchange does not)

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(thread, kind, edge, address, value, written, stored);
  }

  friend bool operator==(const WitnessStep&, const WitnessStep&) = default;
};

enum class ViolationKind : std::uint8_t {
  kAssertion,
  kDeadlock,
  kRace,
  kMemory,
  kGoal,
  kForbidden,
  kUnsafe,
  kRobustness,
  kTriangularRace,
  kStarvation
};

const char* name(ViolationKind kind);  // as in the JSON answer
std::optional<ViolationKind> parse_violation_kind(std::string_view);

// kAssertion: the last step is the instruction that fails (an assert whose condition is zero, or a division
// by zero). kMemory: the last step accesses memory wrongly, or (a leak) the state after it is bad. kGoal,
// kForbidden (mutual exclusion), kUnsafe (invariant), kDeadlock, kRace (data race): the state after the last
// step is bad; but of two accesses that race because neither happens before the other, both are in the
// execution, one of them in its last step or atomic block.
//
// Two kinds are about the whole execution. kRobustness: under TSO or PSO, it ends with empty buffers and has
// a cyclic happens-before relation, so no execution under SC has the same trace. kTriangularRace [Owens10],
// under SC: a thread stores, without anything that would drain its buffer and without storing to x since, and
// loads x; then another thread writes x. The write's unit (atomic block, lock section, or the access alone)
// is the last in the execution, and the load the last access before it.
//
// kStarvation: the execution goes on for ever, as `Starvation` says, and never grants a request.
struct Violation {
  ViolationKind kind = ViolationKind::kAssertion;
  std::string message;
  SourcePosition position;
  std::uint32_t property = 0;  // kGoal, kForbidden, kUnsafe: which one of the program's properties;
                               // kMemory: kLeak if the state after the last step is bad;
                               // kRace: kUnordered if both accesses have been executed;
                               // kDeadlock: kPartial if others than those that are stuck can go on, for ever

  template <class Archive>
  void transfer(Archive& archive) {
    archive(kind, message, position.file, position.line, position.column, property);
  }
};

inline constexpr std::uint32_t kLeak = 1, kUnordered = 1, kPartial = 1;

// An execution without an end in which something is requested and never granted again. The steps from `loop`
// on lead back to the state before them, and are repeated for ever; if there are none, nothing can happen any
// more.
//
// It is fair: a thread that can execute something in every state of the loop does so in the loop, if `strong`
// also one that can in some state of it; and if `flushes`, a buffered store that can be flushed in some state
// of the loop (under PSO: for each address) is not the last to leave the buffer.
struct Starvation {
  std::size_t loop = 0;
  std::vector<ThreadLocation> request, grant;  // some thread is at a place
  bool weak = true, strong = false, flushes = true;
};

struct Witness {
  Model model = Model::kSc;
  std::vector<WitnessStep> steps;
  Violation violation;
  std::optional<Starvation> starvation;  // of kStarvation

  // Without starvation, which is found by searches of another kind.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(model, steps, violation);
  }
};

}  // namespace weir
