// The long comparison of the axiomatic search for array systems with the schedule-based one and the reference
// machine: `array_axiomatic_agreement COUNT [FIRST_SEED [MILLISECONDS]]`. Prints the smallest disagreeing
// system it can find and exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "selfcheck/agreement/axiomatic_agreement.hpp"
#include "support/array_text.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::test;
  using namespace weir::selfcheck;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::uint64_t milliseconds = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1'000;
  const AxiomaticEffort effort{.search = std::chrono::milliseconds(milliseconds)};
  AxiomaticComparisons made;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const array::ArraySystem system = axiomatic_system(seed);
    if (axiomatic_disagreement(system, made, effort).empty()) continue;
    AxiomaticComparisons ignored;
    const auto fails = [&](const array::ArraySystem& simpler) {
      return !axiomatic_disagreement(simpler, ignored, effort).empty();
    };
    const array::ArraySystem small = shrink_failing(system, fails);
    fmt::print("seed {}: {}\n{}", seed, axiomatic_disagreement(small, ignored, effort), array_text(small));
    return 1;
  }
  fmt::print(
      "{} systems: {} safe, {} unsafe, {} not decided in time; {} answers compared with the schedule-based "
      "search "
      "({} differ where guards were weakened); {} safe answers held against all states of two processes, {} "
      "unsafe "
      "ones have a "
      "run of the machine\n",
      count, made.safe, made.unsafe, made.undecided, made.compared, made.approximations, made.explored,
      made.confirmed);
  return 0;
}
