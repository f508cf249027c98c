// The array engine against the reference machine on generated systems; `make test-long` compares more.
#include "support/array_agreement.hpp"

#include <gtest/gtest.h>

#include "support/array_generator.hpp"
#include "support/array_text.hpp"

namespace weir::test {
namespace {

struct Setting {
  ArrayFamily family;
  bool numbers, guess;
};

class ArrayAgrees : public testing::TestWithParam<Setting> {};

TEST_P(ArrayAgrees, WithInstancesOfUpToFourProcesses) {
  ArrayShape shape;
  shape.family = GetParam().family;
  shape.numbers = GetParam().numbers;
  std::uint64_t unknown = 0;
  constexpr std::uint64_t kSystems = 80;
  for (std::uint64_t seed = 90'000; seed < 90'000 + kSystems; ++seed) {
    const array::ArraySystem system = random_array_system(seed, shape);
    const ArrayAgreement result = compare_array(system, GetParam().guess);
    ASSERT_NE(result.kind, ArrayAgreement::Kind::kDisagree)
        << "seed " << seed << ": " << result.message << "\n"
        << array_text(system);
    unknown += result.kind == ArrayAgreement::Kind::kUnknown ? 1 : 0;
  }
  EXPECT_LE(unknown, kSystems / 8);
}

INSTANTIATE_TEST_SUITE_P(Families, ArrayAgrees,
                         testing::Values(Setting{ArrayFamily::kOrdinary, false, false},
                                         Setting{ArrayFamily::kOrdinary, true, false},
                                         Setting{ArrayFamily::kOrdinary, false, true},
                                         Setting{ArrayFamily::kWeak, false, false},
                                         Setting{ArrayFamily::kWeak, true, false},
                                         Setting{ArrayFamily::kWeak, false, true}));

}  // namespace
}  // namespace weir::test
