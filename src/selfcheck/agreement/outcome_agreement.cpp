#include "selfcheck/agreement/outcome_agreement.hpp"

#include <fmt/format.h>

namespace weir::selfcheck {

namespace {

constexpr std::uint64_t kMostCandidates = 200'000;
constexpr std::uint32_t kLongestBuffer = 12;  // where buffers may grow without end

std::string state_text(const Program& program, const FinalState& state) {
  std::string out;
  for (std::size_t t = 0; t < state.registers.size(); ++t) {
    const Function& function = program.function(program.threads[t].function);
    for (std::size_t r = 0; r < state.registers[t].size(); ++r)
      out += fmt::format("{}:{}={}; ", t, function.registers[r].name, state.registers[t][r]);
  }
  for (const auto& [address, value] : state.memory)
    out += fmt::format("{}={}; ", program.address_name(address), value);
  return out;
}

// The states that only the first set has, as the beginning of a sentence about the others.
std::string only_in(const Program& program, const std::set<FinalState>& some,
                    const std::set<FinalState>& others, std::string_view whose) {
  for (const FinalState& state : some)
    if (!others.contains(state))
      return fmt::format("only {} {} a final state {}", whose, whose == "the axioms" ? "allow" : "finds",
                         state_text(program, state));
  return "";
}

}  // namespace

std::string outcome_difference(const Program& program, Model model, const FinalStates& found,
                               const AxiomaticOutcomes& axioms) {
  const std::set<FinalState>& allowed = axioms.of(model).states;
  if (found.states == allowed) return "";
  const std::string missing = only_in(program, allowed, found.states, "the axioms");
  return fmt::format("the search and the axioms disagree about {} under {}: {}", program.name, name(model),
                     missing.empty() ? only_in(program, found.states, allowed, "the search") : missing);
}

OutcomeComparison compare_outcomes(const Program& program, Model model) {
  const AxiomaticOutcomes axioms =
      axiomatic_outcomes(program, {.steps = kMostCandidates, .candidates = kMostCandidates});
  if (!axioms.complete) return {.left_out = "no axioms: " + axioms.reason};
  Context context;
  const FinalStates found =
      search_final_states(program, {.model = model, .registers = true, .buffer = kLongestBuffer}, context);
  if (!found.complete) return {.left_out = "the search is not complete"};
  return {.problem = outcome_difference(program, model, found, axioms)};
}

}  // namespace weir::selfcheck
