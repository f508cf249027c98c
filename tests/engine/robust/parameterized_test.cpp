// Robustness for any number of threads: programs whose answers are known, and generated ones whose instances
// are checked one by one.
#include "engine/robust/parameterized.hpp"

#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "engine/coverability/petri/certificate.hpp"
#include "engine/robust/attack_net.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/instances.hpp"
#include "selfcheck/agreement/robust_agreement.hpp"
#include "support/tiny_program.hpp"

namespace weir::parameterized_test {

using test::TinyProgram;
using test::TinyThread;
using Counts = std::vector<std::uint32_t>;

std::string replay_problem(const ParameterizedAnswer& answer) {
  for (const AttackResult& result : answer.attack.attacks) {
    if (!result.witness) continue;
    const ReplayResult replayed = replay(answer.instance, *result.witness);
    if (!replayed.reproduced) return replayed.failure;
  }
  return "";
}

ParameterizedAnswer decide(const Program& program, const RobustOptions& options = {}) {
  Context context;
  ParameterizedAnswer answer = check_robust_any(program, options, context);
  EXPECT_EQ(replay_problem(answer), "");
  return answer;
}

void expect_robust(const Program& program, const RobustOptions& options = {}) {
  const ParameterizedAnswer answer = decide(program, options);
  EXPECT_EQ(answer.verdict, RobustVerdict::kRobust) << answer.reason;
  EXPECT_TRUE(answer.counts.empty());
}

void expect_attack(const Program& program, const Counts& counts) {
  const ParameterizedAnswer answer = decide(program);
  ASSERT_EQ(answer.verdict, RobustVerdict::kNotRobust) << answer.reason;
  EXPECT_EQ(answer.counts, counts);
  EXPECT_TRUE(answer.least);
  EXPECT_EQ(answer.threads, answer.instance.threads.size());
  EXPECT_EQ(answer.attack.count(AttackVerdict::kFeasible), 1u);
}

Program example(const std::string& name) {
  const std::string path = std::string(WEIR_SOURCE_DIR) + "/examples/" + name;
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  Expected<Program> program = parse_trencher(path, text.str());
  EXPECT_TRUE(program.ok());
  return std::move(*program);
}

// Two ways through the code of one thread, to a common end.
void either(TinyThread thread, const std::function<void(TinyThread&)>& one,
            const std::function<void(TinyThread&)>& other) {
  const LocationId start = thread.here();
  one(thread.nop());
  other(thread.continue_at(start).nop());
}

TEST(RobustForAnyNumber, StoreBufferingNeedsOneOfEach) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  expect_attack(tiny.program(), {1, 1});
}

TEST(RobustForAnyNumber, StoreBufferingWithinOneTemplate) {
  TinyProgram tiny({"x", "y"});
  either(
      tiny.thread("P"), [](TinyThread& t) { t.store("x", 1).load("r", "y"); },
      [](TinyThread& t) { t.store("y", 1).load("r", "x"); });
  expect_attack(tiny.program(), {2});
  const ParameterizedAnswer answer = decide(tiny.program());
  EXPECT_THAT(answer.reason, testing::StartsWith("with 2 threads, 2 of P: thread P"));
}

TEST(RobustForAnyNumber, ThreadsWithTheSameCodeAreOneTemplate) {
  TinyProgram tiny({"x"});
  const TinyThread p = tiny.thread("P").store("x", 1).load("r", "x");
  tiny.program().add_thread("Q", p.function());
  expect_robust(tiny.program());
}

TEST(RobustForAnyNumber, ThreeThreadsOnTheCycle) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("A").store("x", 1).load("r", "y");
  tiny.thread("W").store("y", 1);
  tiny.thread("R").load("r", "y").load("s", "x");
  expect_attack(tiny.program(), {1, 1, 1});
}

// Robust with one copy of each, and with two threads of any kind.
TEST(RobustForAnyNumber, TwoHelpersOfOneTemplate) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("A").store("x", 1).load("r", "y");
  either(
      tiny.thread("H"), [](TinyThread& t) { t.store("y", 1); },
      [](TinyThread& t) { t.load("r", "y").load("s", "x"); });
  expect_attack(tiny.program(), {1, 2});
  Context context;
  EXPECT_EQ(check_robust(tiny.program(), {}, context).verdict, RobustVerdict::kRobust);
}

// P may begin when three threads, one after the other, have counted up to 3.
TEST(RobustForAnyNumber, HelpersThatMustActBeforeTheAttack) {
  TinyProgram tiny({"x", "y", "turn"});
  tiny.thread("A").load("r", "turn").assume_equal("r", 3).store("x", 1).load("s", "y");
  tiny.thread("B").store("y", 1).load("s", "x");
  TinyThread c = tiny.thread("C");
  const LocationId start = c.here();
  for (const Value turn : {0, 1, 2}) c.continue_at(start).compare_exchange("r", "turn", turn, turn + 1);
  expect_attack(tiny.program(), {1, 1, 3});
}

// Takes the lock by compare-exchange, stores to one variable, loads another, and releases by a plain store.
void add_spinlock_user(TinyProgram& tiny, const char* name, const char* stored, const char* loaded) {
  TinyThread t = tiny.thread(name);
  const LocationId start = t.here();
  t.compare_exchange("r", "lock", 0, 1);
  const LocationId test = t.here();
  t.jump_to(start, {.op = Opcode::kAssume, .a = t.equal("r", 1)}).continue_at(test);
  t.assume_equal("r", 0).store(stored, 1).load("s", loaded).store("lock", 0);
}

TEST(RobustForAnyNumber, SpinlockProtectsAnyNumber) {
  TinyProgram tiny({"lock", "x", "y"});
  add_spinlock_user(tiny, "P", "x", "y");
  add_spinlock_user(tiny, "Q", "y", "x");
  const ParameterizedAnswer answer = decide(tiny.program());
  EXPECT_EQ(answer.verdict, RobustVerdict::kRobust) << answer.reason;
  EXPECT_THAT(answer.reason, testing::HasSubstr("forward search"));
  ASSERT_NE(answer.statistics.find("certificate checked"), nullptr);
  EXPECT_EQ(std::get<std::uint64_t>(*answer.statistics.find("certificate checked")), 1u);
}

TEST(RobustForAnyNumber, AnUnprotectedReaderOfASpinlockedPair) {
  TinyProgram tiny({"lock", "x", "y"});
  add_spinlock_user(tiny, "P", "x", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  expect_attack(tiny.program(), {1, 1});
}

TEST(RobustForAnyNumber, FencesBetweenStoreAndLoad) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).fence().load("r", "y");
  tiny.thread("Q").store("y", 1).fence().load("r", "x");
  expect_robust(tiny.program());
}

TEST(RobustForAnyNumber, FencesOfTheOptionsStandInEveryCopy) {
  TinyProgram tiny({"x", "y"});
  TinyThread p = tiny.thread("P").store("x", 1);
  const LocationId before_load = p.here();
  p.load("r", "y");
  TinyThread q = tiny.thread("Q").store("y", 1);
  const LocationId other = q.here();
  q.load("r", "x");
  expect_robust(tiny.program(), {.fences = {before_load, other}});
  EXPECT_EQ(decide(tiny.program(), {.fences = {before_load}}).threads, 2u);
}

TEST(RobustForAnyNumber, MutualExclusionAlgorithms) {
  expect_attack(example("peterson.trn"), {1, 1});
  expect_robust(example("peterson_fenced.trn"));
  expect_attack(example("simplified_dekker.trn"), {1, 1});
  expect_robust(example("simplified_dekker_fenced.trn"));
}

// Sections.

// Backward, the combinations of readers and writers have no end; forward, few markings matter.
TEST(RobustForAnyNumber, LocksWithReadersAreDecidedForward) {
  const ParameterizedAnswer answer = decide(example("../bench/robustness/nbwl.trn"));
  EXPECT_EQ(answer.verdict, RobustVerdict::kRobust);
  EXPECT_NE(answer.reason.find("a forward search"), std::string::npos);
}

TEST(RobustForAnyNumber, EverythingUnderTheLock) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").lock().store("x", 1).load("r", "y").unlock();
  tiny.thread("Q").lock().store("y", 1).load("r", "x").unlock();
  expect_robust(tiny.program());
}

TEST(RobustForAnyNumber, ASectionJoinsAsAWhole) {
  for (const bool block : {false, true}) {
    TinyProgram tiny({"x", "y"});
    tiny.thread("P").store("x", 1).load("r", "y");
    TinyThread q = tiny.thread("Q");
    block ? q.atomic_begin() : q.lock();
    q.load("r", "x").store("y", 1);
    block ? q.atomic_end() : q.unlock();
    expect_attack(tiny.program(), {1, 1});
  }
}

TEST(RobustForAnyNumber, WhatASectionDidBeforeItsThreadJoinedDoesNotCount) {
  for (const bool block : {false, true}) {
    TinyProgram tiny({"x", "y"});
    tiny.thread("P").store("x", 1).load("r", "y");
    TinyThread q = tiny.thread("Q");
    block ? q.atomic_begin() : q.lock();
    q.load("r", "x");
    block ? q.atomic_end() : q.unlock();
    q.store("y", 1);
    expect_robust(tiny.program());
  }
}

TEST(RobustForAnyNumber, TheStoreCannotBeFlushedWhileTheLockIsHeld) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").lock().store("y", 1).load("r", "x").load("s", "z").assume_equal("s", 1).unlock();
  expect_robust(tiny.program());
}

// Limits.

TEST(RobustForAnyNumber, ValuesThatGrowAreNamed) {
  TinyProgram tiny({"x", "y", "counter"});
  TinyThread p = tiny.thread("P");
  p.store("x", 1).load("r", "y");
  const LocationId loop = p.here();
  p.fetch_add("s", "counter", 1).jump_to(loop);
  RobustOptions options;
  options.most_closed_values = 20;
  const ParameterizedAnswer answer = decide(tiny.program(), options);
  EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
  EXPECT_EQ(answer.reason, "counter takes more than 20 values");
  ASSERT_EQ(answer.diagnostics.size(), 1u);
  EXPECT_THAT(answer.diagnostics[0].hint, testing::HasSubstr("--range counter=0:15"));
  EXPECT_TRUE(answer.counts.empty());
}

TEST(RobustForAnyNumber, AccessesToSeveralCellsAreNotFollowed) {
  const ParameterizedAnswer answer = decide(test::buffering_of_two_bytes().program());
  EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
  EXPECT_NE(answer.reason.find("several at once"), std::string::npos) << answer.reason;
}

TEST(RobustForAnyNumber, AnAttackIsFoundThoughValuesGrow) {
  TinyProgram tiny({"x", "y", "counter"});
  TinyThread p = tiny.thread("P").store("x", 1).load("r", "y");
  const LocationId loop = p.here();
  p.fetch_add("s", "counter", 1).jump_to(loop);
  tiny.thread("Q").store("y", 1).load("r", "x");
  expect_attack(tiny.program(), {1, 1});
}

TEST(RobustForAnyNumber, ValuesOutsideARangeAreNotFollowed) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").load("q", "z").assume_equal("q", 5).store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  tiny.thread("R").store("z", 5);
  expect_attack(tiny.program(), {1, 1, 1});
  RobustOptions options;
  options.values.ranges = {{.address = 2, .low = 0, .high = 4}};
  const ParameterizedAnswer answer = decide(tiny.program(), options);
  EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
  ASSERT_EQ(answer.bound.size(), 1u);
  EXPECT_EQ(answer.bound[0].second, "z=0:4");
}

TEST(RobustForAnyNumber, StopsWhenAsked) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  Context context;
  context.request_stop(StopReason::kTimeout);
  const ParameterizedAnswer answer = check_robust_any(tiny.program(), {}, context);
  EXPECT_EQ(answer.verdict, RobustVerdict::kUnknown);
  EXPECT_EQ(answer.reason, "time limit reached");
}

// Generated programs.

void for_each_choice(Counts& counts, std::size_t at, std::uint32_t total,
                     const std::function<void()>& visit) {
  if (at + 1 == counts.size()) {
    counts[at] = total;
    return visit();
  }
  for (counts[at] = 0; counts[at] <= total; ++counts[at])
    for_each_choice(counts, at + 1, total - counts[at], visit);
}

bool some_instance_has_attack(const Program& program, std::uint32_t total) {
  bool found = false;
  Counts counts(program.threads.size());
  for_each_choice(counts, 0, total, [&] {
    Context context;
    found |= check_robust(with_instances(program, counts), {}, context).verdict == RobustVerdict::kNotRobust;
  });
  return found;
}

// The net, asked directly: the same verdict, the same least number, and a right certificate.
std::string net_disagreement(const Program& program, const ParameterizedAnswer& answer) {
  Context context;
  const RobustOptions options;
  const ValueClosure closure(program, attack_net_automata(program, options), {}, context);
  const std::vector<Attack> attacks = enumerate_attacks(program);
  const AttackNet net =
      build_attack_net(program, closure, options, attacks, possible_attacks(program, attacks, {}));
  const CoverResult result = coverable(net.net, net.success, {.least_demand = true}, context);
  if (result.verdict == CoverVerdict::kNotCoverable)
    return answer.verdict == RobustVerdict::kRobust
               ? check_certificate(net.net, net.success, result.certificate)
               : "the net has no attack";
  if (answer.verdict != RobustVerdict::kNotRobust) return "the net has an attack";
  return result.run.demanded() == answer.threads ? "" : "the net demands another number of threads";
}

std::string disagreement(const Program& program) try {
  const ParameterizedAnswer answer = decide(program);
  if (answer.verdict == RobustVerdict::kUnknown) return "";
  std::uint32_t smallest = 2;
  while (smallest <= 4 && !some_instance_has_attack(program, smallest)) ++smallest;
  if (answer.verdict == RobustVerdict::kRobust && smallest <= 4) return "robust, but not for 4 threads";
  if (answer.verdict == RobustVerdict::kNotRobust && !answer.least) return "the number is not the least";
  if (answer.verdict == RobustVerdict::kNotRobust && std::min(answer.threads, 5u) != smallest)
    return "another number of threads";
  return net_disagreement(program, answer);
} catch (const InternalError& error) {
  return error.what();
}

// The values that cells start with are there even if a range leaves them out.
TEST(RobustForAnyNumber, RangeWithoutTheInitialValue) {
  test::TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").store("x", 1).load("r", "z").load("s", "y");
  tiny.thread("Q").load("r", "y").store("x", 7);
  RobustOptions options;
  options.values.ranges.push_back({.address = tiny.program().objects[0].base, .low = 1, .high = 5});
  Context context;
  EXPECT_EQ(check_robust_any(tiny.program(), options, context).verdict, RobustVerdict::kUnknown);
}

TEST(RobustForAnyNumber, AgreesWithInstancesOfGeneratedPrograms) {
  std::size_t with_attacks = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    selfcheck::GeneratorShape shape = selfcheck::robust_shape_for(seed);
    shape.min_threads = 1;
    shape.max_threads = 2;
    shape.max_instructions = 5;
    shape.open_memory = shape.failures = false;
    const selfcheck::Genome genome = selfcheck::random_genome(seed, shape);
    const auto fails = [](const selfcheck::Genome& g) { return !disagreement(build(g)).empty(); };
    if (fails(genome)) {
      const selfcheck::Genome small = shrink_failing(genome, fails);
      FAIL() << "seed " << seed << ": " << disagreement(build(small)) << "\n" << describe(small);
    }
    with_attacks += decide(build(genome)).verdict == RobustVerdict::kNotRobust;
  }
  EXPECT_GE(with_attacks, 50u);
}

}  // namespace weir::parameterized_test
