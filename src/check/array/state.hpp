// States of an array system with a given number of processes, and the numbering of its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "program/array/system.hpp"
#include "trace/array_run.hpp"

namespace weir::array {

struct CellWrite {
  std::size_t cell = 0;
  Rational value;

  friend bool operator==(const CellWrite&, const CellWrite&) = default;
};

// What one transition wrote: reaches memory as a whole.
using WriteGroup = std::vector<CellWrite>;

struct ArrayState {
  std::vector<Rational> cells;  // see ArrayAssignment for what values mean; of weak cells, what memory holds
  std::vector<std::vector<WriteGroup>> buffers;  // one per process, the oldest group first

  friend bool operator==(const ArrayState&, const ArrayState&) = default;
};

struct ArrayStateHash {
  std::size_t operator()(const ArrayState& state) const;
};

// Numbers all cells: the symbols in order, the cells of an array by their arguments, the first one slowest.
class ArrayCells {
 public:
  ArrayCells(const ArraySystem& system, std::uint32_t processes);

  std::size_t size() const { return cells_.size(); }
  std::size_t number(SymbolId symbol, const std::vector<std::uint32_t>& arguments) const;
  const ArrayCell& cell(std::size_t number) const { return cells_.at(number); }
  // All cells of one symbol: from the first number to before the second.
  std::pair<std::size_t, std::size_t> range(SymbolId symbol) const;

 private:
  std::uint32_t processes_;
  std::vector<std::size_t> first_;  // by symbol, and one more
  std::vector<ArrayCell> cells_;
};

// "Flag[#1, #2]".
std::string name_of(const ArraySystem& system, const ArrayCell& cell);

}  // namespace weir::array
