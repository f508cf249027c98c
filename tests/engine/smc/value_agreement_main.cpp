// The long comparison of stateless model checking by values with brute force:
// `value_agreement COUNT [FIRST_SEED]`. Prints the smallest disagreeing program it can find and exits with 1,
// or a summary.
#include <fmt/format.h>

#include "selfcheck/agreement/value_agreement.hpp"
#include "support/program_comparison.hpp"

int main(int argc, char** argv) {
  using namespace weir;
  using namespace weir::test;
  using namespace weir::selfcheck;
  ValueComparisons made;
  const auto compared =
      compare_programs(argc, argv,
                       {[&](const Program& program, Model model, bool counts) {
                          return value_disagreement(program, model, counts ? &made : nullptr);
                        },
                        [&] { return made.compared; }});
  if (!compared) return 1;
  fmt::print(
      "{} programs, {} of them compared under all 3 models: {} comparisons with brute force agree ({} with "
      "executions that block; {} executions visited, {} combinations of values, {} classes); left out: {} "
      "explorations given up, {} too large\n",
      compared->programs, compared->under_all, made.compared, made.blocking, made.visited, made.values,
      made.classes, made.given_up, made.too_large);
  return 0;
}
