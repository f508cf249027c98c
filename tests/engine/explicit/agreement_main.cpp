// The long comparison of the explicit engine with the reference machine: `agreement COUNT [FIRST_SEED]`.
// Prints the smallest disagreeing program it can find and exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "selfcheck/agreement/agreement.hpp"
#include "selfcheck/random/program_generator.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::selfcheck;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const auto configurations = all_configurations();
  std::uint64_t compared_count = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const GeneratorShape shape = shape_for(seed);
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      const auto fails = [&](const Genome& genome) {
        return !disagreement(build(genome), model, configurations).empty();
      };
      const Genome genome = random_genome(seed, shape);
      bool compared = false;
      const std::string problem = disagreement(build(genome), model, configurations, &compared);
      compared_count += compared;
      if (problem.empty()) continue;
      const Genome small = shrink_failing(genome, fails);
      fmt::print("seed {}: {}\n{}", seed, disagreement(build(small), model, configurations), describe(small));
      return 1;
    }
    if ((seed - first + 1) % 1000 == 0) fmt::print(stderr, "{} programs\n", seed - first + 1);
  }
  fmt::print("{} programs x 3 models x {} configurations agree with the reference machine ({} comparisons)\n",
             count, configurations.size(), compared_count);
  return 0;
}
