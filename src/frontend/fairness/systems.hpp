// Reads finite systems and fairness objectives. docs/fairness.md describes the formats.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/arena.hpp"
#include "program/omega_automaton.hpp"
#include "program/transition_system.hpp"

namespace weir::fairness {

// Aldebaran: `des (initial, transitions, states)`, then `(from, "label", to)`.
Expected<TransitionSystem> read_aut(std::string path, std::string text);

// An explicit MDP (`source choice target probability [action]`) or Markov chain of PRISM (.tra). A state with
// several choices is the player's; each choice that is not certain becomes a random state behind the others.
Expected<TransitionSystem> read_tra(std::string path, std::string text);

// The labels of a .tra file (.lab): `0="init" 1="deadlock"`, then `state: label label`. Returns the system
// with them; "init" says where it starts.
Expected<TransitionSystem> read_lab(TransitionSystem system, std::string path, std::string text);

// HOA v1 without alternation.
Expected<OmegaAutomaton> read_hoa(std::string path, std::string text);

// One pair per line, `L: 0 3 5 U: 7 9`; vertices are below `vertices`. Empty lines and # comments are
// skipped.
Expected<std::vector<StreettPair>> read_pairs(std::string path, std::string text, std::size_t vertices);

// One vertex per line.
Expected<std::vector<Vertex>> read_vertices(std::string path, std::string text, std::size_t vertices);

}  // namespace weir::fairness
