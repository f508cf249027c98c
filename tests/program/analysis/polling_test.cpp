// Loads that wait as loops: the same places are reached with the same memory, and nothing waits any more.
#include "program/analysis/polling.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/explore.hpp"
#include "program/validate.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/arbitrary_genome.hpp"
#include "support/text_program.hpp"

namespace weir::polling_test {

bool waits(const Program& program) {
  return std::ranges::any_of(program.edges, [](const Edge& edge) { return edge.instruction.waits; });
}

TEST(Polling, ALoadInVainChangesNothing) {
  test::TextProgram text("shared x = 0\n");
  text.thread("P", {"r := 7", "r := load x until r - 5", "assume r == 2", "nop"});
  text.thread("Q", {"store x := 1", "store x := 2", "store x := 3"});
  text.declare("goal P at at4");
  const Program polling = with_polling(text.program());
  EXPECT_FALSE(waits(polling));
  EXPECT_TRUE(validate(polling).empty());
  EXPECT_EQ(test::violations(polling, Model::kTso), (std::set<ViolationKey>{{ViolationKind::kGoal, 0}}));
}

TEST(Polling, ABlockThatWaitsIsNotExecuted) {
  test::TextProgram text("shared x = 0\nshared y = 0\n");
  text.thread("P", {"atomic_begin", "store y := 1", "r := load x wait 0", "atomic_end"});
  text.thread("Q", {"r := load y until 1", "nop"});
  text.declare("goal Q at at1");
  EXPECT_EQ(test::violations(with_polling(text.program()), Model::kSc), std::set<ViolationKey>{});
}

TEST(Polling, LeavesWhatIsNotAskedFor) {
  test::TextProgram text("shared x = 0\n");
  text.thread("P", {"r := load x until 1", "r := load x wait 2"});
  const Program polling = with_polling(text.program(), Polled::kWaiting);
  EXPECT_EQ(std::ranges::count_if(polling.edges, [](const Edge& e) { return e.instruction.waits; }), 1);
}

RC_GTEST_PROP(Polling, KeepsMemoriesAndViolations, ()) {
  selfcheck::GeneratorShape shape{.max_instructions = 4, .loops = true, .deadlocks = false};
  shape.extra.waiting_loads = shape.extra.awaited_values = true;
  const Program program = selfcheck::build(*test::arbitrary_genome(shape));
  const Program polling = with_polling(program);
  RC_ASSERT(validate(polling).empty());
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const ExplorationLimits limits{.states = 20'000, .buffered_stores = 5};
    const ReferenceExploration a = explore_all(program, model, limits),
                               b = explore_all(polling, model, limits);
    if (!a.complete || !b.complete) continue;
    RC_ASSERT(a.memories == b.memories);
    RC_ASSERT(a.violations == b.violations);
  }
}

}  // namespace weir::polling_test
