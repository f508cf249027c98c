// A finite system whose transitions carry actions (Aldebaran) or whose states carry labels (PRISM), and what
// may be random in it. Fairness questions about it become questions about an Arena.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/arena.hpp"

namespace weir {

struct TransitionSystem {
  struct Transition {
    Vertex from, to;
    std::uint32_t action;  // an index into `actions`
  };
  struct Label {
    std::string name;
    std::vector<Vertex> states;  // ascending
  };

  std::size_t states = 0;
  // The states from here on stand for choices of the file, not for states of it.
  std::size_t given = 0;
  Vertex initial = 0;
  std::vector<std::string> actions;
  std::vector<Transition> transitions;
  std::vector<Label> labels;
  std::vector<bool> random;  // per state
};

}  // namespace weir
