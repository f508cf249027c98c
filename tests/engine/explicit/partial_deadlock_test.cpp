// Partial deadlocks: explicit finds them exactly where the reference machine sees a state with a thread that
// is stuck for good, with the searches that look for them.
#include "engine/explicit/partial_deadlock.hpp"

#include <gtest/gtest.h>

#include "check/explore.hpp"
#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/text_program.hpp"

namespace weir::test::partial_deadlock_test {

using namespace selfcheck;

Answer checked(const Program& program, Model model, Reduction reduction = Reduction::kAuto) {
  Context context;
  return check_explicit(program, {.model = model, .reduction = reduction}, context);
}

constexpr const char* kPolling =
    "  register r : i64\n  entry a\n  a:\n    r := load x -> b\n  b:\n    assume r == 0 -> a\n    assume r "
    "!= 0 -> c\n  c:\n";

TEST(PartialDeadlock, IsNotOneIfTheOthersCanEnd) {
  TextProgram text("shared x = 0\nshared y = 0\npartial_deadlock\n");
  text.thread("P", {"r := load y wait 0"});
  text.thread("Q", {"r := load x"});
  EXPECT_EQ(checked(text.program(), Model::kSc).verdict, Verdict::kSafe)
      << "only a deadlock, which nobody asks for";
}

TEST(PartialDeadlock, NeedsALoop) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"r := load x", "store x := 1"});
  EXPECT_FALSE(has_loop(text.program()));
  text.declare(std::string("function f()\n") + kPolling + "end\nthread Q = f()");
  EXPECT_TRUE(has_loop(text.program()));
}

TEST(PartialDeadlock, AThreadWaitsWhileAnotherPolls) {
  for (const char* waits : {"r := load y wait 0", "r := load x wait 0"}) {
    TextProgram text("shared x = 0\nshared y = 0\npartial_deadlock\n");
    text.thread("P", {waits});
    text.declare(std::string("function f()\n") + kPolling + "end\nthread Q = f()");
    const Program program = text.program();
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      for (const Reduction reduction : {Reduction::kNone, Reduction::kPersistent}) {
        const Answer answer = checked(program, model, reduction);
        ASSERT_EQ(answer.verdict, Verdict::kUnsafe);
        EXPECT_EQ(answer.witness->violation.message, "deadlock: P can never go on, although Q can");
        EXPECT_TRUE(replay(program, *answer.witness).reproduced);
      }
  }
}

// One that favours a thread follows it for ever, if it never ends.
TEST(PartialDeadlock, IsNotLookedForByReductionsThatMayFollowOneThreadOnly) {
  TextProgram text("shared x = 0\nshared y = 0\npartial_deadlock\n");
  text.thread("P", {"r := load y wait 0"});
  text.declare(std::string("function f()\n") + kPolling + "end\nthread Q = f()");
  for (const Reduction reduction : {Reduction::kLocalFirst, Reduction::kDynamic, Reduction::kCartesian}) {
    const Answer answer = checked(text.program(), Model::kSc, reduction);
    EXPECT_EQ(answer.verdict, Verdict::kSafe);
    EXPECT_NE(answer.reason.find("were not looked for"), std::string::npos) << answer.reason;
  }
}

TEST(PartialDeadlock, IsWhatTheReferenceMachineSees) {
  GeneratorShape shape;
  shape.loops = true;
  shape.assertions = shape.choices = shape.calls = false;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.extra.waiting_loads = true;
  shape.max_instructions = 4;
  std::size_t stuck = 0, free = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    const Genome genome = random_genome(seed, shape);
    Program program = build(genome);
    program.properties.partial_deadlock = true;
    for (const Model model : {Model::kSc, Model::kTso}) {
      const ReferenceExploration reference =
          explore_all(program, model, {.states = 2'000, .buffered_stores = 3}, CollectStates::kYes);
      if (!reference.complete || !reference.violations.empty()) continue;
      const ReferenceMachine machine(program, model);
      const bool expected = std::ranges::any_of(reference.states, [&](const ReferenceState& state) {
        return machine.stuck_for_good(state).value_or(false);
      });
      for (const Reduction reduction : {Reduction::kNone, Reduction::kPersistent}) {
        const Answer answer = checked(program, model, reduction);
        ASSERT_EQ(answer.verdict == Verdict::kUnsafe, expected)
            << "seed " << seed << ", " << name(model) << ", " << name(reduction) << "\n"
            << genome;
        const bool shown = !expected || replay(program, *answer.witness).reproduced;
        ASSERT_TRUE(shown) << "seed " << seed << "\n" << genome;
      }
      ++(expected ? stuck : free);
    }
  }
  EXPECT_GT(stuck, 10u);
  EXPECT_GT(free, 100u);
}

}  // namespace weir::test::partial_deadlock_test
