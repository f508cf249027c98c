// Which cells of the structures of a module are accessed by themselves, and whether somebody looks between them.
//
// An access as wide as several neighbours (libstdc++ reads the two counts of a shared_ptr as one number, ticket locks
// their two halves) says nothing about the cells of a block: it may be that all accesses are so wide. But where others
// access the neighbours one by one, these are the cells, and the wide access is made of theirs.
#pragma once

#include <set>
#include <vector>

#include "frontend/c/lowering/parts.hpp"
#include "frontend/c/lowering/places.hpp"

namespace weir::c {

class SeparateCells {
 public:
  SeparateCells(const llvm::Module& module, Places& places) : module_(module), places_(places) {}

  // Do several cells, each accessed by itself somewhere, make up so many bytes at that place without a gap?
  bool are_side_by_side(const Place& place, const std::vector<Part>& parts, std::uint64_t bytes);

  // May the program read bytes of structures that belong to no cell?
  bool padding_is_read();

 private:
  void collect();

  const llvm::Module& module_;
  Places& places_;
  bool collected_ = false;
  bool padding_is_read_ = false;
  std::set<std::tuple<const TypeLayout*, std::uint64_t, std::uint64_t>> accessed_;  // layout, offset, bytes
};

}  // namespace weir::c
