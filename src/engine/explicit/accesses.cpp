#include "engine/explicit/accesses.hpp"

#include <algorithm>

namespace weir {

namespace {

std::uint64_t pair_key(std::uint64_t a, std::uint64_t b) { return a << 32 | b; }

}  // namespace

Accesses::Accesses(System& system, Monitor& monitor) : system_(system), monitor_(monitor) {
  WEIR_CHECK(system.thread_count() <= 64, "at most 64 threads");
  const Program& program = system.program();
  uses_lock_ =
      std::ranges::any_of(program.edges, [](const Edge& e) { return e.instruction.op == Opcode::kLock; });
  if (!program.properties.invariants.empty())
    for (const Expression& e : program.expressions)
      if (e.op == ExprOp::kSharedCell) property_addresses_.push_back(e.constant);
  const Properties& properties = program.properties;
  threads_watched_ =
      !properties.goals.empty() || !properties.exclusive.empty() || !properties.invariants.empty();
  sets_.intern({});
}

bool Accesses::property_reads(CellId cell) const {
  if (property_addresses_.empty() || cell == SharedMemory::kLockCell) return false;
  return std::ranges::any_of(property_addresses_,
                             [&](Value address) { return system_.memory().touches(cell, address); });
}

std::uint32_t Accesses::number(std::size_t thread, CellId cell, bool writes) {
  const auto key = std::pair{pair_key(thread, cell.index()), writes};
  const auto [entry, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(accesses_.size()));
  if (added) accesses_.push_back({static_cast<std::uint32_t>(thread), cell, writes});
  return entry->second;
}

AccessSetId Accesses::intern(Numbers& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return AccessSetId(sets_.intern(numbers));
}

void Accesses::collect(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                       Numbers& out) {
  if (uses_lock_ && step.needs_lock) out.push_back(number(thread, SharedMemory::kLockCell, false));
  if (step.guard) out.push_back(number(thread, step.guard, false));
  bool visible = false;
  switch (step.effect) {
    case Effect::kNone:
    case Effect::kFail: break;
    case Effect::kRead: out.push_back(number(thread, step.cell, false)); break;
    case Effect::kWrite:
    case Effect::kUpdate:
      out.push_back(number(thread, step.cell, true));
      visible = property_reads(step.cell);
      break;
    case Effect::kAcquire:
    case Effect::kRelease: out.push_back(number(thread, SharedMemory::kLockCell, true)); break;
    case Effect::kAtomic: return collect_block(thread, component, memory, step, out);
  }
  if (threads_watched_ && step.effect != Effect::kFail) {
    const bool reads = step.effect == Effect::kRead || step.effect == Effect::kUpdate;
    // Where a read leads depends on memory; where others lead does not, whether they can be executed now or
    // not.
    if (!reads) {
      visible |= monitor_.visible(thread, component, ComponentId(step.next));
    } else if (const Value value = system_.view(thread).found(component, step, memory);
               !system_.fails_on(step, value)) {
      visible |= monitor_.visible(thread, component, system_.view(thread).after(component, step, value));
    }
  }
  if (visible) out.push_back(number(thread, kVisibleCell, true));
}

void Accesses::collect_block(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                             Numbers& out) {
  bool visible = false;
  for (const auto& [cell, writes] :
       system_.blocks(thread).footprint(system_.view(thread).local(component), step.action, memory)) {
    out.push_back(number(thread, cell, writes));
    visible |= writes && property_reads(cell);
  }
  system_.execute(thread, component, memory, step, [&](const Move& move) {
    if (!move.fails) visible |= monitor_.visible(thread, component, move.component);
  });
  if (visible) out.push_back(number(thread, kVisibleCell, true));
}

AccessSetId Accesses::of_step(std::size_t thread, ComponentId component, MemoryId memory, const Step& step) {
  Numbers numbers;
  collect(thread, component, memory, step, numbers);
  return intern(numbers);
}

AccessSetId Accesses::offered(std::size_t thread, ComponentId component, MemoryId memory) {
  const std::uint64_t key = pair_key(thread, component.index());
  if (const auto known = offered_.find(key); known != offered_.end()) return known->second;
  Numbers numbers;
  bool depends_on_memory = false;
  for (const Step& step : system_.view(thread).steps(component)) {
    const bool reads = step.effect == Effect::kRead || step.effect == Effect::kUpdate;
    depends_on_memory |= step.effect == Effect::kAtomic || (reads && threads_watched_);
    collect(thread, component, memory, step, numbers);
  }
  const AccessSetId set = intern(numbers);
  if (!depends_on_memory) offered_.emplace(key, set);
  return set;
}

AccessSetId Accesses::unite(AccessSetId a, AccessSetId b) {
  if (a == b || b == kNone) return a;
  if (a == kNone) return b;
  if (b < a) std::swap(a, b);
  const std::uint64_t key = pair_key(a.index(), b.index());
  if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
  Numbers numbers;
  const auto left = sets_[a.index()];
  const auto right = sets_[b.index()];
  std::ranges::set_union(left, right, std::back_inserter(numbers));
  const AccessSetId result(sets_.intern(numbers));
  unions_.emplace(key, result);
  return result;
}

std::uint64_t Accesses::conflicting_threads(AccessSetId a, AccessSetId b) {
  if (a == kNone || b == kNone) return 0;
  const auto [entry, added] = conflicts_.try_emplace(pair_key(a.index(), b.index()), 0);
  if (!added) return entry->second;
  std::uint64_t threads = 0;
  for (const std::uint32_t i : sets_[a.index()])
    for (const std::uint32_t j : sets_[b.index()]) {
      const Access& x = accesses_[i];
      const Access& y = accesses_[j];
      if (system_.memory().overlap(x.cell, y.cell) && x.thread != y.thread && (x.writes || y.writes))
        threads |= std::uint64_t{1} << y.thread;
    }
  entry->second = threads;
  return threads;
}

}  // namespace weir
