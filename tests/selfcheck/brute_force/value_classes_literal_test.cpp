// The definitions of the value-based equivalences once more, literally: every interleaving is a sequence of
// events, of which an update is two [Toman21, Section 4.4], and the relations are computed from places in the
// sequence. As many classes must come out as value_classes finds.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/reference/access.hpp"
#include "selfcheck/brute_force/value_classes.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::value_classes_literal_test {

using namespace selfcheck;

constexpr ThreadId kFirst(0);

bool is_shared_access(const Program& program, const WitnessStep& step) {
  const Opcode op = program.edge(step.edge).instruction.op;
  const bool accesses = op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw;
  return accesses && region_of(program, step.address) == Region::kShared;
}

// Every maximal trace, as a sequence of such events.
template <typename Event>
class AllTraces {
 public:
  using Trace = std::vector<Event>;

  AllTraces(const Program& program, Model model) : machine_(program, model) {
    visit({{}, machine_.initial()});
  }

  bool too_many() const { return known_.size() > kMost; }
  const std::set<Trace>& maximal() const { return maximal_; }

 private:
  static constexpr std::size_t kMost = 20'000;
  using Node = std::pair<Trace, ReferenceState>;

  void visit(const Node& node) {
    if (too_many() || !known_.insert(node).second) return;
    const std::vector<ReferenceStep> steps = machine_.steps(node.second);
    for (const ReferenceStep& step : steps) {
      Trace longer = node.first;
      const std::size_t i = step.steps.front().thread.index();
      const bool buffered = count_stores(step.after.buffers[i]) > count_stores(node.second.buffers[i]);
      for (const WitnessStep& each : step.steps) append(longer, machine_.program(), each, buffered);
      visit({std::move(longer), step.after});
    }
    if (steps.empty()) maximal_.insert(node.first);
  }

  const ReferenceMachine machine_;
  std::set<Node> known_;
  std::set<Trace> maximal_;
};

using Places = std::set<std::pair<std::size_t, std::size_t>>;

// `related(i, j)` for places i < j of a trace, closed under transitivity.
template <typename Related>
Places closure(std::size_t places, Related related) {
  std::vector<std::set<std::size_t>> before(places);
  Places pairs;
  for (std::size_t j = 0; j < places; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!related(i, j)) continue;
      before[j].insert(i);
      before[j].insert(before[i].begin(), before[i].end());
    }
    for (const std::size_t i : before[j]) pairs.emplace(i, j);
  }
  return pairs;
}

using Relation = std::set<std::pair<StepName, StepName>>;

template <typename Event, typename Kept>
Relation restricted(const std::vector<Event>& trace, const Places& places, Kept kept) {
  Relation relation;
  for (const auto& [i, j] : places)
    if (kept(trace[i]) && kept(trace[j])) relation.emplace(trace[i].name, trace[j].name);
  return relation;
}

template <typename Trace, typename ClassOf>
std::size_t count_classes(const std::set<Trace>& traces, ClassOf class_of) {
  std::set<decltype(class_of(*traces.begin()))> classes;
  for (const Trace& trace : traces) classes.insert(class_of(trace));
  return classes.size();
}

// Sequential consistency.

struct Event {
  StepName name;  // the place among the events of the thread
  bool write = false;
  Value address = 0, value = 0;

  friend auto operator<=>(const Event&, const Event&) = default;
};

using Trace = std::vector<Event>;

void append(Trace& trace, const Program& program, const WitnessStep& step, bool /*buffered*/) {
  const auto add = [&](bool write, Value value) {
    const std::size_t thread = step.thread.index();
    const auto earlier = std::ranges::count(trace, thread, [](const Event& e) { return e.name.thread; });
    trace.push_back({{thread, static_cast<std::size_t>(earlier)}, write, step.address, value});
  };
  if (!is_shared_access(program, step)) return;
  add(program.edge(step.edge).instruction.op == Opcode::kStore, step.value);
  if (step.stored) add(true, step.written);
}

bool same_thread(const Event& one, const Event& other) { return one.name.thread == other.name.thread; }

bool conflicting(const Event& one, const Event& other) {
  return one.address == other.address && (one.write || other.write);
}

// The place of the write that the read at `place` reads from; none: the initial write.
std::optional<std::size_t> source_of(const Trace& trace, std::size_t place) {
  for (std::size_t i = place; i-- > 0;)
    if (trace[i].write && trace[i].address == trace[place].address) return i;
  return std::nullopt;
}

Places happens_before(const Trace& trace) {
  return closure(trace.size(), [&](std::size_t i, std::size_t j) {
    return same_thread(trace[i], trace[j]) || conflicting(trace[i], trace[j]);
  });
}

Places causally_happens_before(const Trace& trace) {
  return closure(trace.size(), [&](std::size_t i, std::size_t j) {
    return same_thread(trace[i], trace[j]) || (!trace[j].write && source_of(trace, j) == i);
  });
}

Places conflicts(const Trace& trace) {
  Places pairs;
  for (std::size_t j = 0; j < trace.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (conflicting(trace[i], trace[j])) pairs.emplace(i, j);
  return pairs;
}

Relation among_reads(const Trace& trace, const Places& places) {
  return restricted(trace, places, [](const Event& event) { return !event.write; });
}

Relation among_leaves(const Trace& trace, const Places& places, ThreadId root) {
  return restricted(trace, places, [&](const Event& event) { return event.name.thread != root.index(); });
}

std::map<StepName, std::optional<StepName>> reads_from(const Trace& trace) {
  std::map<StepName, std::optional<StepName>> sources;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (trace[i].write) continue;
    const std::optional<std::size_t> source = source_of(trace, i);
    sources[trace[i].name] = source ? std::optional(trace[*source].name) : std::nullopt;
  }
  return sources;
}

std::set<StepName> reads_of_root_from_root(const Trace& trace, ThreadId root) {
  std::set<StepName> names;
  for (const auto& [read, source] : reads_from(trace))
    if (read.thread == root.index() && source && source->thread == root.index()) names.insert(read);
  return names;
}

struct LiteralCounts {
  std::size_t values = 0, reads_value_from = 0, value_centric = 0, data_centric = 0;

  friend bool operator==(const LiteralCounts&, const LiteralCounts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const LiteralCounts& counts) {
    return out << counts.values << " " << counts.reads_value_from << " " << counts.value_centric << " "
               << counts.data_centric;
  }
};

std::set<Event> events_and_values(const Trace& trace) { return {trace.begin(), trace.end()}; }

LiteralCounts literal_counts(const std::set<Trace>& traces, ThreadId root) {
  const auto causal = [](const Trace& trace) { return among_reads(trace, causally_happens_before(trace)); };
  const auto leaves = [&](const Trace& trace) { return among_leaves(trace, conflicts(trace), root); };
  LiteralCounts counts;
  counts.values = count_classes(traces, events_and_values);
  counts.reads_value_from = count_classes(
      traces, [&](const Trace& trace) { return std::tuple(events_and_values(trace), causal(trace)); });
  counts.value_centric = count_classes(traces, [&](const Trace& trace) {
    return std::tuple(events_and_values(trace), causal(trace), reads_of_root_from_root(trace, root),
                      leaves(trace));
  });
  counts.data_centric = count_classes(traces, [&](const Trace& trace) {
    return std::tuple(events_and_values(trace), reads_from(trace), leaves(trace));
  });
  return counts;
}

std::size_t number(const std::set<std::string>& proper, const std::set<std::string>& blocked) {
  std::set<std::string> both = proper;
  both.insert(blocked.begin(), blocked.end());
  return both.size();
}

LiteralCounts counts_of(const ValueClasses& classes) {
  const ValueClassSets &proper = classes.proper, &blocked = classes.blocked;
  return {.values = number(proper.values, blocked.values),
          .reads_value_from = number(proper.reads_value_from, blocked.reads_value_from),
          .value_centric = number(proper.value_centric, blocked.value_centric),
          .data_centric = number(proper.data_centric, blocked.data_centric)};
}

Program figure_4_1() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").store("x", 1).store("y", 1).load("r", "x");
  tiny.thread("R").store("x", 1).store("y", 1).load("r", "y");
  return tiny.program();
}

TEST(ValueClassesLiterally, Figure4_1) {
  const Program program = figure_4_1();
  const AllTraces<Event> traces(program, Model::kSc);
  ASSERT_FALSE(traces.too_many());
  EXPECT_EQ(literal_counts(traces.maximal(), kFirst), (LiteralCounts{1, 1, 7, 28}));
}

// The letter of Section 3.1: all of happens-before, restricted to leaf events.
std::size_t count_value_centric_by_section_3_1(const std::set<Trace>& traces, ThreadId root) {
  return count_classes(traces, [&](const Trace& trace) {
    return std::tuple(events_and_values(trace), among_reads(trace, causally_happens_before(trace)),
                      reads_of_root_from_root(trace, root), among_leaves(trace, happens_before(trace), root));
  });
}

TEST(ValueClassesLiterally, Figure4_1BySection3_1) {
  const Program program = figure_4_1();
  const AllTraces<Event> traces(program, Model::kSc);
  EXPECT_EQ(count_value_centric_by_section_3_1(traces.maximal(), kFirst), 17u);
}

// Whether Q's write is before R's by way of the root P. So by that letter, value-centric is not as coarse as
// data-centric, which Figure 4.3 claims.
TEST(ValueClassesLiterally, Section3_1ContradictsFigure4_3) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").store("x", 1);
  tiny.thread("R").store("y", 1);
  const AllTraces<Event> traces(tiny.program(), Model::kSc);
  EXPECT_EQ(count_value_centric_by_section_3_1(traces.maximal(), kFirst), 2u);
  EXPECT_EQ(literal_counts(traces.maximal(), kFirst), (LiteralCounts{1, 1, 1, 1}));
}

// Without what a sequence of accesses does not show: choices, and how threads end.
GeneratorShape only_accesses(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_threads = seed % 2 == 0 ? 2 : 3;
  shape.max_instructions = seed % 2 == 0 ? 5 : 3;
  shape.max_variables = 2;
  shape.max_value = 1;
  shape.assertions = shape.nondeterminism = shape.choices = false;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.extra.waiting_loads = seed % 4 == 1;
  return shape;
}

TEST(ValueClassesLiterally, GeneratedPrograms) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Genome genome = random_genome(seed, only_accesses(seed));
    const Program program = build(genome);
    const AllTraces<Event> traces(program, Model::kSc);
    if (traces.too_many()) continue;
    for (std::size_t root = 0; root < program.threads.size(); ++root)
      ASSERT_EQ(counts_of(value_classes(program, Model::kSc, ThreadId(root))),
                literal_counts(traces.maximal(), ThreadId(root)))
          << "seed " << seed << ", root " << root << "\n"
          << describe(genome);
    ++compared;
  }
  EXPECT_GT(compared, 200u);
}

// TSO and PSO: a write is two events, and program order is that of Section 2.3.

struct WeakEvent {
  enum class Kind : std::uint8_t { kRead, kBufferWrite, kMemoryWrite, kFence };

  Kind kind = Kind::kRead;
  StepName name;  // the place among the thread events; of a memory-write: that of its buffer-write
  Value address = 0, value = 0;

  friend auto operator<=>(const WeakEvent&, const WeakEvent&) = default;
};

using Kind = WeakEvent::Kind;
using WeakTrace = std::vector<WeakEvent>;

void add_thread_event(WeakTrace& trace, Kind kind, const WitnessStep& step, Value value) {
  const std::size_t thread = step.thread.index();
  const auto earlier = std::ranges::count_if(trace, [&](const WeakEvent& event) {
    return event.kind != Kind::kMemoryWrite && event.name.thread == thread;
  });
  trace.push_back({kind, {thread, static_cast<std::size_t>(earlier)}, step.address, value});
}

bool is_in_memory(const WeakTrace& trace, const StepName& write, std::size_t places) {
  return std::any_of(
      trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(places),
      [&](const WeakEvent& event) { return event.kind == Kind::kMemoryWrite && event.name == write; });
}

// The oldest buffered write of the thread to the address goes to memory.
void add_memory_write(WeakTrace& trace, const WitnessStep& step) {
  const auto oldest = std::ranges::find_if(trace, [&](const WeakEvent& event) {
    return event.kind == Kind::kBufferWrite && event.name.thread == step.thread.index() &&
           event.address == step.address && !is_in_memory(trace, event.name, trace.size());
  });
  ASSERT_NE(oldest, trace.end());
  WeakEvent written = *oldest;
  written.kind = Kind::kMemoryWrite;
  trace.push_back(written);
}

void append(WeakTrace& trace, const Program& program, const WitnessStep& step, bool buffered) {
  if (step.kind == WitnessStep::Kind::kFlush) return add_memory_write(trace, step);
  const Instruction& instruction = program.edge(step.edge).instruction;
  if (instruction.op == Opcode::kFence && instruction.fence == FenceKind::kFull)
    add_thread_event(trace, Kind::kFence, step, 0);
  if (!is_shared_access(program, step)) return;
  const bool store = instruction.op == Opcode::kStore;
  if (!store) add_thread_event(trace, Kind::kRead, step, step.value);
  if (store || step.stored) {
    add_thread_event(trace, Kind::kBufferWrite, step, store ? step.value : step.written);
    if (!buffered) add_memory_write(trace, step);
  }
}

bool program_order(const WeakEvent& one, const WeakEvent& other, Model model) {
  if (one.name.thread != other.name.thread) return false;
  const bool from_memory = one.kind == Kind::kMemoryWrite, to_memory = other.kind == Kind::kMemoryWrite;
  if (!from_memory && !to_memory) return true;
  if (!from_memory) return one.name == other.name;
  if (to_memory) return model == Model::kTso || one.address == other.address;
  return other.kind == Kind::kFence;
}

// The buffer-write of what the read at `place` reads from.
std::optional<StepName> weak_source_of(const WeakTrace& trace, std::size_t place) {
  const WeakEvent& read = trace[place];
  for (std::size_t i = place; i-- > 0;)
    if (trace[i].kind == Kind::kBufferWrite && trace[i].address == read.address &&
        trace[i].name.thread == read.name.thread && !is_in_memory(trace, trace[i].name, place))
      return trace[i].name;
  for (std::size_t i = place; i-- > 0;)
    if (trace[i].kind == Kind::kMemoryWrite && trace[i].address == read.address) return trace[i].name;
  return std::nullopt;
}

// `from_memory`: a read comes after the memory-write of what it reads from, if that is before it in the
// trace, otherwise after the buffer-write.
Relation weak_causal_order_of_reads(const WeakTrace& trace, Model model, bool from_memory) {
  const auto reads_from = [&](std::size_t i, std::size_t j) {
    if (trace[j].kind != Kind::kRead || trace[i].name != weak_source_of(trace, j)) return false;
    const bool memory = from_memory && is_in_memory(trace, trace[i].name, j);
    return trace[i].kind == (memory ? Kind::kMemoryWrite : Kind::kBufferWrite);
  };
  const Places order = closure(trace.size(), [&](std::size_t i, std::size_t j) {
    return program_order(trace[i], trace[j], model) || reads_from(i, j);
  });
  return restricted(trace, order, [](const WeakEvent& event) { return event.kind == Kind::kRead; });
}

std::size_t count_weak_reads_value_from(const std::set<WeakTrace>& traces, Model model, bool from_memory) {
  return count_classes(traces, [&](const WeakTrace& trace) {
    return std::tuple(std::set<WeakEvent>(trace.begin(), trace.end()),
                      weak_causal_order_of_reads(trace, model, from_memory));
  });
}

// Fewer than under SC, for flushes are steps, too. Without locks: who keeps one keeps others from flushing,
// and what is never flushed is an event less.
GeneratorShape few_accesses(std::uint64_t seed) {
  GeneratorShape shape = only_accesses(seed);
  shape.max_instructions = seed % 2 == 0 ? 4 : 2;
  shape.locks = false;
  return shape;
}

class ValueClassesLiterallyUnder : public testing::TestWithParam<Model> {};

TEST_P(ValueClassesLiterallyUnder, GeneratedPrograms) {
  const Model model = GetParam();
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Genome genome = random_genome(seed, few_accesses(seed));
    const Program program = build(genome);
    const AllTraces<WeakEvent> traces(program, model);
    if (traces.too_many()) continue;
    const std::size_t expected = counts_of(value_classes(program, model, kFirst)).reads_value_from;
    for (const bool from_memory : {false, true})
      ASSERT_EQ(count_weak_reads_value_from(traces.maximal(), model, from_memory), expected)
          << "seed " << seed << "\n"
          << describe(genome);
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

INSTANTIATE_TEST_SUITE_P(Models, ValueClassesLiterallyUnder, testing::Values(Model::kTso, Model::kPso),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace weir::test::value_classes_literal_test
