// Pointers on their way to memory and numbers, and back: see pointer_words.hpp.
#include "frontend/c/lowering/function.hpp"

namespace weir::c {

ExprId FunctionLowering::word_of_pointer(ExprId address) {
  if (module.words.are_addresses()) return address;
  address = emitter.in_register(address);
  const ExprId word = emitter.in_register(module.words.word_of(address, build));
  const ExprId lost = build.compare(ExprOp::kNe, module.words.address_of(word, build), address);
  emitter.when(lost, [&] {
    emitter.give_up(
        "there is no room in 32 bits for a pointer, to too many blocks, to a large one, or far outside");
  });
  return word;
}

ExprId FunctionLowering::pointer_of_word(ExprId word) {
  if (module.words.are_addresses()) return word;
  return module.words.address_of(emitter.in_register(word), build);
}

ExprId FunctionLowering::as_stored(ExprId value, const llvm::Type& type) {
  return type.isPointerTy() ? word_of_pointer(value) : value;
}

ExprId FunctionLowering::as_loaded(ExprId cell, const llvm::Type& type) {
  return type.isPointerTy() ? pointer_of_word(cell) : build.cast(cell, *scalar_type(&type));
}

ExprId FunctionLowering::as_if_of_type(ExprId value, const llvm::Type& from, const llvm::Type& to) {
  if (from.isPointerTy() && !to.isPointerTy()) value = build.as_unsigned(word_of_pointer(value));
  if (!from.isPointerTy() && to.isPointerTy() && !module.words.are_addresses())
    return pointer_of_word(build.cast(value, *cell_type(&to, data())));
  return build.cast(value, *scalar_type(&to));
}

}  // namespace weir::c
