// Good-writes: several sources per read, which only SC decides.
#include <gtest/gtest.h>

#include "engine/consistency/support/agreement.hpp"
#include "engine/consistency/support/notation.hpp"

namespace weir::consistency::test::verify_sc_test {

bool consistent(const Instance& instance) {
  Verifier verifier;
  bool answer = false;
  EXPECT_EQ(disagreement(verifier, instance, Model::kSc, true, &answer), "");
  return answer;
}

TEST(VerifySc, OneOfSeveralSourcesIsEnough) {
  EXPECT_FALSE(consistent(instance_of({"w x; r y=i", "w y; r x=i"})));
  EXPECT_TRUE(consistent(instance_of({"w x; r y=i|1.0", "w y; r x=i"})));
  EXPECT_TRUE(consistent(instance_of({"w x; r y=i|1.0", "w y; r x=i|0.0"})));
}

TEST(VerifySc, UpdatesChooseTheirSource) {
  EXPECT_TRUE(consistent(instance_of({"u x=i|1.0", "u x=i|0.0"})));
  EXPECT_FALSE(consistent(instance_of({"u x=i|1.0", "u x=i|0.0", "r x=1.0; r x=0.0; r x=1.0"})));
}

TEST(VerifySc, ClosureNoticesThatNoSourceIsLeft) {
  Verifier verifier;
  const Instance instance = instance_of({"w x; w x; w x; r x=0.0|0.1"});
  ASSERT_EQ(verifier.verify(instance, {Model::kSc, Algorithm::kVerify, ClosureUse::kFirst}),
            Outcome::kInconsistent);
  EXPECT_EQ(verifier.without_source(), EventId(3));
  EXPECT_FALSE(verifier.figures().searched);
}

}  // namespace weir::consistency::test::verify_sc_test
