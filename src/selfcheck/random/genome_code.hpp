// From the genes of one thread to its function.
#pragma once

#include "selfcheck/random/genome.hpp"

namespace weir::selfcheck {

inline constexpr Type kGenomeCell{2, false};  // of variables and registers, unless memory is open
inline constexpr Value kPointerCell = 64;     // the address of `ptr`

inline constexpr Value kGenomeBytes = 4;  // of all variables together, if these are bytes

Type cell_type(const Genome& genome);
Type register_type(const Genome& genome);
Value variable_address(const Genome& genome, std::size_t variable);

// The functions that instructions may call. Those that no gene uses are none.
struct GenomeHelpers {
  FunctionId read;   // see GeneOp::kCall
  FunctionId set;    // kCallSet
  FunctionId local;  // kCallLocal
  FunctionId leave;  // kCallStop
};

struct ThreadFunction {
  FunctionId function;
  LocationId goal;
  std::vector<LocationId> before;  // each instruction, and at the end
};

ThreadFunction add_thread_function(Program& program, const Genome& genome, const ThreadGenes& genes,
                                   const GenomeHelpers& helpers);

}  // namespace weir::selfcheck
