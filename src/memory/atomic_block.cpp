#include "memory/atomic_block.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "machine/evaluate.hpp"

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
      if (action.kind == ActionKind::kFail) {
        result.found.push_back({{true, node.local, node.memory, i}, n});
        continue;
      }
      Value returned = 0;
      MemoryId after = node.memory;
      if (action.kind == ActionKind::kStore) {
        const CellId cell = memory_.cell(action.address);
        if (!memory_.admits(cell, action.value)) continue;
        after = memory_.write(node.memory, cell, action.value);
      } else if (returns_value(action)) {
        const CellId cell = memory_.cell(action.address);
        const Value old = memory_.read(node.memory, cell);
        returned = wrap(static_cast<std::uint64_t>(old), action.type);
        const bool stores = action.kind == ActionKind::kRmw &&
                            (action.rmw != RmwOp::kCompareExchange || old == action.expected);
        if (stores) {
          const Value value = apply_rmw(action.rmw, old, action.value, memory_.type(cell));
          if (!memory_.admits(cell, value)) continue;
          after = memory_.write(node.memory, cell, value);
        }
      }
      const StateId next = automaton_.successor(node.local, i, returned);
      if (action.kind != ActionKind::kAtomicEnd) {
        reach(next, after, n, i, returned);
        continue;
      }
      const bool known = std::ranges::any_of(result.found, [&](const auto& entry) {
        return !entry.first.fails && entry.first.local == next && entry.first.memory == after;
      });
      if (!known) result.found.push_back({{false, next, after, i}, n});
    }
  }
  return result;
}

std::vector<std::pair<Value, bool>> AtomicBlocks::footprint(StateId local, std::uint32_t action,
                                                            MemoryId memory) {
  std::vector<std::pair<Value, bool>> touched;
  const Run all = run(local, action, memory);
  for (std::size_t n = 1; n < all.nodes.size(); ++n)
    for (const Action& inner : automaton_.actions(all.nodes[n].local))
      if (inner.kind == ActionKind::kLoad || inner.kind == ActionKind::kStore ||
          inner.kind == ActionKind::kRmw)
        touched.emplace_back(inner.address, inner.kind != ActionKind::kLoad);
  return touched;
}

std::vector<AtomicStep> AtomicBlocks::path(StateId local, std::uint32_t action, MemoryId memory,
                                           const AtomicOutcome& outcome) {
  const Run all = run(local, action, memory);
  const auto found = std::ranges::find_if(all.found, [&](const auto& entry) {
    return entry.first.fails == outcome.fails && entry.first.local == outcome.local &&
           entry.first.memory == outcome.memory && entry.first.action == outcome.action;
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
