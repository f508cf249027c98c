// The long comparison of all algorithms for Streett objectives with the explicit reference:
// `streett_agreement COUNT [FIRST_SEED]`. Prints the smallest disagreeing instance it can find and exits with
// 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "engine/fairness/support/agreement.hpp"

int main(int argc, char** argv) {
  using namespace weir::fairness::test;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::uint64_t graphs = 0, divided = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Instance instance = random_instance(seed, 60);
    std::size_t winning = 0;
    const std::string problem = disagreement(instance, &winning);
    if (!problem.empty()) {
      const Instance small = shrink(instance);
      fmt::print("seed {}: {}\n{}", seed, disagreement(small), small.text());
      return 1;
    }
    graphs += instance.random.empty() ? 1 : 0;
    divided += winning > 0 && winning < instance.vertices ? 1 : 0;
  }
  fmt::print("{} graphs and {} MDPs, {} of them won in part: 6 algorithms agree with the reference\n", graphs,
             count - graphs, divided);
  return 0;
}
