// A sample of the long comparison (consistency_agreement): all algorithms against brute force on generated
// instances.
#include <gtest/gtest.h>

#include "engine/consistency/support/agreement.hpp"
#include "engine/consistency/support/generator.hpp"

namespace weir::consistency::test::consistency_agreement_test {

TEST(ConsistencyAgreement, WithBruteForce) {
  Verifier verifier;
  for (std::uint64_t seed = 1'000'000; seed < 1'002'000; ++seed)
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      Shape shape = shape_for(seed);
      if (model == Model::kSc && seed % 2 == 0) shape.more_sources = 35;
      const Instance instance = random_instance(seed, shape, model);
      if (disagreement(verifier, instance, model, true, nullptr).empty()) continue;
      const Instance small = shrink(verifier, instance, model);
      FAIL() << "seed " << seed << ": " << disagreement(verifier, small, model, true, nullptr) << "\n"
             << describe(small);
    }
}

// Larger ones, for which the naive algorithm is the judge.
TEST(ConsistencyAgreement, OfAllAlgorithms) {
  Verifier verifier;
  for (std::uint64_t seed = 1; seed < 150; ++seed)
    for (const Model model : {Model::kTso, Model::kPso}) {
      Shape shape = shape_for(seed);
      shape.threads = 3;
      shape.events = model == Model::kTso ? 9 : 7;
      const Instance instance = random_instance(seed, shape, model);
      ASSERT_EQ(disagreement(verifier, instance, model, false, nullptr), "") << "seed " << seed << "\n"
                                                                             << describe(instance);
    }
}

}  // namespace weir::consistency::test::consistency_agreement_test
