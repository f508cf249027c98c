// What reports say instead of addresses, temporaries and headers (program/source_terms.hpp), from the debug
// information of a module that has been lowered.
#pragma once

#include <llvm/IR/Module.h>
#include <vector>

#include "frontend/c/layout/globals.hpp"
#include "frontend/c/positions.hpp"
#include "program/source_terms.hpp"

namespace weir::c {

// The instruction that each edge of a program comes from; null where it comes from none.
using Origins = std::vector<const llvm::Instruction*>;

SourceTerms source_terms(const llvm::Module& module, const Program& program, const Globals& globals,
                         const Origins& origins, Positions& positions);

}  // namespace weir::c
