// Compares the buffer abstractions of TSO with each other and with the reference machine on one program:
//
//   - the control states and memories reachable with the set, with queues of 1 and 2 stores, and under TSO
//     are each among the former; so are those with the set, the multiset and under TSO;
//   - every reduction finds the same violations and terminal states with abstract buffers as none does;
//   - the backward search for multisets answers as the forward search does;
//   - the engine says safe only if the reference machine finds nothing, and its witnesses replay, alone and
//     with each abstraction.
#pragma once

#include <cstddef>
#include <string>

#include "program/program.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

struct AbstractionComparisons {
  std::size_t programs = 0;
  std::size_t inclusions = 0;     // programs whose reachable sets were compared
  std::size_t strict = 0;         // of these: the set reaches more than TSO
  std::size_t reductions = 0;     // comparisons of a reduction with none
  std::size_t backward_safe = 0;  // multisets: both searches say so
  std::size_t backward_unsafe = 0;
  std::size_t safe = 0;  // answers of the engine, compared with the reference machine
  std::size_t unsafe = 0;
  std::size_t unknown = 0;
  std::size_t refined = 0;  // of these: after a spurious candidate
};

// Empty if all agree, otherwise what differs.
std::string abstraction_disagreement(const Program& program, AbstractionComparisons* made = nullptr);

// The program of a seed: as in shape_for, without properties that the engine refuses, or one that mostly
// stores.
Genome abstraction_genome(std::uint64_t seed);
GeneratorShape abstraction_shape_for(std::uint64_t seed);

// A thread that stores, and one that fails if it reads certain values one after the other and perhaps stores
// in between: whether it can is often decided by the order of the stores, or by their number.
Genome observer_genome(std::uint64_t seed);

}  // namespace weir::selfcheck
