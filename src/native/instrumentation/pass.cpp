// A pass for clang, which loads it when it compiles the user's own program: what the instrumentation for the
// thread sanitizer, which comes later, does not tell the native runtime.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

#include "native/instrumentation/chance_failures.hpp"
#include "native/instrumentation/hidden_steps.hpp"
#include "native/instrumentation/stack_variables.hpp"

namespace {

using namespace llvm;
using namespace weir::native;

struct Instrumentation : PassInfoMixin<Instrumentation> {
  static bool isRequired() { return true; }  // also where nothing is optimised

  static PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const Runtime runtime(module);
    for (Function& function : module) {
      if (function.isDeclaration() || !function.hasFnAttribute(Attribute::SanitizeThread)) continue;
      add_chance_failures(function, runtime);
      move_stack_variables(function, runtime);
      tell_hidden_steps(function, runtime);
      call_at_landing_pads(function, runtime.unwound);
    }
    return PreservedAnalyses::none();
  }
};

}  // namespace

// What clang looks for in the file; hidden, as all else in it, it would not be found.
extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {
      LLVM_PLUGIN_API_VERSION, "weir-native", LLVM_VERSION_STRING, [](PassBuilder& builder) {
        builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
          passes.addPass(AlwaysInlinerPass(false));  // what has no frame of its own does not return from one
          passes.addPass(Instrumentation());
        });
      }};
}
