// The Trencher front end: thread automata as text, one transition per line. docs/formats.md describes the
// language; the grammar is in grammar.hpp.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Every thread becomes a function, and threads with the same body share one. `final` marks become
// the goal; named or initialised addresses become shared objects of one cell; memory is open.
Expected<Program> parse_trencher(std::string path, std::string text);

// The program in Trencher's language, or why it cannot be said there. Parsing the text gives a program that
// reaches the same goal under every memory model.
Expected<std::string, std::vector<Diagnostic>> print_trencher(const Program& program);

}  // namespace weir
