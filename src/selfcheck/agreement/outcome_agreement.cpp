#include "selfcheck/agreement/outcome_agreement.hpp"

#include "check/outcome_difference.hpp"
#include "engine/explicit/final_states.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::uint64_t kMostCandidates = 200'000;
constexpr std::uint32_t kLongestBuffer = 12;  // where buffers may grow without end

}  // namespace

OutcomeComparison compare_outcomes(const Program& program, Model model) {
  const AxiomaticOutcomes axioms =
      axiomatic_outcomes(program, {.steps = kMostCandidates, .candidates = kMostCandidates});
  if (!axioms.complete) return {.left_out = "no axioms: " + axioms.reason};
  Context context;
  const FinalStates found =
      search_final_states(program, {.model = model, .registers = true, .buffer = kLongestBuffer}, context);
  if (!found.complete) return {.left_out = "the search is not complete"};
  return {.problem = outcome_difference(program, model, found.states, axioms)};
}

}  // namespace weir::selfcheck
