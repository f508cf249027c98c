// The long comparison of the buffer abstractions with each other and with the reference machine:
// `abstraction_agreement COUNT [FIRST_SEED]`, two programs for each seed. Prints the smallest disagreeing
// program it can find and exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "program/text/text.hpp"
#include "selfcheck/agreement/abstraction_agreement.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::selfcheck;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  AbstractionComparisons made;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Program observed = build(observer_genome(seed));
    if (const std::string problem = abstraction_disagreement(observed, &made); !problem.empty()) {
      fmt::print("seed {}: {}\n{}", seed, problem, print(observed));
      return 1;
    }
    const Genome genome = abstraction_genome(seed);
    if (abstraction_disagreement(build(genome), &made).empty()) {
      if ((seed - first + 1) % 1000 == 0) fmt::print(stderr, "{} programs\n", seed - first + 1);
      continue;
    }
    const auto fails = [](const Genome& simpler) {
      return !abstraction_disagreement(build(simpler)).empty();
    };
    const Program small = build(shrink_failing(genome, fails));
    fmt::print("seed {}: {}\n{}", seed, abstraction_disagreement(small), print(small));
    return 1;
  }
  fmt::print(
      "{} programs agree: reachable states compared for {} (a set reaches more than TSO in {}), {} "
      "comparisons "
      "of reductions, multisets backward and forward ({} safe, {} unsafe), {} answers safe, {} unsafe, {} "
      "unknown ({} after a spurious candidate)\n",
      made.programs, made.inclusions, made.strict, made.reductions, made.backward_safe, made.backward_unsafe,
      made.safe, made.unsafe, made.unknown, made.refined);
  return 0;
}
