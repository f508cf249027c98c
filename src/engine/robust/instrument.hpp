// Robustness by translation: an attack on a program as a program of its own.
//
// [Bouajjani13, Section 5] turns a program P and an attack A into a program that reaches a goal under SC
// exactly if A is feasible in P. `check_robust` walks the same idea as a semantics; this is the translation
// itself, an independent way to the same answers: print it, read it, give it to any checker of SC programs.
#pragma once

#include "base/diagnostic.hpp"
#include "engine/robust/robust.hpp"

namespace weir {

// The program in which an assertion fails under SC exactly if the attack is feasible. It has no other
// property: what fails in the original (assertions, divisions, accesses outside memory) ends the run.
//
// In open memory, runs that touch an address outside -2^60 to 2^60 - 1 are not followed. The result is an
// error if the program itself has no room for the auxiliary cells: objects or constant addresses out there,
// or objects of a program without open memory that fill most of the address space.
Expected<Program> instrument(const Program& program, const Attack& attack);

}  // namespace weir
