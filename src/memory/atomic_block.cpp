#include "memory/atomic_block.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "machine/evaluate.hpp"
#include "program/address.hpp"

namespace weir {

const std::vector<AtomicOutcome>& AtomicBlocks::outcomes(StateId local, std::uint32_t action,
                                                         MemoryId memory) {
  const auto [entry, added] = known_.try_emplace(Key{local.index(), action, memory.index()});
  if (added) {
    const Run all = run(local, action, memory);
    for (const auto& [outcome, node] : all.found) entry->second.push_back(outcome);
  }
  return entry->second;
}

// Breadth-first over (local state, memory) inside the block, so a loop in the block that changes nothing is
// cut.
AtomicBlocks::Run AtomicBlocks::run(StateId local, std::uint32_t begin, MemoryId memory) {
  Run result;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> seen;
  const auto reach = [&](StateId next, MemoryId after, std::uint32_t parent, std::uint32_t action,
                         Value returned) {
    const std::uint64_t key = std::uint64_t{next.index()} << 32 | after.index();
    if (!seen.try_emplace(key, result.nodes.size()).second) return;
    result.nodes.push_back({next, after, parent, action, returned});
  };
  result.nodes.push_back({local, memory, 0, begin, 0});
  reach(automaton_.successor(local, begin), memory, 0, begin, 0);
  for (std::uint32_t n = 1; n < result.nodes.size(); ++n) {
    if (n > most_states_) {
      cut_ = automaton_.actions(local)[begin].edge;
      break;
    }
    const Node node = result.nodes[n];
    const auto count = static_cast<std::uint32_t>(automaton_.actions(node.local).size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const Action action = automaton_.actions(node.local)[i];
      if (action.kind == ActionKind::kHalt) {
        if (std::ranges::find(halts_, action.edge) == halts_.end()) halts_.push_back(action.edge);
        result.found.push_back({{.halts = true, .local = node.local, .memory = node.memory, .action = i}, n});
        continue;
      }
      const Access done = access(action, node.memory);
      if (!done.executable) continue;
      if (done.failure) {
        result.found.push_back({{.fails = true,
                                 .failure = *done.failure,
                                 .local = node.local,
                                 .memory = node.memory,
                                 .action = i},
                                n});
        continue;
      }
      const MemoryId after = done.after;
      const StateId next = automaton_.successor(node.local, i, done.returned);
      if (action.kind != ActionKind::kAtomicEnd) {
        reach(next, after, n, i, done.returned);
        continue;
      }
      const bool known = std::ranges::any_of(result.found, [&](const auto& entry) {
        return !entry.first.fails && !entry.first.halts && entry.first.local == next &&
               entry.first.memory == after;
      });
      if (!known) result.found.push_back({{.local = next, .memory = after, .action = i}, n});
    }
  }
  return result;
}

// Straight on memory: a block executes with an empty buffer.
AtomicBlocks::Access AtomicBlocks::access(const Action& action, MemoryId memory) {
  Access done{.after = memory};
  const auto fails = [&](FailureKind kind) {
    done.failure = kind;
    return done;
  };
  const auto write = [&](CellId cell, Value value) {
    done.executable = memory_.admits(cell, value);
    if (done.executable) done.after = memory_.write(memory, cell, value);
    return done;
  };
  const bool accesses =
      returns_value(action) || action.kind == ActionKind::kStore || action.kind == ActionKind::kFree;
  if (action.kind == ActionKind::kFail) return fails(action.failure);
  if (!accesses) return done;
  if (memory_.releases() && address_kind(action.address) == AddressKind::kBlock) {
    const CellId status = memory_.cell(status_address(action.address));
    const bool free = action.kind == ActionKind::kFree;
    const bool renews = free && action.value == 0;
    if (memory_.read(memory, status) != 0 && !renews)
      return fails(free ? FailureKind::kBadFree : FailureKind::kFreed);
    if (free) return write(status, action.value);
  }
  const CellId cell = memory_.cell(action.address, action.type);
  if (action.kind == ActionKind::kStore) return write(cell, action.value);
  const Value old = memory_.read(memory, cell);
  if (old == kUninitialised && !action.copies) return fails(FailureKind::kNotInitialised);
  if (action.copies) memory_.note_copied(cell, old, [&](CellId leaf) { return memory_.read(memory, leaf); });
  done.returned = returned_value(action, old);
  done.executable = !action.waits || can_return(action, done.returned);
  const bool stores =
      action.kind == ActionKind::kRmw && (action.rmw != RmwOp::kCompareExchange || old == action.expected);
  if (!stores) return done;
  const Value value = apply_rmw(action.rmw, old, action.value, memory_.type(cell));
  return value == kUninitialised ? fails(FailureKind::kMark) : write(cell, value);
}

std::vector<std::pair<CellId, bool>> AtomicBlocks::footprint(StateId local, std::uint32_t action,
                                                             MemoryId memory) {
  std::vector<std::pair<CellId, bool>> touched;
  const Run all = run(local, action, memory);
  for (std::size_t n = 1; n < all.nodes.size(); ++n)
    for (const Action& inner : automaton_.actions(all.nodes[n].local)) {
      const bool free = inner.kind == ActionKind::kFree;
      if (!free && !returns_value(inner) && inner.kind != ActionKind::kStore) continue;
      if (!free)
        touched.emplace_back(memory_.cell(inner.address, inner.type), inner.kind != ActionKind::kLoad);
      if (memory_.releases() && address_kind(inner.address) == AddressKind::kBlock)
        touched.emplace_back(memory_.cell(status_address(inner.address)), free);
    }
  return touched;
}

std::vector<AtomicStep> AtomicBlocks::path(StateId local, std::uint32_t action, MemoryId memory,
                                           const AtomicOutcome& outcome) {
  const Run all = run(local, action, memory);
  const auto found = std::ranges::find_if(all.found, [&](const auto& entry) {
    return entry.first.fails == outcome.fails && entry.first.halts == outcome.halts &&
           entry.first.local == outcome.local && entry.first.memory == outcome.memory &&
           entry.first.action == outcome.action;
  });
  WEIR_CHECK(found != all.found.end(), "the outcome of this block");
  const Node& last = all.nodes[found->second];
  std::vector<AtomicStep> steps{{last.local, found->first.action, last.memory, 0}};
  for (std::uint32_t n = found->second; n != 0;) {
    const Node& node = all.nodes[n];
    const Node& parent = all.nodes[node.parent];
    steps.push_back({parent.local, node.action, parent.memory, node.returned});
    n = node.parent;
  }
  std::ranges::reverse(steps);
  return steps;
}

}  // namespace weir
