// array_agreement COUNT [SEED [sums]]: generated array systems, ordinary and weak, with and without numbers
// and guesses, through the array engine and the reference machine; with `sums`, only systems with linear
// arithmetic. Ends with 1 and the smallest system at the first disagreement.
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "selfcheck/agreement/array_agreement.hpp"
#include "selfcheck/random/array_generator.hpp"
#include "support/array_text.hpp"

using namespace weir;
using namespace weir::test;
using namespace weir::selfcheck;
using Kind = ArrayAgreement::Kind;

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const bool only_sums = argc > 3 && std::string_view(argv[3]) == "sums";
  std::map<Kind, std::uint64_t> seen;
  std::uint64_t bounded = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    ArrayShape shape;
    shape.family = seed % 2 == 0 ? ArrayFamily::kOrdinary : ArrayFamily::kWeak;
    shape.sums = only_sums || seed % 10 == 0;
    shape.numbers = only_sums || seed % 5 == 0;
    shape.constant_processes = seed % 7 == 0;
    shape.universal_guards = seed % 3 != 0;
    const bool guess = seed % 4 == 3;
    const array::ArraySystem system = random_array_system(seed, shape);
    const ArrayAgreement result = compare_array(system, guess);
    ++seen[result.kind];
    bounded += result.bounded ? 1 : 0;
    if (result.kind != Kind::kDisagree) continue;
    const array::ArraySystem smallest = shrink_failing(system, [&](const array::ArraySystem& one) {
      return compare_array(one, guess).kind == Kind::kDisagree;
    });
    fmt::print("seed {}: {}\n{}", seed, compare_array(smallest, guess).message, array_text(smallest));
    return 1;
  }
  fmt::print(
      "{} systems: {} safe ({} with an instance too large to explore whole), {} unsafe and confirmed by the "
      "trace, "
      "{} by another run, {} without an answer\n",
      count, seen[Kind::kSafe], bounded, seen[Kind::kConfirmed], seen[Kind::kOther], seen[Kind::kUnknown]);
}
