// The long comparison of the robustness engine with brute force: `robust_agreement COUNT [FIRST_SEED]`. Every
// tenth program is compared in its cheapest fences, too; fence_agreement_main.cpp compares more. Prints the smallest disagreeing program it can find
// and exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

#include "selfcheck/agreement/fence_agreement.hpp"

namespace {

using namespace weir;
using namespace weir::selfcheck;
using Comparison = std::function<std::string(const Genome&, RobustComparisons*)>;

bool agree(std::uint64_t seed, const GeneratorShape& shape, const Comparison& compare,
           RobustComparisons* made) {
  const Genome genome = random_genome(seed, shape);
  if (compare(genome, made).empty()) return true;
  const Genome small = shrink_failing(genome, [&](const Genome& g) { return !compare(g, nullptr).empty(); });
  fmt::print("seed {}: {}\n{}", seed, compare(small, nullptr), describe(small));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  RobustComparisons made;
  FenceComparisons fences;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto compare = [&](const Genome& genome, RobustComparisons* counts) {
      const Program program = build(genome);
      std::string problem = robust_disagreement(program, counts);
      if (problem.empty() && seed % 10 == 0) problem = fence_disagreement(program, 0, &fences);
      return problem;
    };
    if (!agree(seed, robust_shape_for(seed), compare, &made)) return 1;
    const auto compare_lazy = [&](const Genome& genome, RobustComparisons* counts) {
      return lazy_disagreement(build(genome), counts);
    };
    if (!agree(seed, lazy_shape_for(seed), compare_lazy, &made)) return 1;
    if ((seed - first + 1) % 500 == 0) fmt::print(stderr, "{} programs\n", seed - first + 1);
  }
  fmt::print(
      "{} programs: {} verdicts ({} not robust) and {} cheapest fence sets agree with brute force, {} lazy "
      "answers with the explicit engine ({} left open)\n",
      count, made.verdicts, made.not_robust, fences.robust, made.reachability, made.undecided);
  return 0;
}
