// An automaton over infinite words, as HOA files describe it: transitions with Boolean guards over atomic
// propositions, and an acceptance condition over sets of marked transitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"

namespace weir {

// A Boolean formula, as a tree in an array: operands come before operators, the last node is the root.
// What an atom means depends on where the formula stands.
struct Formula {
  enum class Kind : std::uint8_t { kTrue, kFalse, kAtom, kNot, kAnd, kOr };
  struct Node {
    Kind kind;
    std::uint32_t left = 0, right = 0;  // operands; of kAtom, `left` is its number
  };
  std::vector<Node> nodes;
};

struct OmegaAutomaton {
  struct Transition {
    std::uint32_t from = 0, to = 0;
    Formula guard;  // atoms are propositions
    std::uint64_t marks =
        0;  // the acceptance sets it belongs to, as bits; marks of states are on all that leave
  };

  std::uint32_t states = 0;
  std::uint32_t start = 0;
  std::vector<std::string> propositions;
  std::uint32_t sets = 0;
  // Atom 2 i says that set i is visited infinitely often, atom 2 i + 1 that it is not.
  Formula acceptance;
  SourcePosition acceptance_position;
  std::vector<Transition> transitions;
};

}  // namespace weir
