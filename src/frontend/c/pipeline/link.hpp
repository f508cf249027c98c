// All files of a program and the runtime as one LLVM module.
//
// What the user defines wins over the runtime's definition of the same name. Everything but the two entry
// points is internal afterwards, aliases are replaced by what they stand for, and the functions that the
// runtime declares and that depend on the program (`__weir_call_main`, `__weir_run_constructors`) are
// defined.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/diagnostic.hpp"
#include "frontend/c/origin.hpp"

namespace weir::c {

struct LinkedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

inline constexpr const char* kMainEntry = "__weir_program_main";
inline constexpr const char* kThreadEntry = "__weir_thread_main";

// One file: its path, for messages, and its bitcode or, for .ll, its text.
struct ModuleText {
  std::string path;
  std::string text;
  Origin origin = Origin::kGiven;
};

// When the context, if there is one, is stopped, NotWanted is thrown.
Expected<LinkedModule> link_program(const std::vector<ModuleText>& files, const Context* context);

}  // namespace weir::c
