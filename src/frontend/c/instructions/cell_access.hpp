// An access to memory. One that does not hit exactly one cell is made cell by cell, as structures are copied that clang
// passes as numbers; one that is a single event for others (`Extent::kWhole`) is made as a whole, and the machine lets it
// overlap the cells, as long as all of its bytes are in some.
#pragma once

#include <llvm/IR/Instructions.h>
#include <vector>

#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/parts.hpp"

namespace weir::c {

enum class Extent : std::uint8_t { kCells, kWhole };

class CellAccess {
 public:
  CellAccess(FunctionLowering& lowering, const llvm::Value& pointer, AccessKind kind,
             Extent extent = Extent::kCells);

  const Place& place() const { return place_; }
  bool hits_shared_wide_number(const std::vector<Leaf>& leaves) const;

  // The cells that are accessed one by one; empty if the access is made as a whole.
  std::vector<Part> parts_at(std::uint64_t offset, std::uint64_t bytes) const;

  // One scalar at `offset` from the pointer. `result`: the register to use, if that is possible.
  ExprId load(std::uint64_t offset, llvm::Type* type, RegisterId result);
  // False: only a part of a shared cell would change, and padding.
  bool store(std::uint64_t offset, llvm::Type* type, ExprId value);

  // Used several times.
  void keep_address();

 private:
  bool is_one_event(const Place& place, std::uint64_t bytes) const;
  ExprId at(std::uint64_t offset);
  ExprId combine(std::uint64_t offset, const std::vector<Part>& parts, Type cell);
  ExprId as_cell(ExprId value, Type cell);

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  Place place_;
  ExprId address_;
  AccessKind kind_;
  Extent extent_;
};

}  // namespace weir::c
