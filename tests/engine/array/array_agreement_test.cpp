// The array engine against the reference machine on generated systems; `make test-long` compares more.
#include "selfcheck/agreement/array_agreement.hpp"

#include <gtest/gtest.h>

#include "selfcheck/random/array_generator.hpp"
#include "support/array_text.hpp"

namespace weir::test::array_agreement_test {

using namespace selfcheck;

struct Setting {
  ArrayFamily family;
  bool numbers, guess, sums = false;
};

class ArrayAgrees : public testing::TestWithParam<Setting> {};

TEST_P(ArrayAgrees, WithInstancesOfUpToFourProcesses) {
  ArrayShape shape;
  shape.family = GetParam().family;
  shape.numbers = GetParam().numbers;
  shape.sums = GetParam().sums;
  std::uint64_t unknown = 0;
  const std::uint64_t systems = GetParam().sums ? 40 : 80;
  for (std::uint64_t seed = 90'000; seed < 90'000 + systems; ++seed) {
    const array::ArraySystem system = random_array_system(seed, shape);
    const ArrayAgreement result = compare_array(system, GetParam().guess);
    ASSERT_NE(result.kind, ArrayAgreement::Kind::kDisagree)
        << "seed " << seed << ": " << result.message << "\n"
        << array_text(system);
    unknown += result.kind == ArrayAgreement::Kind::kUnknown ? 1 : 0;
  }
  EXPECT_LE(unknown, systems / (GetParam().sums ? 4 : 8));
}

INSTANTIATE_TEST_SUITE_P(Families, ArrayAgrees,
                         testing::Values(Setting{ArrayFamily::kOrdinary, false, false},
                                         Setting{ArrayFamily::kOrdinary, true, false},
                                         Setting{ArrayFamily::kOrdinary, false, true},
                                         Setting{ArrayFamily::kWeak, false, false},
                                         Setting{ArrayFamily::kWeak, true, false},
                                         Setting{ArrayFamily::kWeak, false, true},
                                         Setting{ArrayFamily::kOrdinary, true, false, true},
                                         Setting{ArrayFamily::kOrdinary, true, true, true},
                                         Setting{ArrayFamily::kWeak, true, false, true}));

}  // namespace weir::test::array_agreement_test
