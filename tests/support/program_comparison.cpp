#include "support/program_comparison.hpp"

#include <cstdlib>
#include <fmt/format.h>

#include "program/text/text.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::test {

using namespace selfcheck;

namespace {

bool agrees(std::uint64_t seed, Model model, const ProgramComparison& comparison) {
  const Genome genome = smc_genome(seed);
  if (comparison.disagreement(build(genome), model, true).empty()) return true;
  const auto fails = [&](const Genome& simpler) {
    return !comparison.disagreement(build(simpler), model, false).empty();
  };
  const Program small = build(shrink_failing(genome, fails));
  fmt::print("seed {}, {}: {}\n{}", seed, name(model), comparison.disagreement(small, model, false),
             print(small));
  return false;
}

}  // namespace

std::optional<ComparedPrograms> compare_programs(int argc, char** argv, const ProgramComparison& comparison) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  ComparedPrograms made{.programs = count};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::size_t before = comparison.compared();
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      if (!agrees(seed, model, comparison)) return std::nullopt;
    made.under_all += comparison.compared() == before + 3;
    if ((seed - first + 1) % 1000 == 0) fmt::print(stderr, "{} programs\n", seed - first + 1);
  }
  return made;
}

}  // namespace weir::test
