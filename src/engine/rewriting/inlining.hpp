// A program without calls that does what another one does: every function is copied to where it is called. So a store
// can be delayed past calls and returns like past anything else (extension.hpp). A function stays one that is called
// if it calls itself, or if its activation has something of its own in memory: private objects, or blocks that end
// with it. Then so do those that call it, as addresses count activations.
//
// Locations, registers and edges of the original program keep their numbers. A call becomes the assignments to the
// registers of the copy, parameters first; a return the assignment of the result.
#pragma once

#include <vector>

#include "trace/witness.hpp"

namespace weir {

class InlinedProgram {
 public:
  // `original` must outlive the inlined program.
  explicit InlinedProgram(const Program& original);

  const Program& program() const { return program_; }

  // The execution of the original program that one of this program is.
  Witness original_witness(Witness witness) const;

 private:
  class Inliner;

  const Program& original_;
  Program program_;
  std::vector<EdgeId> origins_;  // per edge: what it stands for; none if for nothing
};

}  // namespace weir
