// The long comparison of all algorithms for consistency verification with brute force:
// `consistency_agreement COUNT [FIRST_SEED]`. Prints the smallest disagreeing instance it can find and
// exits with 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>

#include "engine/consistency/support/agreement.hpp"
#include "engine/consistency/support/generator.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::consistency;
  using namespace weir::consistency::test;
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Verifier verifier;
  std::uint64_t consistent[3] = {}, refuted[3] = {};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
      Shape shape = shape_for(seed);
      if (model == Model::kSc && seed % 2 == 0) shape.more_sources = 35;
      const Instance instance = random_instance(seed, shape, model);
      bool right = false;
      const std::string problem = disagreement(verifier, instance, model, true, &right);
      ++(right ? consistent : refuted)[static_cast<int>(model)];
      if (problem.empty()) continue;
      const Instance small = shrink(verifier, instance, model);
      fmt::print("seed {}: {}\n{}", seed, disagreement(verifier, small, model, true, nullptr),
                 describe(small));
      return 1;
    }
    if ((seed - first + 1) % 5000 == 0) fmt::print(stderr, "{} instances of each model\n", seed - first + 1);
  }
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    fmt::print("{}: {} consistent and {} inconsistent instances, 6 algorithms agree with brute force\n",
               name(model), consistent[static_cast<int>(model)], refuted[static_cast<int>(model)]);
  return 0;
}
