// Weir's own text form of programs (suffix `.weir`): every program can be printed and parsed again with all
// its ids, types and source positions, so a replay file can carry its program and a person can read and edit
// it.
//
//   weir 1
//   program "handshake"
//   shared x = 0                        // i64 at address 0
//   shared flag : u8 = 0, 0             // two cells; the addresses follow on
//   function worker(me)
//     register r : u8 = 0
//     start:
//       store u8 flag[me] := 1u8 -> wait
//     wait:
//       r := load u8 flag[1 - me] -> test
//     test:
//       assume r == 0u8 -> critical
//       assume r != 0u8 -> wait
//     critical:
//   end
//   thread P0 = worker(0)
//   thread P1 = worker(1)
//   exclusive P0 at critical, P1 at critical
//
// One declaration or edge per line; docs/manual/convert.md describes the rest, such as private memory and blocks.
// Numbers `#n` fix the id of a location or edge where it does not just follow the one before. `sources` names
// the files to which
// `@file:line:column` refers; a text without it is its own source.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// The text of a program that `validate` accepts. Printing what was parsed gives the same text again.
std::string print(const Program& program);

// The instruction of every edge in this form, without targets and positions: for reports.
std::vector<std::string> instruction_texts(const Program& program);

// `path` is only used in messages. The result is not validated: ids exist and names resolve, no more.
Expected<Program> parse_program_text(std::string path, std::string text);

}  // namespace weir
