// A proof of safety that other solvers can check, in SMT-LIB 2.
//
// The visited regions of a search that ended with `safe` say which states can lead to an unsafe one. That
// none of them holds is an inductive invariant, for any number of processes; the file asks a solver, question
// by question, for a counterexample, and every answer must be `unsat`:
//
//   no initial state is in a region;
//   every unsafe state is in one;
//   from outside all regions no transition leads into one.
//
// For ordinary systems the file holds the system itself (init, guards with their quantifiers, updates), so
// the proof does not rest on how the engine computes predecessors or compares regions. In a system with weak
// symbols a region also speaks of open reads and of the order of events (region.hpp). There, the questions
// are about the predecessors as the engine computed them: whether each lies in the visited regions.
#pragma once

#include <string>
#include <vector>

#include "engine/array/region.hpp"

namespace weir::array {

struct Certificate {
  std::string text;
  std::uint64_t questions = 0;
};

// None of the regions may have an initial state.
Certificate smt_certificate(const Vocabulary& vocabulary, const std::vector<Region>& regions);

}  // namespace weir::array
