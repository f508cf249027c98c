// From a system and what is asked about it to an arena with Streett pairs.
//
// Vertices carry what objectives speak of. So an action that a pair names becomes a vertex on its way: from
// -a-> to is from -> (a, to) -> to. In a product with an automaton a vertex is (state, automaton state, marks
// of the transition just taken).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/arena.hpp"
#include "program/omega_automaton.hpp"
#include "program/transition_system.hpp"

namespace weir::fairness {

struct Question {
  Arena arena;
  std::vector<StreettPair> pairs;
};

// "req=>grant": what is named is a label of states, or an action by its whole text or its first word. `*`
// stands for every state.
struct NamedPair {
  std::string request, grant;
};
std::optional<NamedPair> parse_named_pair(std::string_view text);

// "PUT !1" and "put(1)" are meant by PUT and put, too.
bool names_action(std::string_view name, std::string_view action);

// The system itself, without or with pairs; nullopt and `missing` if a name does not occur in the system.
Arena arena_of(const TransitionSystem& system);
std::optional<Question> named_question(const TransitionSystem& system, const std::vector<NamedPair>& pairs,
                                       std::string& missing);

// The acceptance condition as clauses, all of which have to hold: a clause holds if the set `finitely` is
// visited finitely often or one of the sets `infinitely` infinitely often. Nullopt if some clause would need
// two sets of the first kind, as for Rabin conditions: these are not Streett, but their complements are.
struct AcceptanceClause {
  std::optional<std::uint32_t> finitely;
  std::uint64_t infinitely = 0;  // as bits
};
std::optional<std::vector<AcceptanceClause>> streett_clauses(const OmegaAutomaton& automaton, bool negate);

// Propositions of the automaton that are neither a label nor an action of the system, so that they never
// hold.
std::vector<std::string> strange_propositions(const TransitionSystem& system,
                                              const OmegaAutomaton& automaton);

// The first state with two transitions that can be taken at once, or with none under some valuation of the
// propositions; nullopt if the automaton is deterministic and complete.
std::optional<std::uint32_t> nondeterministic_state(const TransitionSystem& system,
                                                    const OmegaAutomaton& automaton);

// Plays of the system whose word has a run that satisfies the clauses. In a step the propositions hold that
// are labels of the state or name the action.
Question product(const TransitionSystem& system, const OmegaAutomaton& automaton,
                 const std::vector<AcceptanceClause>& clauses);

}  // namespace weir::fairness
