// Atomic blocks execute as one step, straight on memory. Given the local state before the block and the
// memory, this finds every way through it: where the thread ends up, and what memory holds then. A way that
// cannot reach the end of the block does not exist; a way that meets a failing instruction ends there.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <vector>

#include "machine/thread_automaton.hpp"
#include "memory/shared_memory.hpp"

namespace weir {

struct AtomicOutcome {
  bool fails = false;  // `local` then still offers the failing action
  bool halts = false;  // the block ends the whole execution: `local` offers that
  FailureKind failure = FailureKind::kAssertion;
  StateId local;
  MemoryId memory;
  std::uint32_t action = 0;  // the last one: the failing action, or the end of the block
};

// One action inside a block, and what it read or wrote.
struct AtomicStep {
  StateId local;
  std::uint32_t action = 0;
  MemoryId memory;  // before the action
  Value returned = 0;
};

class AtomicBlocks {
 public:
  // A block in which more than `most_states` local states and memories are met is cut: see `cut`.
  AtomicBlocks(ThreadAutomaton& automaton, SharedMemory& memory, std::uint64_t most_states)
      : automaton_(automaton), memory_(memory), most_states_(most_states) {}

  // All ways through the block that starts with `action` of `local`. Valid until the next call.
  const std::vector<AtomicOutcome>& outcomes(StateId local, std::uint32_t action, MemoryId memory);

  // The begin of a block that was cut, so that some of its outcomes may be missing; none if there is no such
  // block.
  EdgeId cut() const { return cut_; }

  // The instructions inside blocks that end the whole execution, as far as met.
  const std::vector<EdgeId>& halts() const { return halts_; }

  // See base/archive.hpp. Without the outcomes, which can be computed again.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(cut_, halts_);
  }

  // The cells that the block may touch from here, on any way, and whether it writes them.
  std::vector<std::pair<CellId, bool>> footprint(StateId local, std::uint32_t action, MemoryId memory);

  // The steps of one way that ends in `outcome`, the begin and (unless it fails) the end of the block
  // included.
  std::vector<AtomicStep> path(StateId local, std::uint32_t action, MemoryId memory,
                               const AtomicOutcome& outcome);

 private:
  struct Node {
    StateId local;
    MemoryId memory;
    std::uint32_t parent;
    std::uint32_t action;
    Value returned;
  };
  struct Run {
    std::vector<Node> nodes;
    std::vector<std::pair<AtomicOutcome, std::uint32_t>> found;  // with the node it was found at
  };
  // One way to execute an action inside a block.
  struct Access {
    bool executable = true;
    std::optional<FailureKind> failure;
    Value returned = 0;
    MemoryId after;
  };
  struct Key {
    std::uint32_t local, action, memory;
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.local, k.action, k.memory);
    }
  };

  Run run(StateId local, std::uint32_t action, MemoryId memory);
  Access access(const Action& action, MemoryId memory);

  ThreadAutomaton& automaton_;
  SharedMemory& memory_;
  std::uint64_t most_states_;
  EdgeId cut_;
  std::vector<EdgeId> halts_;
  absl::flat_hash_map<Key, std::vector<AtomicOutcome>> known_;
};

}  // namespace weir
