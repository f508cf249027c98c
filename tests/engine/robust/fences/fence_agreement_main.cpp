// The long comparison of the placement of fences with brute force: `fence_agreement COUNT [FIRST_SEED]`. For
// each seed a program as it is, templates with 2, 3, 4 and any number of copies, and programs with properties
// under TSO and PSO, all with drawn costs. Prints the smallest disagreeing program it can find and exits with
// 1, or a summary.
#include <cstdlib>
#include <fmt/format.h>
#include <functional>

#include "selfcheck/agreement/fence_agreement.hpp"

namespace {

using namespace weir;
using namespace weir::selfcheck;

constexpr std::size_t kTraceSteps = 6'000;  // where there is another way

struct Kind {
  const char* name;
  std::function<Genome(std::uint64_t seed)> draw;
  std::function<std::string(const Program&, std::uint64_t seed, FenceComparisons*)> compare;
  FenceComparisons made = {};
};

std::vector<Kind> kinds() {
  std::vector<Kind> result;
  result.push_back({"as it is",
                    [](std::uint64_t seed) { return random_genome(seed, robust_shape_for(seed)); },
                    [](const Program& program, std::uint64_t seed, FenceComparisons* made) {
                      return fence_disagreement(program, seed, made);
                    }});
  for (const std::uint32_t copies : {2, 3, 4})
    result.push_back({copies == 2   ? "2 copies"
                      : copies == 3 ? "3 copies"
                                    : "4 copies",
                      template_for,
                      [copies](const Program& program, std::uint64_t seed, FenceComparisons* made) {
                        return copies_fence_disagreement(program, copies, seed, made, kTraceSteps);
                      }});
  result.push_back(
      {"any number", template_for, [](const Program& program, std::uint64_t seed, FenceComparisons* made) {
         return any_fence_disagreement(program, seed, made, kTraceSteps);
       }});
  for (const Model model : {Model::kTso, Model::kPso})
    result.push_back({model == Model::kTso ? "safe under tso" : "safe under pso",
                      [model](std::uint64_t seed) { return unsafe_program_for(seed, model); },
                      [model](const Program& program, std::uint64_t seed, FenceComparisons* made) {
                        return safety_fence_disagreement(program, model, seed, made);
                      }});
  return result;
}

std::string problem_of(const Kind& kind, std::uint64_t seed, const Genome& genome, FenceComparisons* made) {
  try {
    return kind.compare(build(genome), seed, made);
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool agree(Kind& kind, std::uint64_t seed) {
  const Genome genome = kind.draw(seed);
  if (problem_of(kind, seed, genome, &kind.made).empty()) return true;
  const Genome small =
      shrink_failing(genome, [&](const Genome& g) { return !problem_of(kind, seed, g, nullptr).empty(); });
  fmt::print("seed {}: {}: {}\n{}", seed, kind.name, problem_of(kind, seed, small, nullptr), describe(small));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<Kind> all = kinds();
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    for (Kind& kind : all)
      if (!agree(kind, seed)) return 1;
  for (const Kind& kind : all)
    fmt::print(
        "{}: {} compared, {} need fences, {} cannot be helped, {} judged by search; {} undecided, {} too "
        "large\n",
        kind.name, kind.made.robust + kind.made.any_number + kind.made.safe, kind.made.with_fences,
        kind.made.impossible, kind.made.by_search, kind.made.undecided, kind.made.too_large);
  return 0;
}
