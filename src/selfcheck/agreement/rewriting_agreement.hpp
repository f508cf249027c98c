// Compares programs that engines look at instead of the one that is asked about with that one: calls replaced by what
// they do (inlining.hpp) under all models, and cells of one thread as its registers (own_cells.hpp) under TSO. All are
// searched by states, with as long a buffer where there are loops, in which buffers grow; what is found must replay in
// the program itself, and what is proved must not be refuted there.
#pragma once

#include <cstddef>
#include <string>

#include "program/model.hpp"
#include "selfcheck/random/genome.hpp"

namespace weir::selfcheck {

struct RewritingComparisons {
  std::size_t inlined = 0, own_cells = 0;  // programs compared
  std::size_t undecided = 0;               // a search was stopped, or a cell turned out to be used by others
};

// Empty if all agree, otherwise what differs. A program with nothing to be rewritten agrees.
std::string rewriting_disagreement(const Program& program, Model model, RewritingComparisons& made);

// A thread stores in a loop to a variable that no other thread names; it also calls functions.
Genome own_cell_genome(std::uint64_t seed);

}  // namespace weir::selfcheck
