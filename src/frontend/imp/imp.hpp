// The IMP front end: a small structured language for concurrent programs, after [Calin16, Figure 2.1].
// docs/formats.md describes it. A file goes through lexer, parser (to syntax.hpp) and lowering; printing goes
// through recover (back to syntax.hpp) and the printer.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Every process becomes a thread; the threads of `process P[n]` share one function. Every read of a shared
// variable is one load, every assignment to one is one store.
Expected<Program> parse_imp(std::string path, std::string text);

// The program in IMP, or why it cannot be said there. Structured where the control flow allows, otherwise as
// a loop over a local variable that holds the place. Parsing the text gives a program with the same reachable
// memories and violations under every memory model.
Expected<std::string, std::vector<Diagnostic>> print_imp(const Program& program);

}  // namespace weir
