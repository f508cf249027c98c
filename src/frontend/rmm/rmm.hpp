// The RMM front end: the language of Memorax [Abdulla12] and Dual-TSO [Abdulla16]. docs/formats.md describes
// it. A file goes through lexer, parser (to syntax.hpp) and lowering.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// What happens when a value outside the range of a variable or register would be written.
enum class OutsideRange : std::uint8_t {
  kBlocks,  // the instruction cannot be executed, as in Memorax
  kFails,   // an assertion fails
};

// Every process becomes a function, and each of its copies a thread: P0, P1, …. `forbidden` lists become
// goals.
Expected<Program> parse_rmm(std::string path, std::string text, OutsideRange outside = OutsideRange::kBlocks);

// The program in RMM, or why it cannot be said there. Every location becomes a label, and the control flow
// `goto`s. Parsing the text gives a program that can reach a violation under a memory model if and only if
// this one can.
Expected<std::string, std::vector<Diagnostic>> print_rmm(const Program& program);

}  // namespace weir
