#include "check/outcome_difference.hpp"

#include <fmt/format.h>

namespace weir {

namespace {

std::string final_state_text(const Program& program, const FinalState& state) {
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
                         final_state_text(program, state));
  return "";
}

}  // namespace

std::string outcome_difference(const Program& program, Model model, const std::set<FinalState>& found,
                               const AxiomaticOutcomes& axioms) {
  const std::set<FinalState>& allowed = axioms.of(model).states;
  if (found == allowed) return "";
  const std::string missing = only_in(program, allowed, found, "the axioms");
  return fmt::format("the search and the axioms disagree about {} under {}: {}", program.name, name(model),
                     missing.empty() ? only_in(program, found, allowed, "the search") : missing);
}

}  // namespace weir
