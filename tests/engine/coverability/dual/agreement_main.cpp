// The long comparison of the dual semantics with the explicit engine: `dual_agreement COUNT [FIRST_SEED]`.
// Prints the smallest disagreeing program it can find and exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "program/text/text.hpp"
#include "selfcheck/agreement/dual_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::selfcheck;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  DualComparisons made;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Genome genome = dual_genome(seed);
    if (dual_disagreement(build(genome), made).empty()) continue;
    DualComparisons ignored;
    const auto fails = [&](const Genome& simpler) {
      return !dual_disagreement(build(simpler), ignored).empty();
    };
    const Program small = build(shrink_failing(genome, fails));
    fmt::print("seed {}: {}\n{}", seed, dual_disagreement(small, ignored), print(small));
    return 1;
  }
  fmt::print(
      "{} programs: {} questions decided by both ({} unsafe), {} not by the explicit engine, {} not by the "
      "backward search; {} for any number of threads ({} unsafe)\n",
      count, made.compared, made.unsafe, made.undecided, made.refused, made.any_number, made.any_unsafe);
  return 0;
}
