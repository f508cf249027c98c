// What LLVM's language allows but no usual C program has: vectors whose length only the machine knows,
// address spaces, variables larger than any memory, functions that are chosen when the program is loaded,
// names of Weir's own. The passes and analyses that follow need not know of any of it.
#pragma once

#include <llvm/IR/Module.h>
#include <optional>
#include <string>

namespace weir::c {

struct ForeignCode {
  std::string message;
  const llvm::Value* where = nullptr;  // an instruction, a function or a variable
};

// Something of that kind in the module; nothing if there is none.
std::optional<ForeignCode> foreign_code(const llvm::Module& module);

}  // namespace weir::c
