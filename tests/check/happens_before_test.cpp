// Events and relations of executions written by hand, cycles, and the two violations that are about a whole
// execution. That a cycle means that SC has no such trace is tested in trace_sets_test.cpp.
#include "check/happens_before.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "support/tiny_program.hpp"
#include "trace/replay_file.hpp"

namespace weir::test::happens_before_test {

// A capital letter lets the thread of that name execute its first executable instruction (or atomic block),
// a small one flushes the first store that may be flushed; a digit behind it says which instead of the first.
Witness execution(const Program& program, Model model, std::string_view schedule,
                  ViolationKind kind = ViolationKind::kRobustness) {
  const ReferenceMachine machine(program, model);
  ReferenceState state = machine.initial();
  Witness witness{.model = model, .violation = {.kind = kind}};
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const auto name = static_cast<char>(std::toupper(schedule[i]));
    const ThreadId thread = program.find_thread(std::string(1, name)).value();
    const auto wanted = schedule[i] == name ? WitnessStep::Kind::kInstruction : WitnessStep::Kind::kFlush;
    std::vector<ReferenceStep> steps = machine.steps(state);
    std::erase_if(steps, [&](const ReferenceStep& step) {
      return step.steps[0].thread != thread || step.steps[0].kind != wanted;
    });
    const bool chosen = i + 1 < schedule.size() && std::isdigit(schedule[i + 1]) != 0;
    const ReferenceStep& step = steps.at(chosen ? static_cast<std::size_t>(schedule[++i] - '0') : 0);
    witness.steps.insert(witness.steps.end(), step.steps.begin(), step.steps.end());
    state = step.after;
  }
  return witness;
}

std::string text(const std::vector<HappensBeforeEdge>& edges) {
  std::string out;
  for (const HappensBeforeEdge& edge : edges)
    out += fmt::format("{}{} {} {}", out.empty() ? "" : ", ", edge.from, name(edge.relation), edge.to);
  return out;
}

// Sorted, for comparison.
std::string edges_of(HappensBefore relation) {
  std::ranges::sort(relation.edges, {}, [](const HappensBeforeEdge& edge) {
    return std::tuple(edge.from, edge.relation, edge.to);
  });
  return text(relation.edges);
}

std::string cycle_of(TinyProgram& tiny, Model model, std::string_view schedule) {
  const Witness witness = execution(tiny.program(), model, schedule);
  const std::vector<HappensBeforeEdge> cycle = happens_before(tiny.program(), witness).cycle();
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_EQ(result.reproduced, !cycle.empty()) << result.failure;
  return text(cycle);
}

TinyProgram store_buffering() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  return tiny;
}

// Events.

TEST(Events, TellStepsValuesAndSources) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).nop().load("r", "x");
  const auto events = trace_events(tiny.program(), execution(tiny.program(), Model::kTso, "PPPp"));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].step, 0u);
  EXPECT_EQ(events[0].visible, 3u) << "the flush";
  EXPECT_TRUE(events[0].writes && !events[0].reads);
  EXPECT_EQ(events[0].written, 1);
  EXPECT_EQ(events[1].step, 2u) << "the nop is no event";
  EXPECT_EQ(events[1].visible, 2u);
  EXPECT_TRUE(events[1].reads && !events[1].writes);
  EXPECT_EQ(events[1].read, 1);
  EXPECT_EQ(events[1].source, 0u) << "read from the own buffer, before the flush";
}

TEST(Events, ReadTheInitialValueTheNewestOwnStoreOrMemory) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").store("x", 1).store("x", 2).load("r", "x").load("r", "x");
  tiny.thread("Q").store("x", 3);
  const auto events = trace_events(tiny.program(), execution(tiny.program(), Model::kTso, "PPPpPQpqP"));
  ASSERT_EQ(events.size(), 6u);
  EXPECT_EQ(events[0].source, std::nullopt);
  EXPECT_EQ(events[3].source, 2u) << "the flush of the older store does not matter";
  EXPECT_EQ(events[5].source, 4u);
}

TEST(Events, OfReadModifyWritesReadAndPerhapsWrite) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 2).compare_exchange("r", "x", 0, 5);
  const auto events = trace_events(tiny.program(), execution(tiny.program(), Model::kTso, "PP"));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].reads && events[0].writes);
  EXPECT_EQ(events[0].written, 2);
  EXPECT_TRUE(events[1].reads);
  EXPECT_FALSE(events[1].writes) << "the comparison failed";
  EXPECT_EQ(events[1].source, 0u);
}

TEST(Events, DoNotIncludeALastInstructionThatFails) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).add(
      {.op = Opcode::kStore, .a = tiny.program().constant(9), .b = tiny.program().constant(1)});
  const Witness witness = execution(tiny.program(), Model::kTso, "PP", ViolationKind::kMemory);
  ASSERT_TRUE(replay(tiny.program(), witness).reproduced);
  EXPECT_EQ(trace_events(tiny.program(), witness).size(), 1u);
}

std::vector<std::size_t> units(TinyProgram& tiny, std::string_view schedule) {
  std::vector<std::size_t> found;
  for (const TraceEvent& event :
       trace_events(tiny.program(), execution(tiny.program(), Model::kTso, schedule)))
    found.push_back(event.unit);
  return found;
}

TEST(Units, AreLockSectionsFinishedOrNot) {
  TinyProgram tiny({"x"});
  tiny.thread("P")
      .load("r", "x")
      .lock()
      .load("r", "x")
      .load("r", "x")
      .unlock()
      .load("r", "x")
      .lock()
      .load("r", "x")
      .load("r", "x");
  EXPECT_EQ(units(tiny, "PPPPPPPPP"), (std::vector<std::size_t>{0, 1, 1, 2, 3, 3}));
}

TEST(Units, AreAtomicBlocksExceptInsideALockSection) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  for (int round = 0; round < 2; ++round) p.atomic_begin().load("r", "x").load("r", "x").atomic_end();
  p.lock().load("r", "x").atomic_begin().load("r", "x").atomic_end().load("r", "x").unlock();
  EXPECT_EQ(units(tiny, "PPPPPPP"), (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 2}));
}

// Relations.

TEST(Relations, OfStoreBuffering) {
  TinyProgram tiny = store_buffering();
  EXPECT_EQ(edges_of(happens_before(tiny.program(), execution(tiny.program(), Model::kTso, "PPQQpq"))),
            "0 po 1, 1 fr 2, 2 po 3, 3 fr 0");
  EXPECT_EQ(edges_of(happens_before(tiny.program(), execution(tiny.program(), Model::kSc, "PPQQ"))),
            "0 po 1, 0 rf 3, 1 fr 2, 2 po 3");
}

// Coherence is the order of the flushes. A read is overwritten by the write behind its source.
TEST(Relations, CoherenceFollowsTheFlushes) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).load("r", "x");
  tiny.thread("Q").store("x", 2).load("s", "x");
  EXPECT_EQ(edges_of(happens_before(tiny.program(), execution(tiny.program(), Model::kTso, "PQPQqp"))),
            "0 po 2, 0 rf 2, 1 po 3, 1 rf 3, 1 co 0, 3 fr 0");
}

TEST(Relations, StoresThatAreNotFlushedComeLast) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").store("x", 2);
  tiny.thread("R").store("x", 3);
  EXPECT_EQ(edges_of(happens_before(tiny.program(), execution(tiny.program(), Model::kTso, "PQRr"))),
            "0 co 1, 2 co 0");
}

TEST(Relations, AReadModifyWriteIsNotBeforeItself) {
  TinyProgram tiny({"x"});
  tiny.thread("P").exchange("r", "x", 1);
  tiny.thread("Q").exchange("s", "x", 2);
  tiny.thread("R").load("t", "x");
  EXPECT_EQ(edges_of(happens_before(tiny.program(), execution(tiny.program(), Model::kTso, "RPQ"))),
            "0 fr 1, 1 rf 2, 1 co 2");
}

// Cycles.

TEST(Cycle, OfStoreBufferingHasFourEdges) {
  TinyProgram tiny = store_buffering();
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPQQpq"), "0 po 1, 1 fr 2, 2 po 3, 3 fr 0");
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPpQQq"), "") << "a load that waits for the flush";
  EXPECT_EQ(cycle_of(tiny, Model::kTso, ""), "");
}

// What stands between the ends of program order is skipped; so are writes between the ends of coherence.
TEST(Cycle, SkipsWhatLiesBetween) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).store("z", 1).load("q", "z").load("r", "y");
  tiny.thread("Q").store("y", 1).store("y", 2).load("t", "z").load("s", "x");
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPPPQQqqQQpp"), "0 po 3, 3 fr 4, 4 po 7, 7 fr 0");
}

TEST(Cycle, ThroughAnEarlyRead) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "x").load("q", "y");
  tiny.thread("Q").store("y", 1).store("x", 2);
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPPQQqqp"), "0 po 2, 2 fr 3, 3 po 4, 4 co 0");
}

TEST(Cycle, OfReorderedStoresUnderPso) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  EXPECT_EQ(cycle_of(tiny, Model::kPso, "PPp1QQp"), "0 po 1, 1 rf 2, 2 po 3, 3 fr 0");
  EXPECT_EQ(cycle_of(tiny, Model::kPso, "PPppQQ"), "");
}

// Program order goes from Q's load to its store, the cycle the other way: only as one unit they close it.
TEST(Cycle, ThroughALockSectionNeedsTheUnit) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").lock().load("a", "x").store("y", 1).unlock();
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPQQQqQp"), "0 po 1, 1 fr 3, 2 fr 0");
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PpPQQQqQ"), "");
  HappensBefore relation = happens_before(tiny.program(), execution(tiny.program(), Model::kTso, "PPQQQqQp"));
  relation.events[3].unit = 3;
  EXPECT_EQ(text(relation.cycle()), "") << "two units of one access each";
}

TEST(Cycle, ThroughAnAtomicBlockNeedsTheUnit) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").atomic_begin().load("a", "x").store("y", 1).atomic_end();
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PPQp"), "0 po 1, 1 fr 3, 2 fr 0");
  EXPECT_EQ(cycle_of(tiny, Model::kTso, "PpPQ"), "");
}

TEST(Cycle, InsideOneUnitIsNone) {
  HappensBefore relation;
  relation.events.resize(2);
  relation.edges = {{0, 1, Relation::kProgramOrder}, {1, 0, Relation::kFromRead}};
  EXPECT_TRUE(relation.cycle().empty());
  relation.events[1].unit = 1;
  EXPECT_EQ(text(relation.cycle()), "0 po 1, 1 fr 0");
}

TEST(Cycle, IsFoundInALongExecution) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  std::string schedule = "P";
  for (int i = 0; i < 1000; ++i) p.load("r", "y");
  schedule += std::string(1000, 'P');
  TinyThread q = tiny.thread("Q");
  for (int i = 0; i < 1000; ++i) {
    q.store("y", i);
    schedule += "Qq";
  }
  q.load("s", "x");
  EXPECT_EQ(cycle_of(tiny, Model::kTso, schedule + "Qp"), "0 po 1, 1 fr 1001, 1001 po 2001, 2001 fr 0");
}

// Replaying.

std::string complaint(TinyProgram& tiny, const Witness& witness) {
  return replay(tiny.program(), witness).failure;
}

TEST(ReplayRobustness, NeedsAModelWithBuffersThatEndEmptyAndACycle) {
  TinyProgram tiny = store_buffering();
  EXPECT_EQ(complaint(tiny, execution(tiny.program(), Model::kTso, "PPQQpq")), "");
  EXPECT_EQ(complaint(tiny, execution(tiny.program(), Model::kPso, "PPQQqp")), "");
  EXPECT_EQ(complaint(tiny, execution(tiny.program(), Model::kTso, "PPQQp")),
            "after the last step of the witness, a buffer is not empty");
  EXPECT_EQ(complaint(tiny, execution(tiny.program(), Model::kTso, "PPpQQq")),
            "after the last step of the witness, happens-before has no cycle");
  EXPECT_EQ(complaint(tiny, execution(tiny.program(), Model::kSc, "PPQQ")),
            "every execution under SC is robust");
}

TEST(ReplayRobustness, WorksFromAFile) {
  TinyProgram tiny = store_buffering();
  const Witness witness = execution(tiny.program(), Model::kTso, "PPQQpq");
  const std::string file = write_replay(tiny.program(), witness, "0");
  EXPECT_NE(file.find("\"robustness\""), std::string::npos);
  auto read = read_replay("test", file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->witness.violation.kind, ViolationKind::kRobustness);
  EXPECT_TRUE(replay(read->program, read->witness).reproduced);
}

bool races(TinyProgram& tiny, std::string_view schedule) {
  const Witness witness = execution(tiny.program(), Model::kSc, schedule, ViolationKind::kTriangularRace);
  const ReplayResult result = replay(tiny.program(), witness);
  EXPECT_EQ(result.failure,
            result.reproduced ? "" : "after the last step of the witness, there is no triangular race");
  return result.reproduced;
}

// P stores to x and loads y, with something before, between or behind; Q writes y.
using Build = void (*)(TinyThread&);

bool races_with(Build p_code, std::string_view schedule, Build q_code) {
  TinyProgram tiny({"x", "y", "z"});
  TinyThread p = tiny.thread("P");
  TinyThread q = tiny.thread("Q");
  p_code(p);
  q_code(q);
  return races(tiny, schedule);
}

bool races_with(Build p_code, std::string_view schedule) {
  return races_with(p_code, schedule, [](TinyThread& q) { q.store("y", 1); });
}

bool races_with(std::string_view schedule, Build q_code) {
  return races_with([](TinyThread& p) { p.store("x", 1).load("r", "y"); }, schedule, q_code);
}

TEST(ReplayRace, IsAStoreALoadAndAWriteOfAnotherThread) {
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("x", 1).load("r", "y"); }, "PPQ"));
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("x", 1).store_fence().load("r", "y"); }, "PPPQ"));
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("x", 1).load("s", "z").load("r", "y"); }, "PPPQ"));
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("y", 2).store("x", 1).load("r", "y"); }, "PPPQ"));
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("x", 1).load("r", "y").nop(); }, "PPPQ"));
  EXPECT_TRUE(races_with([](TinyThread& p) { p.store("x", 1).load("r", "y").nop(); }, "PPQP"));
}

TEST(ReplayRace, NeedsAStoreThatCanBeDelayed) {
  EXPECT_FALSE(races_with([](TinyThread& p) { p.load("r", "y"); }, "PQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.store("x", 1, Order::kSequential).load("r", "y"); }, "PPQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.exchange("s", "x", 1).load("r", "y"); }, "PPQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.store("x", 1).fence().load("r", "y"); }, "PPPQ"));
  EXPECT_FALSE(races_with(
      [](TinyThread& p) { p.store("x", 1).compare_exchange("s", "z", 7, 8).load("r", "y"); }, "PPPQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.store("x", 1).lock().unlock().load("r", "y"); }, "PPPPQ"));
  EXPECT_FALSE(
      races_with([](TinyThread& p) { p.store("x", 1).atomic_begin().atomic_end().load("r", "y"); }, "PPPQ"));
  EXPECT_FALSE(
      races_with([](TinyThread& p) { p.atomic_begin().store("x", 1).atomic_end().load("r", "y"); }, "PPQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.lock().store("x", 1).load("r", "y").unlock(); }, "PPPPQ"));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.store("x", 1).store("y", 2).load("r", "y"); }, "PPPQ"));
}

TEST(ReplayRace, NeedsTheWriteRightBehindTheLoad) {
  EXPECT_FALSE(races_with("QPP", [](TinyThread& q) { q.store("y", 1); }));
  EXPECT_FALSE(races_with("PPQQ", [](TinyThread& q) { q.load("s", "z").store("y", 1); }));
  EXPECT_FALSE(races_with("PPQQ", [](TinyThread& q) { q.store("y", 1).load("s", "z"); }));
  EXPECT_TRUE(races_with("QPPQ", [](TinyThread& q) { q.load("s", "z").store("y", 1); }));
  EXPECT_FALSE(races_with("PPQ", [](TinyThread& q) { q.store("z", 1); }));
  EXPECT_FALSE(races_with("PPQ", [](TinyThread& q) { q.load("s", "y"); }));
  EXPECT_FALSE(races_with([](TinyThread& p) { p.store("x", 1).load("r", "y").store("y", 1); }, "PPP"));
}

TEST(ReplayRace, MayBeWithAReadModifyWriteThatWrites) {
  EXPECT_TRUE(races_with("PPQ", [](TinyThread& q) { q.exchange("s", "y", 1); }));
  EXPECT_FALSE(races_with("PPQ", [](TinyThread& q) { q.compare_exchange("s", "y", 7, 8); }));
}

// Otherwise a program could be free of races but not robust: the section cannot begin before the load.
TEST(ReplayRace, MayBeWithAWholeSectionThatWrites) {
  EXPECT_TRUE(races_with("PPQQQQ", [](TinyThread& q) { q.lock().load("a", "x").store("y", 1).unlock(); }));
  EXPECT_TRUE(races_with("PPQQQ", [](TinyThread& q) { q.lock().load("a", "x").store("y", 1).unlock(); }));
  EXPECT_TRUE(
      races_with("PPQ", [](TinyThread& q) { q.atomic_begin().load("a", "x").store("y", 1).atomic_end(); }));
  EXPECT_FALSE(races_with("PPQQQQQ", [](TinyThread& q) {
    q.lock().store("y", 1).unlock().lock().load("a", "x");
  })) << "another section behind it";
}

}  // namespace weir::test::happens_before_test
