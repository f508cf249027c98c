// Where in the source the machine code of an executable comes from: its symbols, its code, and the table of
// lines that clang writes with -g (DWARF version 4), as far as finding calls and their places needs them.
// Only what this room builds itself is read: 64-bit, little-endian, not position-independent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir::native {

struct LineRow {
  std::uint64_t address = 0;
  std::uint32_t file = 0;  // a number of `LineTable::files`
  std::uint32_t line = 0, column = 0;
  bool end = false;  // the first address after a piece of code
};

struct CallSite {
  std::uint64_t return_address = 0;
  std::string callee;  // empty: a function of a shared library
  LineRow place;
};

struct LineTable {
  std::vector<std::string> files;  // absolute
  std::vector<LineRow> rows;       // by address
  std::vector<CallSite> calls;     // from code that has lines to code that has none, by address

  // The place of the instruction at or before an address.
  std::optional<LineRow> at(std::uint64_t address) const;
};

// Nothing if the file is not such an executable.
std::optional<LineTable> read_line_table(const std::string& path);

}  // namespace weir::native
