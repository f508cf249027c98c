// The runtime is compiled with the system's headers; what a program that does not include them declares is
// known from its debug information, and from the types of the functions that it declares.
#include "frontend/c/layout/own_types.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <optional>

#include "frontend/c/names.hpp"

namespace weir::c {

namespace {

constexpr unsigned kSmallIdBits = 32;
// Of the GNU C library on x86-64 and on i386.
constexpr unsigned kMutexBits = 40 * 8, kNarrowMutexBits = 24 * 8;

bool has_narrow_pointers(const llvm::Module& module) {
  return module.getDataLayout().getPointerSizeInBits() == 32;
}

// The size of a typedef; nothing if no variable has it.
std::optional<std::uint64_t> bits_of_typedef(const llvm::DebugInfoFinder& types, llvm::StringRef name) {
  for (const llvm::DIType* type : types.types()) {
    if (type->getTag() != llvm::dwarf::DW_TAG_typedef || type->getName() != name) continue;
    const llvm::DIType* meant = without_qualifiers(type);
    if (meant != nullptr && meant->getSizeInBits() != 0) return meant->getSizeInBits();
  }
  return std::nullopt;
}

bool takes_word(const llvm::Module& module, llvm::StringRef name) {
  const llvm::Function* function = module.getFunction(name);
  return function != nullptr && function->arg_size() > 0 &&
         function->getArg(0)->getType()->isIntegerTy(kSmallIdBits);
}

// Smaller than unsigned long, which the runtime's are.
bool has_small_ids(const llvm::Module& module, const llvm::DebugInfoFinder& types) {
  if (has_narrow_pointers(module)) return false;
  if (const auto bits = bits_of_typedef(types, "pthread_t")) return *bits == kSmallIdBits;
  if (const llvm::Function* self = module.getFunction("pthread_self"))
    if (self->getReturnType()->isIntegerTy(kSmallIdBits)) return true;
  return takes_word(module, "pthread_join") || takes_word(module, "pthread_detach") ||
         takes_word(module, "pthread_equal");
}

}  // namespace

void adapt_own_types(llvm::Module& module) {
  llvm::Function* create = module.getFunction("pthread_create");
  llvm::DebugInfoFinder types;
  types.processModule(module);
  if (create != nullptr && create->isDeclaration() && has_small_ids(module, types))
    create->setName("__weir_create_thread_with_small_id");
  const auto mutex = bits_of_typedef(types, "pthread_mutex_t");
  if (!mutex || *mutex >= (has_narrow_pointers(module) ? kNarrowMutexBits : kMutexBits)) return;
  llvm::Type* type = llvm::Type::getInt32Ty(module.getContext());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantInt::get(type, 1), "__weir_small_mutexes");
}

}  // namespace weir::c
