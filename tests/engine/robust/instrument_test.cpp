// The instrumented program must fail under SC exactly if the attack is feasible: small programs whose answer
// is known, programs of the literature, and random ones against the semantic engine. Whatever is built must
// be well formed and survive being printed and parsed.
#include "engine/robust/instrument.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "engine/explicit/explicit.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::instrument_test {

using test::TinyProgram;
using test::TinyThread;

bool feasible(const Program& program, const Attack& attack) {
  const auto instrumented = instrument(program, attack);
  EXPECT_TRUE(instrumented.ok());
  EXPECT_TRUE(validate(instrumented.value()).empty());
  const std::string text = print(instrumented.value());
  const auto parsed = parse_program_text("instrumented.weir", text);
  EXPECT_TRUE(parsed.ok());
  EXPECT_EQ(print(parsed.value()), text);
  Context context;
  const Answer answer = check_explicit(parsed.value(), {.model = Model::kSc}, context);
  EXPECT_NE(answer.verdict, Verdict::kUnknown) << answer.reason;
  return answer.verdict == Verdict::kUnsafe;
}

// The thread's last instruction of a kind.
EdgeId last(const Program& program, FunctionId function, Opcode op) {
  EdgeId found;
  for (std::size_t e = 0; e < program.edges.size(); ++e)
    if (program.location(program.edges[e].source).function == function &&
        program.edges[e].instruction.op == op)
      found = EdgeId(e);
  return found;
}

EdgeId first(const Program& program, FunctionId function, Opcode op) {
  for (std::size_t e = 0; e < program.edges.size(); ++e)
    if (program.location(program.edges[e].source).function == function &&
        program.edges[e].instruction.op == op)
      return EdgeId(e);
  return {};
}

// Can the first thread delay its first store past its last load?
bool first_thread_attacks(const Program& program) {
  const FunctionId function = program.threads.at(0).function;
  return feasible(program, {.thread = ThreadId(0),
                            .store = first(program, function, Opcode::kStore),
                            .load = last(program, function, Opcode::kLoad)});
}

class Instrument : public testing::Test {
 protected:
  TinyProgram tiny{{"x", "y", "z"}};
  TinyThread p = tiny.thread("P");
  TinyThread q = tiny.thread("Q");

  bool attack() { return first_thread_attacks(tiny.program()); }
};

TEST_F(Instrument, StoreBuffering) {
  p.store("x", 1).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, AFenceOfTheAttackerPreventsIt) {
  p.store("x", 1).fence().load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, OtherFencesDoNot) {
  p.store("x", 1).store_fence().load("r", "y");
  q.store("y", 1).fence().load("s", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, MessagePassingIsHarmless) {
  p.store("x", 1).store("y", 1);
  q.load("r", "y").load("s", "x");
  for (const Attack& each : enumerate_attacks(tiny.program())) EXPECT_FALSE(feasible(tiny.program(), each));
}

TEST_F(Instrument, AStoreReachesTheTargetToo) {
  p.store("x", 1).load("r", "y");
  q.store("y", 1).store("x", 2);
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, AHelperMustConflictBeforeItMoves) {
  p.store("x", 1).load("r", "y");
  q.load("s", "x").store("y", 1);
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, TwoLoadsDoNotConflict) {
  p.store("x", 1).load("r", "y");
  q.load("s", "y").load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ThePathMayLeadThroughSeveralHelpers) {
  p.store("x", 1).load("r", "y");
  q.store("y", 1).store("z", 1);
  tiny.thread("R").load("a", "z").load("b", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, ThePathMayNotSkipAHelper) {
  p.store("x", 1).load("r", "y");
  q.store("y", 1);
  tiny.thread("R").load("b", "x");
  EXPECT_FALSE(attack());
}

// Early reads.

TEST_F(Instrument, TheLoadMayNotReadEarly) {
  p.store("x", 1).load("r", "x");
  q.store("x", 2).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, OtherLoadsReadTheNewestDelayedValue) {
  p.store("x", 1).store("x", 2).load("a", "x").assume_equal("a", 2).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, AndNoOtherValue) {
  p.store("x", 1).load("a", "x").assume_equal("a", 0).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, DelayedStoresAreInvisibleToHelpers) {
  p.store("x", 1).load("r", "y");
  q.load("a", "x").assume_equal("a", 1).store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

// What needs an empty buffer.

TEST_F(Instrument, ReadModifyWritesAreNotPassed) {
  p.store("x", 1).exchange("a", "z", 1).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, SequentialStoresAreNeitherDelayedNorPassed) {
  p.store("x", 1, Order::kSequential).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ReleaseStoresAreDelayed) {
  p.store("x", 1, Order::kRelease).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, LocksAndBlocksAreNotPassed) {
  p.store("x", 1).lock().unlock().load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
  TinyProgram other({"x", "y"});
  other.thread("P").store("x", 1).atomic_begin().nop().atomic_end().load("r", "y");
  other.thread("Q").store("y", 1).load("s", "x");
  EXPECT_FALSE(first_thread_attacks(other.program()));
}

TEST_F(Instrument, NothingIsDelayedInASection) {
  p.lock().store("x", 1).load("r", "y").unlock();
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ButAfterIt) {
  p.lock().load("a", "z").unlock().store("x", 1).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_TRUE(attack());
}

// Units of helpers.

TEST_F(Instrument, AReadModifyWriteWrites) {
  p.store("x", 1).load("r", "y");
  q.fetch_add("s", "y", 1).load("s", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, AFailedCompareExchangeOnlyReads) {
  p.store("x", 1).load("r", "y");
  q.compare_exchange("s", "y", 5, 6).load("s", "x");
  EXPECT_FALSE(attack());
  TinyProgram other({"x", "y"});
  other.thread("P").store("x", 1).load("r", "y");
  other.thread("Q").compare_exchange("s", "y", 0, 6).load("s", "x");
  EXPECT_TRUE(first_thread_attacks(other.program()));
}

TEST_F(Instrument, ALockSectionIsOneEvent) {
  p.store("x", 1).load("r", "y");
  q.lock().load("a", "x").store("y", 1).unlock();
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, AnAtomicBlockIsOneEvent) {
  p.store("x", 1).load("r", "y");
  q.atomic_begin().load("a", "x").store("y", 1).atomic_end();
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, ASectionOffThePathEndsTheRun) {
  p.store("x", 1).load("r", "y");
  q.lock().load("a", "x").unlock().store("y", 1);
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ASectionDoesNotJoinItself) {
  p.store("x", 1).load("r", "y");
  q.lock().load("a", "z").store("z", 1).load("b", "x").unlock();
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, MarksOfASectionOnTrialCountForOthers) {
  p.store("x", 1).load("r", "y");
  q.lock().store("z", 1).store("y", 1).unlock();
  tiny.thread("R").load("a", "z").load("b", "x");
  EXPECT_TRUE(attack());
}

TEST_F(Instrument, SuccessCountsWhenTheSectionIsClosed) {
  p.store("x", 1).load("r", "y");
  q.lock().store("y", 1).load("a", "x").assume_equal("a", 7).unlock();
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ABlockInALockSectionBelongsToIt) {
  p.store("x", 1).load("r", "y");
  q.lock().load("a", "x").atomic_begin().load("b", "z").atomic_end().store("y", 1).unlock();
  EXPECT_TRUE(attack());
}

// Failures of the original are dead ends, and its properties are gone.

TEST_F(Instrument, AFailingAssertionIsADeadEnd) {
  p.store("x", 1).load("a", "z").assert_equal("a", 1).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, ADivisionByZeroIsADeadEnd) {
  Program& program = tiny.program();
  p.store("x", 1).load("a", "z");
  p.assign("b", program.binary(ExprOp::kDiv, program.constant(1), p.value("a"))).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, AnAddressOutsideMemoryIsADeadEnd) {
  Program& program = tiny.program();
  p.store("x", 1).load("a", "z");
  const ExprId beyond = program.binary(ExprOp::kAdd, p.value("a"), program.constant(3));
  p.add({.op = Opcode::kLoad, .result = p.reg("b"), .a = beyond}).load("r", "y");
  q.store("y", 1).load("s", "x");
  EXPECT_FALSE(attack());
}

TEST_F(Instrument, PropertiesAreDropped) {
  p.store("x", 1).fence().load("r", "y");
  q.store("y", 1).load("s", "x").assert_equal("s", 1);
  tiny.program().properties.deadlock = true;
  EXPECT_FALSE(attack());
}

TEST(InstrumentWidths, DelayedValuesAreAsWideAsTheirCells) {
  for (const Value seen : {1, 257}) {
    TinyProgram tiny({"y"});
    tiny.variable("narrow", {8, false});
    Program& program = tiny.program();
    TinyThread p = tiny.thread("P");
    const ExprId address = program.constant(1);
    p.add({.op = Opcode::kStore, .type = {8, false}, .a = address, .b = program.constant(257)});
    p.add({.op = Opcode::kLoad, .type = {8, true}, .result = p.reg("a"), .a = address});
    p.assume_equal("a", seen).load("r", "y");
    TinyThread q = tiny.thread("Q");
    q.store("y", 1).add({.op = Opcode::kLoad, .type = {8, false}, .result = q.reg("s"), .a = address});
    EXPECT_EQ(first_thread_attacks(program), seen == 1);
  }
}

TEST(InstrumentCalls, TheDelayMayCrossCallsAndReturns) {
  TinyProgram tiny({"x", "y"});
  TinyThread set = tiny.function("set", {});
  set.store("x", 1).leave();
  TinyThread get = tiny.function("get", {});
  get.load("r", "y").leave();
  TinyThread p = tiny.thread("P");
  p.add({.op = Opcode::kCall, .callee = set.function()}).add({.op = Opcode::kCall, .callee = get.function()});
  TinyThread q = tiny.thread("Q");
  q.store("y", 1).atomic_begin().add({.op = Opcode::kCall, .callee = set.function()}).atomic_end();
  const Program& program = tiny.program();
  EXPECT_TRUE(feasible(program, {.thread = p.id(),
                                 .store = first(program, set.function(), Opcode::kStore),
                                 .load = first(program, get.function(), Opcode::kLoad)}));
}

TEST(InstrumentCalls, ThreadsWithTheSameCodeHelp) {
  TinyProgram tiny({"x", "y"});
  TinyThread both = tiny.function("both", {});
  both.store("x", 1).load("r", "y").store("y", 1);
  Program& program = tiny.program();
  program.add_thread("P", both.function());
  program.add_thread("Q", both.function());
  const Attack attack{.thread = ThreadId(0),
                      .store = first(program, both.function(), Opcode::kStore),
                      .load = first(program, both.function(), Opcode::kLoad)};
  EXPECT_FALSE(feasible(program, attack));  // Q stores y, but then stops
  both.load("s", "x");
  EXPECT_TRUE(feasible(program, attack));
}

// Open memory.

Program trencher(const std::string& text) {
  auto program = parse_trencher("test.trn", text);
  EXPECT_TRUE(program.ok());
  return std::move(program.value());
}

TEST(InstrumentOpenMemory, AddressesMayBeComputed) {
  EXPECT_TRUE(
      first_thread_attacks(trencher("thread p\ninitial q0\n"
                                    "transition q0 q1 local a + a 5\n"
                                    "transition q1 q2 write 1 a\n"
                                    "transition q2 q3 read a + a 1\nend\n"
                                    "thread q\ninitial q0\n"
                                    "transition q0 q1 write 1 6\n"
                                    "transition q1 q2 read b 5\nend\n")));
}

TEST(InstrumentOpenMemory, FarAddressesAreAnError) {
  const Program program = trencher(
      "thread p\ninitial q0\n"
      "transition q0 q1 write 1 4611686018427387904\n"
      "transition q1 q2 read a 1\nend\n");
  const auto result = instrument(program, enumerate_attacks(program).at(0));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().diagnostics.at(0).position.line, 3U);
}

// Programs of the literature.

class InstrumentedLiterature : public testing::TestWithParam<const char*> {};

TEST_P(InstrumentedLiterature, IsRobustAsPromised) {
  const auto path = std::filesystem::path(WEIR_SOURCE_DIR) / "bench/robustness" / GetParam();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const Program program = trencher(text.str());
  const std::vector<Attack> attacks = enumerate_attacks(program);
  const bool attacked = std::any_of(attacks.begin(), attacks.end(),
                                    [&](const Attack& each) { return feasible(program, each); });
  EXPECT_EQ(attacked, text.str().find("# robust: no") != std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, InstrumentedLiterature,
                         testing::Values("dekker.trn", "dekker_robust.trn", "lamport.trn", "nbw2.trn",
                                         "nbw3.trn", "nbw4.trn", "nbwl.trn", "parker.trn",
                                         "parker_robust.trn", "peterson.trn", "peterson_robust.trn",
                                         "stack.trn"),
                         [](const auto& test) {
                           std::string name = test.param;
                           return name.substr(0, name.find('.'));
                         });

// Random programs, against the same idea as a semantics.

TEST(InstrumentAgreement, WithTheSemanticEngine) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    selfcheck::GeneratorShape shape;
    shape.max_threads = 2 + seed % 2;
    shape.failures = seed % 5 == 0;
    shape.open_memory = seed % 4 == 0;
    const Program program = selfcheck::build(selfcheck::random_genome(seed, shape));
    Context context;
    const RobustAnswer answer = check_robust(program, {.all = true}, context);
    for (const AttackResult& each : answer.attacks)
      EXPECT_EQ(feasible(program, each.attack), each.verdict == AttackVerdict::kFeasible) << "seed " << seed;
  }
}

}  // namespace weir::instrument_test
