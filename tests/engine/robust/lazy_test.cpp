// Lazy reachability: it ends on programs without loops, gives up where it must, and what it calls safe is.
#include "engine/robust/lazy.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "engine/robust/extension.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/address.hpp"
#include "program/validate.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::lazy_test {

Answer lazily(const Program& program) {
  Context context;
  Answer answer = check_lazy(program, {}, context);
  if (answer.witness) {
    const ReplayResult replayed = replay(program, *answer.witness);
    EXPECT_TRUE(replayed.reproduced) << replayed.failure;
  }
  return answer;
}

TinyProgram mutual_exclusion(bool fenced) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  if (fenced) p.fence();
  p.load("r", "y").assume_equal("r", 0);
  TinyThread q = tiny.thread("Q").store("y", 1);
  if (fenced) q.fence();
  q.load("s", "x").assume_equal("s", 0);
  return tiny;
}

Program with_goal(TinyProgram tiny) {
  Program program = tiny.program();
  program.properties.goals.emplace_back();
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t l = 0; l < program.locations.size(); ++l)
      if (program.locations[l].function == program.threads[t].function && program.locations[l].edges.empty())
        program.properties.goals[0].push_back({ThreadId(t), LocationId(l)});
  return program;
}

TEST(Lazy, FindsWhatNeedsTheBuffer) {
  const Answer answer = lazily(with_goal(mutual_exclusion(false)));
  EXPECT_EQ(answer.verdict, Verdict::kUnsafe);
  EXPECT_EQ(std::get<std::uint64_t>(*answer.statistics.find("rounds")), 2u);
}

TEST(Lazy, RobustProgramsNeedOneRound) {
  const Answer answer = lazily(with_goal(mutual_exclusion(true)));
  EXPECT_EQ(answer.verdict, Verdict::kSafe);
  EXPECT_EQ(std::get<std::uint64_t>(*answer.statistics.find("rounds")), 1u);
}

// Not robust, and safe all the same: the oracle must run dry.
TEST(Lazy, EndsOnANonRobustSafeProgram) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y").load("t", "x").assert_equal("t", 1);
  tiny.thread("Q").store("y", 1).load("s", "x");
  const Answer answer = lazily(tiny.program());
  EXPECT_EQ(answer.verdict, Verdict::kSafe) << answer.reason;
  EXPECT_GT(std::get<std::uint64_t>(*answer.statistics.find("extensions")), 0u);
}

// Robust, but the state in which r is 1 and x still 0 exists only with a store buffer.
TEST(Lazy, DoesNotTakeRobustnessForMoreThanItSays) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P").store("x", 1);
  p.assign("r", tiny.program().constant(1));
  Program program = tiny.program();
  const ExprId r =
      program.add_expression({.op = ExprOp::kThreadRegister, .reg = RegisterId(0), .thread = p.id()});
  const ExprId x = program.add_expression({.op = ExprOp::kSharedCell, .constant = program.objects[0].base});
  program.properties.invariants.push_back({program.binary(ExprOp::kLe, r, x), "r <= x", {}});
  ASSERT_TRUE(validate(program).empty());
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnknown);
}

// A thread that leaves the path of a delay is stuck only if it is in the program itself.
TEST(Lazy, TakesNoBranchThatIsNotTakenForADeadlock) {
  TinyProgram tiny({"x", "y", "z"});
  for (const bool first : {true, false}) {
    TinyThread thread = tiny.thread(first ? "P" : "Q");
    thread.store("z", 1).store(first ? "x" : "y", 1).load("r", first ? "y" : "x");
    const LocationId branch = thread.here();
    thread.assume_equal("r", 0).load("r", "z");
    const ExprId r = tiny.program().register_value(RegisterId(0));
    const ExprId other = tiny.program().binary(ExprOp::kNe, r, tiny.program().constant(0));
    tiny.program().add_edge(branch, thread.here(), {.op = Opcode::kAssume, .a = other});
  }
  Program program = tiny.program();
  program.properties.deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kSafe);
}

// The store enters the buffer while Q has the lock; under SC it would wait for ever.
TEST(Lazy, TakesNoStoreThatWaitsForTheLockForADeadlock) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").lock();
  Program program = tiny.program();
  program.properties.deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnknown);
}

// Nor for a thread that is stuck for good, if the one with the lock goes on for ever.
TEST(Lazy, TakesNoStoreThatWaitsForTheLockForAStuckThread) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1);
  TinyThread q = tiny.thread("Q").lock();
  const LocationId again = q.here();
  q.load("r", "y").jump_to(again);
  Program program = tiny.program();
  program.properties.partial_deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnknown);
}

// Message passing is robust: what is stuck under TSO would be so under SC, and nothing is.
TEST(Lazy, SeesThatARobustProgramHasNoDeadlock) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").load("r", "y").load("s", "x");
  Program program = tiny.program();
  program.properties.deadlock = program.properties.partial_deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kSafe);
}

// Nor has it a data race if the flag, which Q waits for, orders the accesses to x.
TEST(Lazy, SeesThatARobustProgramHasNoRace) {
  for (const bool waits : {true, false}) {
    TinyProgram tiny({"x", "y"});
    tiny.thread("P").store("x", 1).store("y", 1, Order::kRelease);
    TinyThread reader = tiny.thread("Q");
    reader.load("r", "y");
    if (waits) reader.assume_equal("r", 1);
    reader.load("s", "x");
    Program program = tiny.program();
    program.properties.races = true;
    for (Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kLoad) edge.instruction.order = Order::kAcquire;
    program.edges.front().instruction.plain = program.edges.back().instruction.plain = true;  // those to x
    EXPECT_EQ(lazily(program).verdict, waits ? Verdict::kSafe : Verdict::kUnsafe);
  }
}

// Nor is a program without attacks, if a thread that is stuck with the lock could keep stores from memory.
TEST(Lazy, LeavesDeadlocksOpenWhereTheLockIsUsed) {
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().store("x", 1).unlock();
  tiny.thread("Q").lock().load("r", "x").unlock();
  Program program = tiny.program();
  program.properties.deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnknown);
}

TEST(Lazy, FindsDeadlocksOfEmptyBuffers) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y").assume_equal("r", 1);
  tiny.thread("Q").store("y", 1).load("s", "x").assume_equal("s", 1);
  Program program = tiny.program();
  program.properties.deadlock = true;
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnsafe);
}

// Figure 3.3 of [Calin16]: safe, but there is always one more delay to emulate.
TEST(Lazy, StopsWhenAskedTo) {
  auto program = parse_trencher("figure_3_3.trn",
                                "thread t1\ninitial q\nfinal bad\n"
                                "transition q q write - 1 r 0\ntransition q q read r 1\n"
                                "transition q bad check > r 1\nend\n"
                                "thread t2\ninitial q\nfinal bad\n"
                                "transition q q write - 1 r 1\ntransition q q read r 0\n"
                                "transition q bad check > r 1\nend\n");
  ASSERT_TRUE(program.ok());
  Context context({.timeout = std::chrono::milliseconds(300)}, {}, false);
  const Answer answer = check_lazy(*program, {}, context);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_LT(context.seconds(), 5);
}

// Store buffering with more of each thread between its store and its load; the goal is that both miss the other's store.
Program buffering(const std::function<void(TinyProgram&, TinyThread&, bool first)>& between) {
  TinyProgram tiny({"x", "y", "z"});
  for (const bool first : {true, false}) {
    TinyThread thread = tiny.thread(first ? "P" : "Q");
    thread.store(first ? "x" : "y", 1);
    between(tiny, thread, first);
    thread.load("r", first ? "y" : "x").assume_equal("r", 0);
  }
  return with_goal(tiny);
}

// A byte of the thread's own at offset 0, and its address.
ExprId own_byte(TinyProgram& tiny, const TinyThread& thread) {
  tiny.program().functions[thread.function().index()].privates.push_back({"own", 0, 1});
  return tiny.program().add_expression({.op = ExprOp::kFrame, .type = kAddressType, .constant = 0});
}

TEST(Lazy, DelaysStoresPastWaitingLoads) {
  const Program program = buffering([](TinyProgram& tiny, TinyThread& thread, bool first) {
    const Program& names = tiny.program();
    thread.add({.op = Opcode::kLoad,
                .waits = true,
                .result = thread.reg("t"),
                .a = tiny.program().constant(names.objects[first ? 0 : 1].base),
                .c = tiny.program().constant(0)});
  });
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnsafe);
}

// A store through a pointer that leads to the thread's own memory is not delayed, and the load behind it reads it.
TEST(Lazy, DelaysStoresPastPointersToOwnMemory) {
  for (const Value read : {Value{7}, Value{8}}) {
    const Program program = buffering([&](TinyProgram& tiny, TinyThread& thread, bool) {
      constexpr Type kByte{8, false};
      thread.assign("p", own_byte(tiny, thread));
      thread.add({.op = Opcode::kStore,
                  .type = kByte,
                  .a = thread.value("p"),
                  .b = tiny.program().constant(7, kByte)});
      thread.add({.op = Opcode::kLoad, .type = kByte, .result = thread.reg("t"), .a = thread.value("p")});
      thread.assume_equal("t", read);
    });
    EXPECT_EQ(lazily(program).verdict, read == 7 ? Verdict::kUnsafe : Verdict::kSafe);
  }
}

// The search under SC follows accesses to several cells, the one for attacks does not: then nothing is proved.
TEST(Lazy, LeavesOpenWhatAccessesToSeveralCellsDo) {
  const Answer answer = lazily(with_goal(buffering_of_two_bytes()));
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_NE(answer.reason.find("several at once"), std::string::npos) << answer.reason;
}

// A function whose value nobody wants computes it all the same.
TEST(Lazy, SeesWhatFailsInACall) {
  for (const bool in_return : {true, false}) {
    TinyProgram tiny({"x"});
    Program& program = tiny.program();
    TinyThread f = tiny.function("f", {"n", "m"});
    const auto divided = [&](ExprId by) { return program.binary(ExprOp::kDiv, program.constant(1), by); };
    f.leave(in_return ? divided(f.value("n")) : ExprId::none());
    TinyThread p = tiny.thread("P");
    p.load("r", "x");
    const ExprId second = in_return ? p.value("r") : divided(p.value("r"));
    p.add({.op = Opcode::kCall, .callee = f.function(), .arguments = {p.value("r"), second}});
    EXPECT_EQ(lazily(program).verdict, Verdict::kUnsafe);
  }
}

// The same pointer may lead to shared memory: then the store is delayed with the others.
TEST(Lazy, DelaysStoresThroughPointersThatMayLeadAnywhere) {
  const Program program = buffering([](TinyProgram& tiny, TinyThread& thread, bool) {
    own_byte(tiny, thread);
    thread.choose("p", tiny.program().objects[2].base, tiny.program().objects[2].base);
    thread.add({.op = Opcode::kStore, .a = thread.value("p"), .b = tiny.program().constant(5)});
    thread.load("t", "z").assume_equal("t", 5);
  });
  EXPECT_EQ(lazily(program).verdict, Verdict::kUnsafe);
}

// P delays a store of two bytes past its second load of y, and reads one of them in between.
TEST(Lazy, LeavesOpenWhatADelayedStoreIsInPart) {
  constexpr Type kByte{8, false}, kTwoBytes{16, false};
  TinyProgram tiny({});
  tiny.program().byte_memory = true;
  tiny.variable("y", kByte);
  tiny.program().objects.push_back({.name = "block", .base = 8, .type = kAddressType, .initial = {0}});
  const ExprId y = tiny.program().constant(0), cell = tiny.program().constant(8);
  TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
  p.add({.op = Opcode::kAllocate,
         .block = BlockKind::kZeroed,
         .result = p.reg("p", kAddressType),
         .a = tiny.program().constant(2)});
  const ExprId block = tiny.program().register_value(p.reg("p"), kAddressType);
  p.add({.op = Opcode::kStore, .type = kAddressType, .a = cell, .b = block});
  p.add(
      {.op = Opcode::kStore, .type = kTwoBytes, .a = block, .b = tiny.program().constant(0x101, kTwoBytes)});
  p.add({.op = Opcode::kLoad, .type = kByte, .result = p.reg("first", kByte), .a = y});
  p.add({.op = Opcode::kLoad, .type = kByte, .result = p.reg("low"), .a = block}).assert_equal("low", 1);
  p.add({.op = Opcode::kLoad, .type = kByte, .result = p.reg("second", kByte), .a = y});
  q.add({.op = Opcode::kLoad,
         .waits = true,
         .type = kAddressType,
         .result = q.reg("p", kAddressType),
         .a = cell,
         .c = tiny.program().constant(0, kAddressType)});
  q.add({.op = Opcode::kStore, .type = kByte, .a = y, .b = tiny.program().constant(1, kByte)});
  q.add({.op = Opcode::kLoad,
         .type = kTwoBytes,
         .result = q.reg("both", kTwoBytes),
         .a = tiny.program().register_value(q.reg("p"), kAddressType)});
  EXPECT_EQ(lazily(tiny.program()).verdict, Verdict::kUnknown);
}

// A store that is delayed until its block is gone is one that could have come too late without a buffer.
TEST(Lazy, FindsStoresToReleasedBlocks) {
  TinyProgram tiny({"x", "y", "block"});
  tiny.program().objects[2].type = kAddressType;
  const ExprId cell = tiny.program().constant(tiny.program().objects[2].base);
  const auto fetch = [&](TinyThread& thread) {
    thread.add({.op = Opcode::kLoad,
                .waits = true,
                .type = kAddressType,
                .result = thread.reg("p", kAddressType),
                .a = cell,
                .c = tiny.program().constant(0)});
  };
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kAllocate, .result = p.reg("p", kAddressType), .a = tiny.program().constant(8)});
  p.add({.op = Opcode::kStore, .type = kAddressType, .a = cell, .b = p.value("p")});
  p.store("x", 1).load("r", "y").assume_equal("r", 0);
  p.add({.op = Opcode::kFree, .a = p.value("p")});
  TinyThread q = tiny.thread("Q");
  fetch(q);
  q.store("y", 1);
  q.load("s", "x").assume_equal("s", 0);
  q.add({.op = Opcode::kStore, .a = q.value("p"), .b = tiny.program().constant(1)});
  q.load("s", "x");
  ASSERT_TRUE(validate(tiny.program()).empty());
  EXPECT_EQ(lazily(tiny.program()).verdict, Verdict::kUnsafe);
}

// Nobody is stuck for good: what is delayed is in memory in the end, and then each sees the other's store. Unless one of
// them looks only once.
TEST(Lazy, LooksForDeadlocksWhereDelaysAreEmulated) {
  for (const bool once : {false, true}) {
    TinyProgram tiny({"x", "y"});
    for (const bool first : {true, false}) {
      TinyThread thread = tiny.thread(first ? "P" : "Q");
      thread.store(first ? "x" : "y", 1).load("r", first ? "y" : "x");
      if (!once)
        thread.add({.op = Opcode::kLoad,
                    .waits = true,
                    .result = thread.reg("s"),
                    .a = tiny.program().constant(tiny.program().objects[first ? 1 : 0].base),
                    .c = tiny.program().constant(0)});
      if (once && first) thread.assume_equal("r", 1);
    }
    Program program = tiny.program();
    program.properties.deadlock = program.properties.partial_deadlock = true;
    const Answer answer = lazily(program);
    EXPECT_EQ(answer.verdict, once ? Verdict::kUnsafe : Verdict::kSafe) << answer.reason;
    if (!once) {
      EXPECT_GT(std::get<std::uint64_t>(*answer.statistics.find("extensions")), 0u);
    }
  }
}

// Along the path the thread is where it was in the original program, also for the properties.
TEST(Extension, IsAProgram) {
  Program program = with_goal(mutual_exclusion(false));
  program.properties.goals[0].push_back({ThreadId(0), program.edge(EdgeId(0)).target});
  ExtendedProgram extended(program);
  const std::vector<EdgeId> path{EdgeId(0), EdgeId(1)};
  ASSERT_TRUE(extended.extend(path));
  EXPECT_TRUE(validate(extended.program()).empty());
  EXPECT_GT(extended.program().properties.goals[0].size(), program.properties.goals[0].size());
}

}  // namespace weir::test::lazy_test
