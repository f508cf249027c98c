// Pointers as programs for 32-bit machines see them.
//
// An address says all about its block, which takes 64 bits (program/address.hpp). So a pointer in a register
// is such an address in every data model, and pointer arithmetic, comparisons and checks are the same. Where
// the machine's pointers have 32 bits, a pointer in memory, or one that was converted to a number, is a
// *word*:
//
//   0 to 2^30              the address itself: null, variables, functions, small numbers
//   2^30 to 2^31           private memory: activation (10 bits), offset (20)
//   2^31 to 2^32 - 2^16    blocks
//   the rest               the number itself, such as (void *)-1
//
// The program says before it runs which blocks it allocates: of which kind, and nearly always of which size.
// Each such pair has a region of words of its own, a power of two wide: thread, number of the block, offset.
// Blocks whose size is computed have regions by the magnitude of the size, which then is a part of the word.
// In a region words count bytes as addresses do, and are aligned as these are, so that tags in the lowest
// bits, differences and rounding work as usual. Converting there and back gives the same, whatever the word
// is. An address that has no word (of too many blocks, too large ones, or far outside of its block) is
// noticed when it is converted: the answer is unknown then.
//
// Where pointers have 64 bits, words are addresses.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <vector>

#include "frontend/c/instructions/expressions.hpp"
#include "frontend/c/layout/globals.hpp"

namespace weir::c {

class PointerWords {
 public:
  PointerWords(const llvm::Module& module, const Globals& globals,
               const llvm::DenseSet<const llvm::AllocaInst*>& private_allocas, std::uint32_t thread_limit);

  bool are_addresses() const { return are_addresses_; }

  // Of an address and a word, which should be in registers. An address that has no word gets one that stands
  // for another address.
  ExprId word_of(ExprId address, Expressions& build) const;
  ExprId address_of(ExprId word, Expressions& build) const;

 private:
  // Blocks of one kind, of `least` to `most` bytes.
  struct Region {
    BlockKind kind = BlockKind::kHeap;
    std::uint64_t least = 0, most = 0;
    std::uint64_t bias = 0;                                                     // of offsets
    unsigned offset_bits = 0, number_bits = 0, thread_bits = 0, size_bits = 0;  // from the lowest on
    std::uint64_t start = 0;                                                    // a multiple of its width

    unsigned bits() const { return offset_bits + number_bits + thread_bits + size_bits; }
    bool has_one_size() const { return least == most; }
    bool is_large() const { return least >= kSmallBlocks; }
  };
  struct Demand;  // what the module allocates

  void add_regions(const Demand& demand, std::uint32_t thread_limit);
  void make_room();
  ExprId has_size_of(const Region& region, ExprId size, Expressions& build) const;
  ExprId is_in(const Region& region, ExprId address, Expressions& build) const;
  ExprId word_in(const Region& region, ExprId address, Expressions& build) const;
  ExprId is_of(const Region& region, ExprId word, Expressions& build) const;
  ExprId address_in(const Region& region, ExprId word, Expressions& build) const;

  bool are_addresses_ = true;
  std::vector<Region> regions_;  // those with one size first, then the wider ones first
};

}  // namespace weir::c
