// Sets of traces: counted by hand, the verdicts of classic litmus tests, and Lemma 1 of [Bouajjani13] (a TSO
// trace is an SC trace if and only if its happens-before relation has no cycle) on generated programs.
#include "check/trace_sets.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "check/happens_before.hpp"
#include "check/replay.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::trace_sets_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

std::size_t count(TinyProgram& tiny, Model model) {
  const TraceSet found = all_traces(tiny.program(), model);
  EXPECT_TRUE(found.complete);
  return found.traces.size();
}

BruteForceVerdict verdict(TinyProgram& tiny) { return compare_traces(tiny.program()); }

constexpr auto kRobust = BruteForceVerdict::kRobust;
constexpr auto kNotRobust = BruteForceVerdict::kNotRobust;
constexpr auto kTooLarge = BruteForceVerdict::kTooLarge;

// Counting. The empty trace counts, too.

TEST(TracesCountedByHand, OneStore) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  for (const Model model : kModels) EXPECT_EQ(count(tiny, model), 2u);
}

TEST(TracesCountedByHand, IndependentAccessesAndLocalStepsHaveNoOrder) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").nop().store("x", 1).nop();
  tiny.thread("Q").store("y", 1).fence();
  for (const Model model : kModels) EXPECT_EQ(count(tiny, model), 4u);
}

TEST(TracesCountedByHand, TwoStoresToOneAddressHave) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").store("x", 1);
  for (const Model model : kModels) EXPECT_EQ(count(tiny, model), 5u);
}

// One trace for each pair of positions, except: 2 where one thread is done and the other has stored, 3 where
// both are done, and 4 with buffers.
TEST(TracesCountedByHand, StoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  EXPECT_EQ(count(tiny, Model::kSc), 13u);
  EXPECT_EQ(count(tiny, Model::kTso), 14u);
  EXPECT_EQ(count(tiny, Model::kPso), 14u);
}

// Nothing, P's block, Q's, and both in either order; the same for lock sections that also end halfway.
TEST(TracesCountedByHand, BlocksAndSections) {
  TinyProgram blocks({"x"});
  for (const char* name : {"P", "Q"})
    blocks.thread(name).atomic_begin().load("r", "x").store("x", 1).atomic_end();
  TinyProgram sections({"x"});
  for (const char* name : {"P", "Q"}) sections.thread(name).lock().load("r", "x").store("x", 1).unlock();
  for (const Model model : kModels) {
    EXPECT_EQ(count(blocks, model), 5u);
    EXPECT_EQ(count(sections, model), 9u);
  }
}

TEST(Traces, ReadWell) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "x");
  tiny.thread("Q").lock().load("s", "y").exchange("t", "x", 2).unlock();
  const TraceSet found = all_traces(tiny.program(), Model::kTso);
  EXPECT_TRUE(found.traces.contains("0: e0@0:=1 e1@0=2<1.1\n1: e3@1=0<init & e4@0=1<0.0:=2\n@0: 0.0 1.1\n"));
}

TEST(Traces, DoNotIncludeWhatFails) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").assert_equal("r", 1).load("r", "x");
  EXPECT_EQ(count(tiny, Model::kTso), 2u);
}

// Both ways through the block end in the same state, but have different accesses.
TEST(Traces, TakeEveryWayThroughABlock) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").atomic_begin();
  const LocationId fork = p.here();
  p.nop().nop();
  const LocationId join = p.here();
  p.continue_at(fork).add({}).store("y", 0).jump_to(join);
  p.continue_at(join).store("x", 1).atomic_end();
  for (const Model model : kModels) EXPECT_EQ(count(tiny, model), 3u);
}

// The lock is taken before or behind the load. The state behind it is the same either way, but the store that
// follows joins the load only if both are in the section.
TEST(Traces, TellWhetherASectionBeganBeforeTheLastAccess) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  p.nop();
  tiny.program().add_edge(start, p.here(), {.op = Opcode::kLock});
  p.load("r", "x");
  const LocationId loaded = p.here();
  p.lock();
  tiny.program().add_edge(loaded, p.here(), {});
  p.store("y", 1).unlock();
  for (const Model model : kModels) EXPECT_EQ(count(tiny, model), 4u);
}

// Limits.

TEST(TraceLimits, AreReported) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId loop = p.here();
  p.store("x", 1).jump_to(loop);
  EXPECT_FALSE(all_traces(tiny.program(), Model::kSc).complete);
  EXPECT_EQ(verdict(tiny), kTooLarge);
  EXPECT_EQ(compare_traces(tiny.program(), {.computations = 50}), kTooLarge);
}

TEST(TraceLimits, ALocalLoopKeepsNobodyWaiting) {
  TinyProgram tiny({"x", "y"});
  TinyThread l = tiny.thread("L");
  l.jump_to(l.here());
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  EXPECT_EQ(count(tiny, Model::kSc), 13u);
  EXPECT_EQ(count(tiny, Model::kTso), 14u);
}

// Verdicts.

TEST(Verdict, StoreBufferingNeedsAFenceInBothThreads) {
  for (int fences = 0; fences < 4; ++fences) {
    TinyProgram tiny({"x", "y"});
    TinyThread p = tiny.thread("P").store("x", 1);
    if (fences & 1) p.fence();
    p.load("r", "y");
    TinyThread q = tiny.thread("Q").store("y", 1);
    if (fences & 2) q.fence();
    q.load("s", "x");
    EXPECT_EQ(verdict(tiny), fences == 3 ? kRobust : kNotRobust);
  }
}

TEST(Verdict, StoreBufferingThroughLockedInstructionsIsRobust) {
  TinyProgram exchanges({"x", "y"});
  exchanges.thread("P").exchange("t", "x", 1).load("r", "y");
  exchanges.thread("Q").exchange("t", "y", 1).load("s", "x");
  EXPECT_EQ(verdict(exchanges), kRobust);
  TinyProgram stores({"x", "y"});
  stores.thread("P").store("x", 1, Order::kSequential).load("r", "y");
  stores.thread("Q").store("y", 1, Order::kSequential).load("s", "x");
  EXPECT_EQ(verdict(stores), kRobust);
  TinyProgram sections({"x", "y"});
  sections.thread("P").lock().store("x", 1).load("r", "y").unlock();
  sections.thread("Q").lock().store("y", 1).load("s", "x").unlock();
  EXPECT_EQ(verdict(sections), kRobust);
  TinyProgram half({"x", "y"});
  half.thread("P").lock().store("x", 1).unlock().load("r", "y");
  half.thread("Q").store("y", 1).atomic_begin().load("s", "x").atomic_end();
  EXPECT_EQ(verdict(half), kRobust);
}

TEST(Verdict, MessagePassingAndLoadBufferingAreRobust) {
  TinyProgram passing({"x", "y"});
  passing.thread("P").store("x", 1).store("y", 1);
  passing.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(verdict(passing), kRobust);
  TinyProgram buffering({"x", "y"});
  buffering.thread("P").load("r", "x").store("y", 1);
  buffering.thread("Q").load("s", "y").store("x", 1);
  EXPECT_EQ(verdict(buffering), kRobust);
}

TEST(Verdict, IndependentReadsOfIndependentWritesAreRobust) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").store("y", 1);
  tiny.thread("R").load("r", "x").load("s", "y");
  tiny.thread("S").load("t", "y").load("u", "x");
  EXPECT_EQ(verdict(tiny), kRobust);
}

// The trace is not robust although every outcome that the registers can show also occurs under SC.
TEST(Verdict, AStoreDelayedPastAnEarlyReadAndALoad) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "x").load("q", "y");
  tiny.thread("Q").store("y", 1).store("x", 2);
  EXPECT_EQ(verdict(tiny), kNotRobust);
  TinyProgram stores({"x", "y"});
  stores.thread("P").store("x", 1).store("y", 2);
  stores.thread("Q").store("y", 1).store("x", 2);
  EXPECT_EQ(verdict(stores), kRobust) << "stores stay in order";
}

// That Q misses x and P misses y is impossible under SC only because Q's accesses are one unit.
TEST(Verdict, SectionsAndBlocksAreNotRobustAgainstADelayedStore) {
  TinyProgram plain({"x", "y"});
  plain.thread("P").store("x", 1).load("r", "y");
  plain.thread("Q").load("a", "x").store("y", 1);
  EXPECT_EQ(verdict(plain), kRobust);
  TinyProgram section({"x", "y"});
  section.thread("P").store("x", 1).load("r", "y");
  section.thread("Q").lock().load("a", "x").store("y", 1).unlock();
  EXPECT_EQ(verdict(section), kNotRobust);
  TinyProgram block({"x", "y"});
  block.thread("P").store("x", 1).load("r", "y");
  block.thread("Q").atomic_begin().load("a", "x").store("y", 1).atomic_end();
  EXPECT_EQ(verdict(block), kNotRobust);
}

// As before, but Q may also skip the lock (it stops before an `unlock` then). That does not excuse the
// execution with the lock.
TEST(Verdict, ASectionIsToldFromTheSameAccessesOutside) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  TinyThread q = tiny.thread("Q");
  const LocationId start = q.here();
  q.lock();
  tiny.program().add_edge(start, q.here(), {});
  q.load("a", "x").store("y", 1).unlock();
  EXPECT_EQ(verdict(tiny), kNotRobust);
}

// Lemma 1, and cycles once more in the plainest way.

// The length of a shortest cycle of units, by Floyd and Warshall on the whole relation; 0 if there is none.
std::size_t shortest_cycle(const std::vector<TraceEvent>& events) {
  constexpr std::size_t kFar = 1'000'000;
  const auto is_before = [&](const TraceEvent& a, const TraceEvent& b) {
    const auto overwrites = [&](const TraceEvent& later, const TraceEvent& earlier) {
      return later.writes && later.address == earlier.address &&
             std::tuple(later.visible, later.step) > std::tuple(earlier.visible, earlier.step);
    };
    if (a.thread == b.thread && a.step < b.step) return true;
    if (b.source && &events[*b.source] == &a) return true;
    if (a.writes && overwrites(b, a)) return true;
    if (!a.reads || !b.writes || a.address != b.address) return false;
    return !a.source || overwrites(b, events[*a.source]);
  };
  std::size_t units = 0;
  for (const TraceEvent& event : events) units = std::max(units, event.unit + 1);
  std::vector<std::vector<std::size_t>> way(units, std::vector<std::size_t>(units, kFar));
  for (const TraceEvent& a : events)
    for (const TraceEvent& b : events)
      if (a.unit != b.unit && is_before(a, b)) way[a.unit][b.unit] = 1;
  for (std::size_t via = 0; via < units; ++via)
    for (std::size_t a = 0; a < units; ++a)
      for (std::size_t b = 0; b < units; ++b) way[a][b] = std::min(way[a][b], way[a][via] + way[via][b]);
  std::size_t shortest = kFar;
  for (std::size_t unit = 0; unit < units; ++unit) shortest = std::min(shortest, way[unit][unit]);
  return shortest == kFar ? 0 : shortest;
}

bool is_closed(const HappensBefore& relation, const std::vector<HappensBeforeEdge>& cycle) {
  const auto& events = relation.events;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const HappensBeforeEdge& next = cycle[(i + 1) % cycle.size()];
    if (events[cycle[i].to].unit != events[next.from].unit) return false;
    if (events[cycle[i].from].unit == events[cycle[i].to].unit) return false;
  }
  return true;
}

struct Comparison {
  std::string disagreement;
  std::size_t sequential = 0, cyclic = 0;  // traces
};

// Empty if for every trace the three answers agree: SC has it, no cycle, replay of a robustness violation.
std::string disagreement(const Program& program, const std::string& text, const Witness& witness,
                         bool sequential) {
  const HappensBefore relation = happens_before(program, witness);
  const std::vector<HappensBeforeEdge> cycle = relation.cycle();
  if (trace_text(program, witness) != text) return "the text is not that of the execution:\n" + text;
  if (sequential != cycle.empty()) return (sequential ? "cyclic SC trace:\n" : "acyclic trace:\n") + text;
  if (cycle.size() != shortest_cycle(relation.events)) return "not the shortest cycle:\n" + text;
  if (!is_closed(relation, cycle)) return "not a cycle:\n" + text;
  if (replay(program, witness).reproduced == cycle.empty()) return "replay disagrees:\n" + text;
  return {};
}

constexpr TraceLimits kSmall{.computations = 3'000};

// Nothing if the program is too large.
std::optional<Comparison> compare(const Program& program, Model model) {
  const TraceSet sequential = all_traces(program, Model::kSc, kSmall);
  if (!sequential.complete) return std::nullopt;
  Comparison result;
  std::size_t found = 0;
  const auto check = [&](const std::string& text, const Witness& witness) {
    const bool known = sequential.traces.contains(text);
    found += known ? 1 : 0;
    ++(known ? result.sequential : result.cyclic);
    result.disagreement = disagreement(program, text, witness, known);
    return result.disagreement.empty();
  };
  if (!for_each_trace(program, model, kSmall, check)) return std::nullopt;
  if (result.disagreement.empty() && found != sequential.traces.size())
    result.disagreement = "an SC trace is missing";
  return result;
}

GeneratorShape loop_free() {
  GeneratorShape shape;
  shape.max_instructions = 4;
  shape.failures = true;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  return shape;
}

bool compared_badly(const Genome& genome, Model model) {
  const auto result = compare(build(genome), model);
  return result && !result->disagreement.empty();
}

struct Totals {
  std::size_t programs = 0, not_robust = 0, sequential = 0, cyclic = 0;
};

Totals compare_seeds(std::uint64_t seeds, const GeneratorShape& shape, Model model) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Genome genome = random_genome(seed, shape);
    const auto result = compare(build(genome), model);
    if (!result) continue;
    if (!result->disagreement.empty()) {
      const Genome small = shrink_failing(genome, [&](const Genome& g) { return compared_badly(g, model); });
      ADD_FAILURE() << "seed " << seed << small << compare(build(small), model)->disagreement;
      return totals;
    }
    ++totals.programs;
    totals.not_robust += result->cyclic > 0 ? 1 : 0;
    totals.sequential += result->sequential;
    totals.cyclic += result->cyclic;
  }
  return totals;
}

void record(const char* what, const Totals& totals) {
  const std::string name = what;
  ::testing::Test::RecordProperty(name + "_programs", static_cast<int>(totals.programs));
  ::testing::Test::RecordProperty(name + "_not_robust", static_cast<int>(totals.not_robust));
  ::testing::Test::RecordProperty(name + "_traces", static_cast<int>(totals.sequential + totals.cyclic));
  ::testing::Test::RecordProperty(name + "_cyclic", static_cast<int>(totals.cyclic));
}

TEST(Lemma1, HoldsForPlainAccesses) {
  GeneratorShape shape = plain_accesses();
  shape.max_instructions = 4;
  const Totals totals = compare_seeds(400, shape, Model::kTso);
  record("plain", totals);
  EXPECT_GT(totals.programs, 300u);
  EXPECT_GT(totals.not_robust, 50u);
}

TEST(Lemma1, HoldsWithLockedInstructionsSectionsAndBlocks) {
  const Totals totals = compare_seeds(1500, loop_free(), Model::kTso);
  record("all", totals);
  EXPECT_GT(totals.programs, 1000u);
  EXPECT_GT(totals.not_robust, 50u);
}

// Except where blocks are freed: see the next test.
TEST(Lemma1, HoldsForWhatCProgramsNeed) {
  GeneratorShape shape = loop_free();
  shape.extra = all_features();
  shape.extra.frees = false;
  for (const Model model : {Model::kTso, Model::kPso}) {
    const Totals totals = compare_seeds(1500, shape, model);
    record(name(model), totals);
    EXPECT_GT(totals.programs, 500u);
    EXPECT_GT(totals.not_robust, 20u);
  }
}

// P's release is still in its buffer when Q uses the block. Whether a block was released is no part of a
// trace, so nothing in the trace says why SC does not have it.
TEST(Lemma1, FailsWhenBlocksAreFreed) {
  TextProgram text("shared x : u64 = 0\nshared y = 0\n");
  text.thread("P", {"p := allocate zeroed 1", "store u64 sequential x := p", "free heap p", "r := load y"});
  text.thread("Q", {"q := load u64 x wait 0", "store sequential y := 1", "r := load u8 [q]"});
  const Program program = text.program();
  EXPECT_EQ(compare_traces(program), BruteForceVerdict::kNotRobust);
  const bool complete =
      for_each_trace(program, Model::kTso, {}, [&](const std::string&, const Witness& witness) {
        EXPECT_TRUE(happens_before(program, witness).cycle().empty());
        return true;
      });
  EXPECT_TRUE(complete);
}

TEST(Lemma1, HoldsForPso) {
  const Totals totals = compare_seeds(500, loop_free(), Model::kPso);
  record("pso", totals);
  EXPECT_GT(totals.not_robust, 50u);
}

// Random executions of the reference machine, which knows nothing about traces: none is missing.
TEST(Traces, OfRandomExecutionsAreAmongThem) {
  std::mt19937_64 random(1);
  std::size_t ends = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    GeneratorShape shape = loop_free();
    if (seed >= 200) shape.extra = some_features(seed);
    const Genome genome = random_genome(seed, shape);
    const Program program = build(genome);
    const TraceSet found = all_traces(program, Model::kTso, kSmall);
    if (!found.complete) continue;
    const ReferenceMachine machine(program, Model::kTso);
    for (int walk = 0; walk < 20; ++walk) {
      Witness witness{.model = Model::kTso, .violation = {.kind = ViolationKind::kRobustness}};
      ReferenceState state = machine.initial();
      for (;;) {
        std::vector<ReferenceStep> steps = machine.steps(state);
        std::erase_if(steps, [](const ReferenceStep& step) { return step.failure.has_value(); });
        if (std::ranges::all_of(state.buffers, &StoreBuffer::empty)) {
          ASSERT_TRUE(found.traces.contains(trace_text(program, witness))) << genome;
          ++ends;
        }
        if (steps.empty()) break;
        const ReferenceStep& step = steps[random() % steps.size()];
        witness.steps.insert(witness.steps.end(), step.steps.begin(), step.steps.end());
        state = step.after;
      }
    }
  }
  EXPECT_GT(ends, 10'000u);
}

}  // namespace weir::test::trace_sets_test
