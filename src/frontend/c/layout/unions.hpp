// Which cells the unions of a module consist of, and other variables that are not used as they are declared.
// LLVM sees a union as one of its members and some padding; the program may use another one. So the cells are
// those that the program stores, then those that it loads, and the member that LLVM chose where nobody
// accesses anything. An access that is narrower or wider than the cells found here is put together or taken
// apart when it is lowered, or refused.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>
#include <unordered_map>
#include <vector>

#include "frontend/c/layout/layout.hpp"

namespace weir::c {

bool is_union(const llvm::Type* type);

// Only those are mentioned that are used otherwise than their types say.
struct CellsInUse {
  UnionCells unions;
  // Scalars that are never accessed as a whole (the guards of static variables in C++ are such), and
  // variables with structures that are accessed atomically, each as one number.
  std::unordered_map<const llvm::GlobalVariable*, std::vector<CellRun>> variables;
};

CellsInUse cells_in_use(const llvm::Module& module);

}  // namespace weir::c
