// Compares the backward search of the dual semantics with the explicit engine on one program: the verdict for
// each property by itself, under SC and TSO, with the reduced predecessors and with those of the textbook.
// Every witness must replay. With any number of copies: unsafe with some number of copies implies unsafe, and
// safe implies safe with one, two or three of each.
#pragma once

#include <cstddef>
#include <string>

#include "program/model.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

struct DualComparisons {
  std::size_t compared = 0;   // questions that both engines decided
  std::size_t unsafe = 0;     // of these
  std::size_t undecided = 0;  // by the explicit engine, within its bounds
  std::size_t refused = 0;    // by the backward search, which says why
  std::size_t any_number = 0, any_unsafe = 0;
};

// Empty if all agree, otherwise what differs. The model is SC or TSO; without one: both.
std::string dual_disagreement(const Program& program, Model model, DualComparisons& made);
std::string dual_disagreement(const Program& program, DualComparisons& made);

// Programs with all that the dual semantics knows, loops with stores included.
Genome dual_genome(std::uint64_t seed);
GeneratorShape dual_shape_for(std::uint64_t seed);

}  // namespace weir::selfcheck
