// The predecessors of the multiset system are those of its definition: a state has a step into a
// configuration if and only if (up to further flushes, see system.hpp) it satisfies one of the
// computed predecessors. The steps are those of Figure 3.8 of [Calin16], written down again on plain
// containers.
#include "engine/coverability/multiset/system.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>

#include "engine/coverability/backward_search.hpp"
#include "engine/explicit/system.hpp"
#include "machine/evaluate.hpp"
#include "selfcheck/agreement/abstraction_agreement.hpp"
#include "support/tiny_program.hpp"

namespace weir::multiset_system_test {

static_assert(WellStructured<MultisetSystem>);

constexpr std::uint32_t kAnyState = MultisetConfiguration::kAnyState;
constexpr ValueNumber kAnyValue = MultisetConfiguration::kAnyValue;

struct PlainStores {
  std::multiset<ValueNumber> all;
  ValueNumber last = 0;  // if there are some

  friend bool operator==(const PlainStores&, const PlainStores&) = default;
};

// A state in full.
struct PlainState {
  std::vector<std::uint32_t> states;
  std::vector<ValueNumber> memory;
  std::vector<PlainStores> buffers;  // per slot
  std::uint32_t holder = 0;          // of the lock: nobody, or one more than the thread

  friend bool operator==(const PlainState&, const PlainState&) = default;
};

class PlainMachine {
 public:
  explicit PlainMachine(const MultisetSystem& system) : system_(system) {}

  std::vector<PlainState> successors(const PlainState& s) const {
    std::vector<PlainState> found;
    for (std::size_t t = 0; t < s.states.size(); ++t) {
      for (PlainState& next : steps(s, t)) found.push_back(std::move(next));
      for (PlainState& next : flushes(s, t)) found.push_back(std::move(next));
    }
    return found;
  }

  std::vector<PlainState> flushes(const PlainState& s, std::size_t t) const {
    std::vector<PlainState> found;
    if (in_block(s) || !lock_allows(s, t)) return found;
    for (std::size_t cell = 0; cell < s.memory.size(); ++cell) {
      const std::uint32_t slot = system_.slot(t, cell);
      if (slot == MultisetSystem::kNoSlot) continue;
      const PlainStores& stores = s.buffers[slot];
      for (const ValueNumber v : std::set<ValueNumber>(stores.all.begin(), stores.all.end())) {
        if (v == stores.last && stores.all.count(v) == 1 && stores.all.size() > 1) continue;
        PlainState next = s;
        next.buffers[slot].all.erase(next.buffers[slot].all.find(v));
        next.memory[cell] = v;
        found.push_back(std::move(next));
      }
    }
    return found;
  }

  std::vector<PlainState> steps(const PlainState& s, std::size_t t) const {
    std::vector<PlainState> found;
    const auto busy = in_block(s);
    if (busy && *busy != t) return found;
    ThreadAutomaton& automaton = system_.automaton(t);
    const StateId local(s.states[t]);
    const auto count = static_cast<std::uint32_t>(automaton.actions(local).size());
    for (std::uint32_t i = 0; i < count; ++i)
      if (auto next = step(s, t, automaton.actions(local)[i], i, busy.has_value()))
        found.push_back(std::move(*next));
    return found;
  }

  std::optional<std::size_t> in_block(const PlainState& s) const {
    for (std::size_t t = 0; t < s.states.size(); ++t)
      if (system_.inside_block(t, s.states[t])) return t;
    return std::nullopt;
  }

 private:
  bool lock_allows(const PlainState& s, std::size_t t) const { return s.holder == 0 || s.holder == t + 1; }

  bool drained(const PlainState& s, std::size_t t) const {
    for (std::size_t cell = 0; cell < s.memory.size(); ++cell)
      if (const std::uint32_t slot = system_.slot(t, cell); slot != MultisetSystem::kNoSlot)
        if (!s.buffers[slot].all.empty()) return false;
    return true;
  }

  std::optional<PlainState> step(const PlainState& s, std::size_t t, const Action& action,
                                 std::uint32_t index, bool inside) const {
    ThreadAutomaton& automaton = system_.automaton(t);
    PlainState next = s;
    Value returned = 0;
    switch (action.kind) {
      case ActionKind::kHalt:
      case ActionKind::kFail:
      case ActionKind::kFree: return std::nullopt;
      case ActionKind::kInternal:
      case ActionKind::kAtomicEnd: break;
      case ActionKind::kFence:
        if (!inside && action.fence == FenceKind::kFull && !drained(s, t)) return std::nullopt;
        break;
      case ActionKind::kAtomicBegin:
        if (!drained(s, t) || !lock_allows(s, t)) return std::nullopt;
        break;
      case ActionKind::kLock:
        if (!drained(s, t) || s.holder != 0) return std::nullopt;
        next.holder = static_cast<std::uint32_t>(t + 1);
        break;
      case ActionKind::kUnlock:
        if (!drained(s, t) || s.holder != t + 1) return std::nullopt;
        next.holder = 0;
        break;
      case ActionKind::kStore: {
        const std::size_t cell = cell_of(action.address);
        const ValueNumber value = number_of(cell, action.value);
        const bool direct = inside || action.order == Order::kSequential;
        if (direct && !inside && (!drained(s, t) || !lock_allows(s, t))) return std::nullopt;
        if (direct) {
          next.memory[cell] = value;
        } else {
          PlainStores& stores = next.buffers[system_.slot(t, cell)];
          stores.all.insert(value);
          stores.last = value;
        }
        break;
      }
      case ActionKind::kLoad:
      case ActionKind::kRmw: {
        const std::size_t cell = cell_of(action.address);
        if (!inside && !lock_allows(s, t)) return std::nullopt;
        if (action.kind == ActionKind::kRmw && !drained(s, t)) return std::nullopt;
        ValueNumber found = s.memory[cell];
        const std::uint32_t slot = system_.slot(t, cell);
        if (slot != MultisetSystem::kNoSlot && !s.buffers[slot].all.empty()) found = s.buffers[slot].last;
        const Value old = system_.values(cell)[found];
        returned = returned_value(action, old);
        if (!can_return(action, returned)) return std::nullopt;
        if (action.kind == ActionKind::kRmw &&
            (action.rmw != RmwOp::kCompareExchange || old == action.expected)) {
          SharedMemory memory(*program);
          const Value left =
              apply_rmw(action.rmw, old, action.value, memory.type(memory.cell(action.address, action.type)));
          if (left == kUninitialised) return std::nullopt;
          next.memory[cell] = number_of(cell, left);
        }
      }
    }
    next.states[t] = automaton.successor(StateId(s.states[t]), index, returned).index();
    return next;
  }

  std::size_t cell_of(Value address) const {
    for (std::size_t cell = 0; cell < system_.cell_count(); ++cell)
      if (system_.address(cell) == address) return cell;
    ADD_FAILURE() << "an address that nobody accesses";
    return 0;
  }
  ValueNumber number_of(std::size_t cell, Value value) const {
    for (ValueNumber v = 0; v < system_.values(cell).size(); ++v)
      if (system_.values(cell)[v] == value) return v;
    ADD_FAILURE() << "a value that is not in the closure";
    return 0;
  }

  const MultisetSystem& system_;

 public:
  const Program* program = nullptr;
};

bool satisfies(const MultisetSystem& system, const PlainState& s, const MultisetConfiguration& c) {
  for (std::size_t t = 0; t < s.states.size(); ++t)
    if (c.states[t] == kAnyState ? system.inside_block(t, s.states[t]) : c.states[t] != s.states[t])
      return false;
  for (std::size_t cell = 0; cell < s.memory.size(); ++cell)
    if (c.memory[cell] != kAnyValue && c.memory[cell] != s.memory[cell]) return false;
  for (std::size_t i = 0; i < s.buffers.size(); ++i) {
    const BufferedStores& asked = c.buffers[i];
    const PlainStores& stores = s.buffers[i];
    if (asked.is_any()) continue;
    if (asked.is_none() != stores.all.empty()) return false;
    if (asked.is_none()) continue;
    if (asked.last() != kAnyValue && asked.last() != stores.last) return false;
    for (const auto& count : asked.counts())
      if (stores.all.count(count.value) < count.least) return false;
  }
  return (c.holders >> s.holder & 1) != 0;
}

class Sampler {
 public:
  Sampler(const MultisetSystem& system, bool locks, std::uint64_t seed)
      : system_(system), locks_(locks), random_(seed) {}

  std::uint32_t below(std::size_t count) {
    return static_cast<std::uint32_t>(std::uniform_int_distribution<std::size_t>(0, count - 1)(random_));
  }
  bool coin() { return below(2) == 0; }

  PlainState state() {
    MultisetConfiguration c = system_.anything();
    const std::size_t t = below(system_.thread_count());
    if (coin()) {  // perhaps inside a block, with an empty buffer then
      c.states[t] = below(system_.state_count(t));
      if (system_.inside_block(t, c.states[t]))
        for (std::size_t cell = 0; cell < system_.cell_count(); ++cell)
          if (const std::uint32_t slot = system_.slot(t, cell); slot != MultisetSystem::kNoSlot)
            c.buffers[slot] = BufferedStores::none();
    }
    return member(c);
  }

  // A state that satisfies the configuration.
  PlainState member(const MultisetConfiguration& c) {
    PlainState s;
    for (std::size_t t = 0; t < c.states.size(); ++t) {
      std::uint32_t local = c.states[t];
      while (local == kAnyState || (c.states[t] == kAnyState && system_.inside_block(t, local)))
        local = below(system_.state_count(t));
      s.states.push_back(local);
    }
    s.buffers.resize(c.buffers.size());
    for (std::size_t cell = 0; cell < c.memory.size(); ++cell) {
      const std::size_t values = system_.values(cell).size();
      s.memory.push_back(c.memory[cell] == kAnyValue ? below(values) : c.memory[cell]);
      for (std::size_t t = 0; t < c.states.size(); ++t)
        if (const std::uint32_t slot = system_.slot(t, cell); slot != MultisetSystem::kNoSlot)
          s.buffers[slot] = stores(c.buffers[slot], values);
    }
    do s.holder = locks_ ? below(c.states.size() + 1) : 0;
    while ((c.holders >> s.holder & 1) == 0);
    return s;
  }

  // A configuration that the state satisfies.
  MultisetConfiguration above(const PlainState& s) {
    MultisetConfiguration c = system_.anything();
    for (std::size_t t = 0; t < s.states.size(); ++t)
      if (coin() || system_.inside_block(t, s.states[t])) c.states[t] = s.states[t];
    for (std::size_t cell = 0; cell < s.memory.size(); ++cell)
      if (coin()) c.memory[cell] = s.memory[cell];
    for (std::size_t i = 0; i < s.buffers.size(); ++i) {
      if (coin()) continue;
      const PlainStores& stores = s.buffers[i];
      c.buffers[i] = stores.all.empty() ? BufferedStores::none() : BufferedStores::some();
      for (const ValueNumber v : stores.all)
        if (coin()) c.buffers[i] = c.buffers[i].with(v);
      if (!stores.all.empty() && coin()) c.buffers[i] = c.buffers[i].with_last(stores.last);
    }
    if (coin()) c.holders = std::uint64_t{1} << s.holder;
    return c;
  }

 private:
  PlainStores stores(const BufferedStores& asked, std::size_t values) {
    PlainStores result;
    if (asked.is_none()) return result;
    for (const auto& count : asked.counts())
      for (std::uint32_t i = 0; i < count.least; ++i) result.all.insert(count.value);
    for (std::uint32_t more = below(3); more > 0; --more) result.all.insert(below(values));
    if (asked.is_some() && result.all.empty()) result.all.insert(below(values));
    if (result.all.empty()) return result;
    result.last =
        asked.last() != kAnyValue ? asked.last() : *std::next(result.all.begin(), below(result.all.size()));
    return result;
  }

  const MultisetSystem& system_;
  bool locks_;
  std::mt19937_64 random_;
};

// Is the configuration reached by one step of the thread or, for a flush, by flushes of the thread?
bool reaches(const PlainMachine& machine, const MultisetSystem& system, const PlainState& from,
             const MultisetSystem::Label& label, const MultisetConfiguration& c) {
  if (!label.flush) {
    for (const PlainState& next : machine.steps(from, label.thread))
      if (satisfies(system, next, c)) return true;
    return false;
  }
  std::vector<PlainState> now{from};
  for (int round = 0; round < 8 && !now.empty(); ++round) {
    std::vector<PlainState> later;
    for (const PlainState& s : now)
      for (PlainState& next : machine.flushes(s, label.thread)) {
        if (satisfies(system, next, c)) return true;
        if (std::ranges::find(later, next) == later.end()) later.push_back(std::move(next));
      }
    now = std::move(later);
  }
  return false;
}

struct Predecessor {
  MultisetConfiguration configuration;
  MultisetSystem::Label label;
};

std::vector<Predecessor> predecessors(MultisetSystem& system, const MultisetConfiguration& c) {
  std::vector<Predecessor> found;
  system.predecessors(c, [&](MultisetConfiguration&& p, const MultisetSystem::Label& label) {
    found.push_back({std::move(p), label});
  });
  return found;
}

struct Checked {
  std::size_t programs = 0, steps = 0, covered_by_predecessor = 0, members = 0;
};

void check_program(std::uint64_t seed, Checked& checked) {
  const Program program = build(selfcheck::abstraction_genome(seed));
  Context context;
  const ValueClosure closure(program, automaton_options(program, {.model = Model::kTso}), {}, context);
  if (!closure.closed() || MultisetSystem::obstacle(program, closure)) return;
  MultisetSystem system(program, closure);
  PlainMachine machine(system);
  machine.program = &program;
  const bool locks = std::ranges::any_of(
      program.edges, [](const Edge& edge) { return edge.instruction.op == Opcode::kLock; });
  Sampler sampler(system, locks, seed);
  ++checked.programs;
  for (int sample = 0; sample < 40; ++sample) {
    const PlainState from = sampler.state();
    for (const PlainState& to : machine.successors(from)) {
      const MultisetConfiguration c = sampler.above(to);
      ASSERT_TRUE(satisfies(system, to, c)) << "seed " << seed;
      const std::vector<Predecessor> found = predecessors(system, c);
      const bool above_one = std::ranges::any_of(
          found, [&](const Predecessor& p) { return satisfies(system, from, p.configuration); });
      ASSERT_TRUE(above_one || satisfies(system, from, c)) << "a predecessor is missing, seed " << seed;
      ++checked.steps;
      checked.covered_by_predecessor += above_one;
      for (const Predecessor& p : found) {
        if (!locks && (p.configuration.holders & 1) == 0) continue;  // an unlock without a lock: no state
        const PlainState member = sampler.member(p.configuration);
        ASSERT_TRUE(satisfies(system, member, p.configuration)) << "seed " << seed;
        ASSERT_TRUE(reaches(machine, system, member, p.label, c))
            << "a predecessor that is none, seed " << seed << (p.label.flush ? ", flush" : "");
        ++checked.members;
      }
    }
  }
}

TEST(MultisetSystem, PredecessorsAreThoseOfTheDefinition) {
  Checked checked;
  for (std::uint64_t seed = 1; seed <= 150 && !HasFatalFailure(); ++seed) check_program(seed, checked);
  EXPECT_GT(checked.programs, 80u);
  EXPECT_GT(checked.covered_by_predecessor, 2'000u);
  EXPECT_GT(checked.members, 10'000u);
}

// If a covers b then whatever satisfies b satisfies a, and the signatures allow it.
TEST(MultisetSystem, CoveringIsInclusion) {
  std::size_t covering = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Program program = build(selfcheck::abstraction_genome(seed));
    Context context;
    const ValueClosure closure(program, automaton_options(program, {.model = Model::kTso}), {}, context);
    if (!closure.closed() || MultisetSystem::obstacle(program, closure)) continue;
    MultisetSystem system(program, closure);
    Sampler sampler(system, false, seed);
    for (int sample = 0; sample < 200; ++sample) {
      const PlainState s = sampler.state();
      const MultisetConfiguration a = sampler.above(s);
      const MultisetConfiguration b = sampler.above(s);
      if (!system.covers(a, b)) continue;
      ++covering;
      EXPECT_TRUE(may_be_below(system.signature(a), system.signature(b)));
      EXPECT_TRUE(satisfies(system, sampler.member(b), a));
    }
  }
  EXPECT_GT(covering, 100u);
}

// The flush that empties a buffer, and the one that must leave the last added store there.
TEST(MultisetSystem, FlushesOfTheLastStore) {
  test::TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).store("x", 2);
  Context context;
  const ValueClosure closure(tiny.program(), automaton_options(tiny.program(), {.model = Model::kTso}), {},
                             context);
  MultisetSystem system(tiny.program(), closure);
  ASSERT_EQ(system.slot_count(), 1u);
  ASSERT_EQ(system.values(0), (std::vector<Value>{0, 1, 2}));
  MultisetConfiguration c = system.anything();
  c.memory[0] = 1;
  const auto buffers_before = [&](BufferedStores after) {
    c.buffers[0] = std::move(after);
    std::vector<BufferedStores> found;
    for (const Predecessor& p : predecessors(system, c))
      if (p.label.flush) found.push_back(p.configuration.buffers[0]);
    return found;
  };
  const BufferedStores some = BufferedStores::some();
  EXPECT_EQ(buffers_before(BufferedStores::none()), std::vector{some.with_last(1)});
  EXPECT_EQ(buffers_before(BufferedStores::any()), std::vector{some.with(1)});
  EXPECT_EQ(buffers_before(some.with_last(2)), std::vector{some.with_last(2).with(1)});
  EXPECT_EQ(buffers_before(some.with(1)), std::vector{some.with(1, 2)});
  EXPECT_EQ(buffers_before(some), (std::vector{some.with(1, 2).with_last(1), some.with(1).with_last(0),
                                               some.with(1).with_last(2)}));
}

}  // namespace weir::multiset_system_test
