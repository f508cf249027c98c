// An access to memory, made cell by cell where it does not hit exactly one.
#pragma once

#include <llvm/IR/Instructions.h>
#include <vector>

#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/parts.hpp"

namespace weir::c {

class CellAccess {
 public:
  CellAccess(FunctionLowering& lowering, const llvm::Value& pointer, AccessKind kind);

  const Place& place() const { return place_; }
  bool hits_shared_wide_number(const std::vector<Leaf>& leaves) const;

  // The cells that are accessed one by one; empty if the access is made as a whole.
  std::vector<Part> parts_at(std::uint64_t offset, std::uint64_t bytes) const;

  // One scalar at `offset` from the pointer. `result`: the register to use, if that is possible.
  ExprId load(std::uint64_t offset, llvm::Type* type, RegisterId result);
  // The same as one step, for several cells that others may change in between.
  ExprId load_at_once(std::uint64_t offset, llvm::Type* type);
  // False: only a part of a shared cell would change.
  bool store(std::uint64_t offset, llvm::Type* type, ExprId value);

  // Used several times.
  void keep_address();

 private:
  ExprId at(std::uint64_t offset);
  ExprId combine(std::uint64_t offset, const std::vector<Part>& parts, Type cell);
  ExprId as_cell(ExprId value, Type cell);

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  Place place_;
  ExprId address_;
  AccessKind kind_;
};

}  // namespace weir::c
