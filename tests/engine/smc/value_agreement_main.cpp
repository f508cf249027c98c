// The long comparison of stateless model checking by values with brute force:
// `value_agreement COUNT [FIRST_SEED]`. Prints the smallest disagreeing program it can find and exits with 1,
// or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "program/text.hpp"
#include "support/program_generator.hpp"
#include "support/smc_agreement.hpp"
#include "support/value_agreement.hpp"

namespace {

using namespace weir;
using namespace weir::test;

bool agree(std::uint64_t seed, Model model, ValueComparisons& made) {
  const Genome genome = smc_genome(seed);
  if (value_disagreement(build(genome), model, &made).empty()) return true;
  const auto fails = [&](const Genome& simpler) {
    return !value_disagreement(build(simpler), model).empty();
  };
  const Program small = build(shrink_failing(genome, fails));
  fmt::print("seed {}, {}: {}\n{}", seed, name(model), value_disagreement(small, model), print(small));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  ValueComparisons made;
  std::uint64_t under_all = 0;  // programs compared under each model
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::size_t before = made.compared;
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      if (!agree(seed, model, made)) return 1;
    under_all += made.compared == before + 3;
    if ((seed - first + 1) % 1000 == 0) fmt::print(stderr, "{} programs\n", seed - first + 1);
  }
  fmt::print(
      "{} programs, {} of them compared under all 3 models: {} comparisons with brute force agree ({} with "
      "executions that block; {} executions visited, {} combinations of values, {} classes); left out: {} "
      "explorations given up, {} too large\n",
      count, under_all, made.compared, made.blocking, made.visited, made.values, made.classes, made.given_up,
      made.too_large);
  return 0;
}
