// How types lie in memory: as cells, each of which is read and written as a whole.
//
// A cell is a scalar; equal scalars side by side (arrays, vectors) are one *run* of cells. What lies between
// the runs is padding. An access that is as wide as the cell it hits is one access; others are put together
// or taken apart by the lowering, which asks here for what lies in a range of bytes.
#pragma once

#include <cstdint>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/value.hpp"

namespace weir::c {

// The type of registers that hold such values: integers are signed (but one bit is not), pointers and the
// bits of floating point numbers are unsigned. None for aggregates and whatever is too wide.
std::optional<Type> scalar_type(const llvm::Type* type);
// The same with whole bytes, and pointers as wide as the machine's: what an access to memory uses.
std::optional<Type> cell_type(const llvm::Type* type, const llvm::DataLayout& data);

// A scalar within a value of a structure, array or vector type.
struct Leaf {
  std::uint64_t offset = 0;
  llvm::Type* type = nullptr;
};

struct CellRun {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;   // of one cell, 1 to 8
  std::uint64_t stride = 0;  // from one cell to the next
  std::uint64_t count = 1;
  bool is_integer =
      true;  // signed unless somebody knows better; otherwise a pointer or floating point number
  // The type is only one way to see these bytes: they are part of a union, or of a type that stands for
  // another one when structures are passed in registers.
  bool may_be_seen_otherwise = false;

  std::uint64_t end() const { return offset + (count - 1) * stride + bytes; }
};

struct TypeLayout {
  std::vector<CellRun> runs;  // by offset, not overlapping
  std::uint64_t size = 0;     // with the padding at the end: from one element of an array to the next
  bool too_big = false;       // more runs than anybody could want; `runs` is cut
  bool repeats = true;        // more of the same may follow

  // The runs, cut to the cells that have a byte in [from, to). Beyond `size` the layout starts again, or
  // nothing is known. Empty if there are more runs than anybody could want.
  std::vector<CellRun> slice(std::uint64_t from, std::uint64_t to) const;

 private:
  std::optional<CellRun> repeated_run(std::uint64_t from, std::uint64_t to) const;
};

// The cells of unions that are not seen as LLVM lays them out; see unions.hpp.
using UnionCells = std::unordered_map<const llvm::Type*, std::vector<CellRun>>;

class Layouts {
 public:
  explicit Layouts(const llvm::DataLayout& data, UnionCells unions = {})
      : data_(data), unions_(std::move(unions)) {}

  const TypeLayout& of(llvm::Type* type);
  const llvm::DataLayout& data() const { return data_; }

 private:
  const llvm::DataLayout& data_;
  UnionCells unions_;
  std::unordered_map<llvm::Type*, TypeLayout> known_;
};

// The scalars that a value of this type is made of, in order; the type itself if it is one. None if one of
// them is too wide or there are too many.
std::optional<std::vector<Leaf>> leaves_of(llvm::Type* type, const llvm::DataLayout& data);
// The number of the first leaf under `indices`, as extractvalue and insertvalue use them.
std::size_t leaf_index(llvm::Type* type, llvm::ArrayRef<unsigned> indices, const llvm::DataLayout& data);

// Made of named structures, arrays and scalars only. Initialisers of unions and bit fields have other types,
// which say little about how the variable is accessed.
bool is_declared_type(const llvm::Type* type);

}  // namespace weir::c
