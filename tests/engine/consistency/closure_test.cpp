// The closure refutes what it can, with a cycle whose edges have the reasons a person would give, and never
// more.
#include "engine/consistency/closure.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/consistency/support/notation.hpp"
#include "engine/consistency/verifier.hpp"

namespace weir::consistency::test::closure_test {

std::vector<Reason> reasons(const Instance& instance, Model model) {
  Verifier verifier;
  EXPECT_EQ(verifier.verify(instance, {model, Algorithm::kVerify, ClosureUse::kFirst}),
            Outcome::kInconsistent);
  EXPECT_FALSE(verifier.figures().searched) << "the closure decides it";
  const auto cycle = verifier.cycle();
  std::vector<Reason> result;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_EQ(cycle[i].to, cycle[(i + 1) % cycle.size()].from);
    result.push_back(cycle[i].reason);
  }
  return result;
}

using ::testing::UnorderedElementsAre;
using enum Reason;

TEST(Closure, MessagePassing) {
  EXPECT_THAT(reasons(instance_of({"w x; w y", "r y=0.1; r x=i"}), Model::kTso),
              UnorderedElementsAre(kBufferOrder, kReadsFrom, kProgramOrder, kNewer));
  EXPECT_THAT(reasons(instance_of({"w x; sf; w y", "r y=0.2; r x=i"}), Model::kPso),
              UnorderedElementsAre(kStoreFence, kReadsFrom, kProgramOrder, kNewer));
  EXPECT_THAT(reasons(instance_of({"w x; w y", "r y=0.1; r x=i"}), Model::kSc),
              UnorderedElementsAre(kProgramOrder, kReadsFrom, kProgramOrder, kNewer));
}

TEST(Closure, FencedStoreBuffering) {
  EXPECT_THAT(reasons(instance_of({"w x; f; r y=i", "w y; f; r x=i"}), Model::kTso),
              UnorderedElementsAre(kDrained, kProgramOrder, kNewer, kDrained, kProgramOrder, kNewer));
}

TEST(Closure, TwoUpdatesOfOneWrite) {
  EXPECT_THAT(reasons(instance_of({"u x=i", "u x=i"}), Model::kTso), UnorderedElementsAre(kNewer, kNewer));
}

TEST(Closure, OwnStoreMustBeGone) {
  // Thread 1 overwrites x, reads thread 0's write after that, and thread 2 saw them the other way round.
  const auto why = reasons(instance_of({"w x", "w x; r x=0.0", "r x=0.0; r x=1.0"}), Model::kTso);
  EXPECT_TRUE(std::find(why.begin(), why.end(), kHidden) != why.end());
}

}  // namespace weir::consistency::test::closure_test
