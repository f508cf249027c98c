// memcpy, memmove, memset, and copies of whole blocks: cell by cell, as the memory is laid out.
//
// Shared memory consists of cells, so the layout of one side must be known; private memory takes any. Values
// are moved as they are, uninitialised ones too. Long arrays are copied by a loop.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/layout/layout.hpp"
#include "program/program.hpp"

namespace weir::c {

class FunctionLowering;

void lower_memory_copy(FunctionLowering& lowering, const llvm::CallBase& call, const llvm::Value& to,
                       const llvm::Value& from, const llvm::Value& bytes, bool may_overlap);
void lower_memory_fill(FunctionLowering& lowering, const llvm::Value& to, const llvm::Value& byte,
                       const llvm::Value& bytes);

// Every cell of a structure that starts at the one address to the other one.
void copy_structure(FunctionLowering& lowering, ExprId to, ExprId from, const TypeLayout& layout);

// A variable that stands for forgetting (uninitialised.cpp made it): copying it means to forget what is there.
bool is_never_written(const llvm::Value& variable);

// Makes private memory uninitialised, if the pointer is to some of it.
void forget_memory(FunctionLowering& lowering, const llvm::Value& pointer, std::uint64_t bytes);

}  // namespace weir::c
