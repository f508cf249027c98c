// Where a program starts: its constructors, and its main whatever parameters that has.
#pragma once

#include <llvm/IR/Module.h>
#include <optional>
#include <string>

namespace weir::c {

// Declares the runtime's two entry points, and defines what they need to know of the program. Says what is
// wrong if the program has no main that can be called.
std::optional<std::string> define_entry_points(llvm::Module& module);

}  // namespace weir::c
