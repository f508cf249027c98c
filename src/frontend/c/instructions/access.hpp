// Loads, stores, read-modify-writes and fences.
//
// An access that is as wide as the cell it hits is one access. Others happen because structures are passed in
// registers (a structure of two ints is loaded as one number of 64 bits) and because of unions. If the layout
// is known, a load of several cells is put together from loads of each, a load of a part of a cell loads the
// cell and takes the part, and a store to several cells stores each. A store to a part of a shared cell is
// refused: no machine that Weir knows does that without touching the rest.
#pragma once

#include <llvm/IR/Instructions.h>
#include <string>

#include "program/program.hpp"

namespace weir::c {

class FunctionLowering;

void lower_load(FunctionLowering& lowering, const llvm::LoadInst& load);
void lower_store(FunctionLowering& lowering, const llvm::StoreInst& store);
void lower_update(FunctionLowering& lowering, const llvm::AtomicRMWInst& update);
void lower_compare_exchange(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange);
void lower_fence(FunctionLowering& lowering, const llvm::FenceInst& fence);

// For messages about what is not supported: "long double".
std::string type_in_words(llvm::Type* type);
inline constexpr const char* kTypesHint =
    "integers of up to 64 bits, pointers, float and double are supported";

Order order_of(llvm::AtomicOrdering ordering);

}  // namespace weir::c
