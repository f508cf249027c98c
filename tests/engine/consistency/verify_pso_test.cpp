// Where VerifyPSO has to differ from the text it comes from: each instance is consistent, and is missed
// without the difference that it is named after, because the search reaches a prefix that blocks itself
// before the equal-looking one that does not.
#include <gtest/gtest.h>

#include "engine/consistency/support/agreement.hpp"
#include "engine/consistency/support/notation.hpp"

namespace weir::consistency::test::verify_pso_test {

void expect_consistent(const Instance& instance) {
  Verifier verifier;
  bool answer = false;
  EXPECT_EQ(disagreement(verifier, instance, Model::kPso, true, &answer), "");
  EXPECT_TRUE(answer);
}

// The write of x by thread 1 is held by a read of thread 1 itself, which waits for what thread 2 does behind
// its fence.
TEST(VerifyPso, FenceMapCountsReadersInTheThreadOfTheWrite) {
  expect_consistent(
      instance_of({"r x=1.0; w z", "w x; r y=2.4; r x=1.0", "r a=3.0; w x; r z=0.1; f; w y", "w a"}));
}

// Thread 1's store to x may be late for thread 3's; then it waits for thread 2's update and for thread 4,
// which reads that and waits for thread 1's fence. Both prefixes wait for the same read of thread 2, because
// of y.
TEST(VerifyPso, FenceMapFollowsUpdates) {
  expect_consistent(instance_of({"r y=3.2; r x=3.1; w b", "r a=3.0; w x; r b=0.2; w y; w c; f; w q",
                                 "r c=1.4; u x=3.1; r y=3.2", "w a; w x; w y", "r q=1.6; r x=2.1"}));
}

// Thread 1 reads thread 2's update of x and has itself written x before: that store must be gone before the
// source of the update reaches memory.
TEST(VerifyPso, StoresOfReadersOfUpdatesGoFirst) {
  expect_consistent(instance_of({"r x=3.1; w d", "r a=3.0; w x; w e; r x=2.1", "r c=4.2; u x=3.1", "w a; w x",
                                 "r d=0.1; r e=1.2; w c"}));
}

// Thread 1's store to y, which nobody reads, must reach memory before thread 2's. For that its store to z has
// to leave the buffer before anybody asks for it.
TEST(VerifyPso, StoresBeforeAStoreFenceMayGoEarly) {
  expect_consistent(instance_of({"r y=2.0; r z=1.0", "w z; sf; w y; sf; w x", "w y", "r x=1.4; r y=2.0"}));
}

}  // namespace weir::consistency::test::verify_pso_test
