// Live registers: which registers of a function may still be read from a location on. Registers that are dead
// need not distinguish states.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace weir {

class LiveRegisters {
 public:
  explicit LiveRegisters(const Program& program);

  // May the value that `reg` has at `location` be read later in this activation?
  bool live(LocationId location, RegisterId reg) const { return live_[location.index()][reg.index()]; }

 private:
  std::vector<std::vector<bool>> live_;  // per location, per register of its function
};

// The registers that the expression reads, each reported at least once.
void registers_read(const Program& program, ExprId expression, std::vector<RegisterId>& out);

// The registers that the instruction reads.
std::vector<RegisterId> registers_read(const Program& program, const Instruction& instruction);

}  // namespace weir
