// Cells of shared memory that only one thread uses become registers of it, under TSO. A loop that waits and stores to
// such a cell in each round (a queue that keeps a copy of the other side's index) fills its buffer without end, although
// nobody else ever looks: with a register there is nothing to fill it.
//
// A store that nobody else can see may as well reach memory at once: the thread itself reads its latest store, from
// the buffer or from memory, and stores before it and after it keep their order. Whether really nobody else sees it
// cannot be told from the program where addresses are computed. But the cell is no object any more, so an access to it
// fails; up to there all executions are those of the original program. A failure that the original program does not have
// says that the cell is not its thread's own, and then nothing was gained.
//
// Cells are left where they are if it is not plain loads and stores with a written address, in the outermost function of
// one thread, that use them, if an invariant speaks of them, and all of them if the program uses the global lock, for
// which stores would have to wait.
#pragma once

#include <vector>

#include "trace/witness.hpp"

namespace weir {

class OwnCells {
 public:
  // `original` must outlive this.
  explicit OwnCells(const Program& original);

  // Is there one that a loop stores to? Others would make no difference worth having.
  bool any() const { return any_; }
  const Program& program() const { return program_; }
  // The execution under TSO of the original program that an execution of this one is, if the cells are own ones.
  Witness original_witness(const Witness& witness) const;

 private:
  class Promoter;
  class Mapper;

  const Program& original_;
  Program program_;
  std::vector<bool> promoted_;  // per edge: it was an access to such a cell
  bool any_ = false;
};

}  // namespace weir
