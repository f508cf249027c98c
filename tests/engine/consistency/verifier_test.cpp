// The known litmus tests under each model, by every algorithm, with and without closure.
#include "engine/consistency/verifier.hpp"

#include <gtest/gtest.h>

#include "engine/consistency/support/agreement.hpp"
#include "engine/consistency/support/buffer_machine.hpp"
#include "engine/consistency/support/generator.hpp"
#include "engine/consistency/support/notation.hpp"

namespace weir::consistency::test::verifier_test {

struct Litmus {
  const char* name;
  Instance instance;
  bool sc, tso, pso;
};

std::vector<Litmus> litmus_tests() {
  return {
      {"store buffering", instance_of({"w x; r y=i", "w y; r x=i"}), false, true, true},
      {"store buffering, fenced", instance_of({"w x; f; r y=i", "w y; f; r x=i"}), false, false, false},
      {"store buffering, one fence", instance_of({"w x; f; r y=i", "w y; r x=i"}), false, true, true},
      {"store buffering, updates drain", instance_of({"w x; u a=i; r y=i", "w y; u b=i; r x=i"}), false,
       false, false},
      {"message passing", instance_of({"w x; w y", "r y=0.1; r x=i"}), false, false, true},
      {"message passing, store fence", instance_of({"w x; sf; w y", "r y=0.2; r x=i"}), false, false, false},
      {"message passing, fence", instance_of({"w x; f; w y", "r y=0.2; r x=i"}), false, false, false},
      {"load buffering", instance_of({"r x=1.1; w y", "r y=0.1; w x"}), false, false, false},
      {"independent reads of independent writes",
       instance_of({"w x", "w y", "r x=0.0; r y=i", "r y=1.0; r x=i"}), false, false, false},
      {"two writes twice", instance_of({"w x; w y", "w y; w x", "r x=0.0; r x=1.1", "r y=1.0; r y=0.1"}),
       true, true, true},
      {"coherence", instance_of({"w x", "w x", "r x=0.0; r x=1.0", "r x=1.0; r x=0.0"}), false, false, false},
      {"forwarding", instance_of({"w x; r x=0.0; r y=i", "w y; r y=1.0; r x=i"}), false, true, true},
      {"reads the initial value after an own write", instance_of({"w x; r x=i"}), false, false, false},
      {"reads an own write that is overwritten", instance_of({"w x; w x; r x=0.0"}), false, false, false},
      {"reads an own later write", instance_of({"r x=0.1; w x"}), false, false, false},
      {"one update per write", instance_of({"u x=i", "u x=i"}), false, false, false},
      {"updates in a row", instance_of({"u x=i; u x=1.0", "u x=0.0; u x=0.1"}), true, true, true},
      {"updates in a circle", instance_of({"u x=1.0", "u x=0.0"}), false, false, false},
      {"a failed compare-and-swap drains", instance_of({"w x; f; r y=i", "w y; f; r y=1.0; r x=i"}), false,
       false, false},
      {"a lock handed over", instance_of({"u l=i; w x; w l", "u l=0.2; r x=0.1; w l"}), true, true, true},
      {"a lock handed over without what it protects", instance_of({"u l=i; w x; w l", "u l=0.2; r x=i; w l"}),
       false, false, true},
      {"a lock taken twice", instance_of({"u l=i; w x; w l", "u l=i; w x; w l"}), false, false, false},
      {"nothing", instance_of({}), true, true, true},
      {"a thread without events", instance_of({"", "w x"}), true, true, true},
  };
}

class EveryAlgorithm : public ::testing::TestWithParam<Model> {};

TEST_P(EveryAlgorithm, GivesTheKnownAnswer) {
  Verifier verifier;
  for (const Litmus& test : litmus_tests()) {
    bool answer = false;
    EXPECT_EQ(disagreement(verifier, test.instance, GetParam(), true, &answer), "") << test.name;
    const bool expected = GetParam() == Model::kSc    ? test.sc
                          : GetParam() == Model::kTso ? test.tso
                                                      : test.pso;
    EXPECT_EQ(answer, expected) << test.name << " under " << name(GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryAlgorithm, ::testing::Values(Model::kSc, Model::kTso, Model::kPso),
                         [](const auto& model) { return std::string(name(model.param)); });

TEST(Verifier, SaysWhichReadContradictsItsOwnThread) {
  Verifier verifier;
  const Instance later = instance_of({"r x=0.1; w x"});
  ASSERT_EQ(verifier.verify(later, {Model::kTso}), Outcome::kInconsistent);
  ASSERT_TRUE(verifier.contradiction());
  EXPECT_EQ(verifier.contradiction()->kind, ContradictionKind::kReadsLater);
  EXPECT_EQ(verifier.contradiction()->read, EventId(0));

  const Instance hidden = instance_of({"w x; w x; r x=0.0"});
  ASSERT_EQ(verifier.verify(hidden, {Model::kPso}), Outcome::kInconsistent);
  ASSERT_TRUE(verifier.contradiction());
  EXPECT_EQ(verifier.contradiction()->kind, ContradictionKind::kOverwritten);
  EXPECT_EQ(verifier.contradiction()->between, EventId(1));
}

TEST(Verifier, FindsNothingToExplainInAConsistentInstance) {
  Verifier verifier;
  const Instance instance = instance_of({"w x; r y=i", "w y; r x=i"});
  ASSERT_EQ(verifier.verify(instance, {Model::kTso, Algorithm::kVerify, ClosureUse::kFirst}),
            Outcome::kConsistent);
  EXPECT_EQ(verifier.witness().size(), 6u);
  EXPECT_TRUE(verifier.cycle().empty());
  EXPECT_FALSE(verifier.contradiction());
}

TEST(Verifier, StopsWhenAsked) {
  // Three threads that store to many variables: the naive algorithm has millions of prefixes to visit.
  Instance instance;
  for (std::size_t t = 0; t < 4; ++t) {
    instance.add_thread();
    for (std::size_t i = 0; i < 40; ++i) instance.add(EventKind::kWrite, VariableId(t * 40 + i));
  }
  instance.add_thread();
  const EventId first = instance.add(EventKind::kRead, VariableId(39));
  const EventId second = instance.add(EventKind::kRead, VariableId(38));
  instance.add_source(first, EventId(39));
  instance.add_source(second, kInitialWrite);
  Context context;
  context.request_stop(StopReason::kTimeout);
  Verifier verifier;
  EXPECT_EQ(verifier.verify(instance, {Model::kTso, Algorithm::kNaive, ClosureUse::kNever}, &context),
            Outcome::kUnknown);
  EXPECT_EQ(verifier.verify(instance, {Model::kTso}), Outcome::kInconsistent);
}

TEST(Verifier, NumbersOfPrefixes) {
  // Unread stores need no choice; the naive algorithm goes through all combinations.
  Verifier verifier;
  const Instance instance = instance_of({"w x; w x; w x", "w x; w x; w x", "w x; w x; w x; r x=0.2"});
  ASSERT_EQ(verifier.verify(instance, {Model::kTso, Algorithm::kVerify, ClosureUse::kNever}),
            Outcome::kConsistent);
  EXPECT_LE(verifier.figures().prefixes, 2u);
  const Instance refuted = instance_of({"w x; w y", "r y=0.1; r x=i", "w z; w z; w z"});
  ASSERT_EQ(verifier.verify(refuted, {Model::kTso, Algorithm::kVerify, ClosureUse::kNever}),
            Outcome::kInconsistent);
  const std::uint64_t few = verifier.figures().prefixes;
  ASSERT_EQ(verifier.verify(refuted, {Model::kTso, Algorithm::kNaive, ClosureUse::kNever}),
            Outcome::kInconsistent);
  EXPECT_GT(verifier.figures().prefixes, 10 * few);
}

}  // namespace weir::consistency::test::verifier_test
