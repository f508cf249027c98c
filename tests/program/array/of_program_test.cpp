// Programs as array systems: with N processes they are unsafe exactly where the reference machine finds the
// program with N threads unsafe, for some way to choose the threads.
#include "program/array/of_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "check/array/explore.hpp"
#include "check/explore.hpp"
#include "program/array/validate.hpp"
#include "program/instances.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/array_text.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::array_of_program_test {

using namespace selfcheck;
using namespace weir::array;
using ::testing::HasSubstr;

enum class Verdict { kSafe, kUnsafe, kUnknown };

Verdict verdict_of(const ArraySystem& system, std::uint32_t processes) {
  const ArrayExploration exploration = explore(system, processes, {.states = 5000, .buffered_groups = 3});
  if (exploration.unsafe()) return Verdict::kUnsafe;
  return exploration.verdict == ArrayVerdict::kExhausted ? Verdict::kSafe : Verdict::kUnknown;
}

// With `left` threads more than `counts` says, which are copies of the threads behind these.
Verdict verdict_of(const Program& program, std::vector<std::uint32_t> counts, std::uint32_t left) {
  if (counts.size() < program.threads.size()) {
    Verdict all = Verdict::kSafe;
    const bool last = counts.size() + 1 == program.threads.size();
    counts.push_back(0);
    for (counts.back() = last ? left : 0; counts.back() <= left; ++counts.back()) {
      const Verdict one = verdict_of(program, counts, left - counts.back());
      if (one == Verdict::kUnsafe) return one;
      if (one == Verdict::kUnknown) all = one;
    }
    return all;
  }
  const ReferenceExploration exploration =
      explore_all(with_instances(program, counts), Model::kTso, {.states = 5000, .buffered_stores = 3});
  if (!exploration.violations.empty()) return Verdict::kUnsafe;
  return exploration.complete ? Verdict::kSafe : Verdict::kUnknown;
}

bool disagrees(const Program& program, std::uint32_t processes) {
  const Expected<ArraySystem, Diagnostic> system = as_array_system(program);
  if (!system) return false;
  const Verdict one = verdict_of(system.value(), processes), other = verdict_of(program, {}, processes);
  return one != other && one != Verdict::kUnknown && other != Verdict::kUnknown;
}

GeneratorShape convertible(std::uint64_t seed) {
  GeneratorShape shape;
  shape.min_threads = shape.max_threads = 2;
  shape.max_instructions = 4;
  shape.max_variables = 2;
  shape.locks = shape.atomic_blocks = shape.calls = shape.invariants = shape.deadlocks = false;
  shape.loops = seed % 3 == 0;
  shape.extra.waiting_loads = shape.extra.awaited_values = shape.extra.halts = shape.extra.stops = true;
  return shape;
}

TEST(ArrayOfProgram, GeneratedProgramsBehaveLikeTheirSystems) {
  int compared = 0, unsafe = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Genome genome = random_genome(seed, convertible(seed));
    const Program program = build(genome);
    const Expected<ArraySystem, Diagnostic> system = as_array_system(program);
    if (!system) continue;
    ASSERT_EQ(problem(system.value()), "") << array_text(system.value());
    ++compared;
    if (verdict_of(system.value(), 2) == Verdict::kUnsafe) ++unsafe;
    for (const std::uint32_t processes : {1u, 2u})
      if (disagrees(program, processes)) {
        const auto fails = [&](const Genome& one) { return disagrees(build(one), processes); };
        ADD_FAILURE() << "seed " << seed << ", " << processes << " processes\n"
                      << describe(shrink_failing(genome, fails));
      }
  }
  EXPECT_GE(compared, 100);
  EXPECT_GE(unsafe, 20);
  EXPECT_LE(unsafe, compared - 20);
}

std::string refusal(const Program& program) {
  const Expected<ArraySystem, Diagnostic> system = as_array_system(program);
  return system ? "" : system.error().message;
}

TEST(ArrayOfProgram, RefusesWhatAnArraySystemDoesNotHave) {
  TinyProgram counter({"x"});
  counter.thread("P").fetch_add("r", "x", 1);
  EXPECT_THAT(refusal(counter.program()), HasSubstr("P gives too many values")) << "with many copies";

  TinyProgram locked({"x"});
  locked.thread("P").add({.op = Opcode::kLock});
  EXPECT_THAT(refusal(locked.program()), HasSubstr("global lock"));

  TinyProgram cut({"x"});
  cut.thread("P").store("x", 1).add({.op = Opcode::kHalt, .message = "something"});
  EXPECT_THAT(refusal(cut.program()), HasSubstr("leaves out what follows"));

  TinyProgram plain({"x"});
  plain.thread("P").store("x", 1);
  EXPECT_EQ(refusal(plain.program()), "");
  Program program = plain.program();
  program.threads[0].single = true;
  EXPECT_THAT(refusal(program), HasSubstr("only one P"));
  program = plain.program();
  program.properties.deadlock = true;
  EXPECT_THAT(refusal(program), HasSubstr("deadlocks"));
  program = plain.program();
  program.properties.invariants.push_back({.expression = program.constant(1)});
  EXPECT_THAT(refusal(program), HasSubstr("invariant"));
}

// P sets x and looks at y, Q sets y and looks at x; the goal is that both find 0.
TEST(ArrayOfProgram, StoreBuffering) {
  for (const bool fenced : {false, true}) {
    TinyProgram tiny({"x", "y"});
    std::vector<ThreadLocation> goal;
    const auto add = [&](const char* name, const char* own, const char* other) {
      TinyThread thread = tiny.thread(name).store(own, 1);
      if (fenced) thread.fence();
      thread.load("r", other).assume_equal("r", 0);
      goal.push_back({thread.id(), thread.here()});
    };
    add("P", "x", "y");
    add("Q", "y", "x");
    Program program = tiny.program();
    program.properties.goals = {goal};
    const ArraySystem system = *as_array_system(program);
    EXPECT_EQ(verdict_of(system, 2), fenced ? Verdict::kSafe : Verdict::kUnsafe);
    EXPECT_EQ(verdict_of(system, 3), fenced ? Verdict::kSafe : Verdict::kUnsafe);
  }
}

}  // namespace weir::test::array_of_program_test
