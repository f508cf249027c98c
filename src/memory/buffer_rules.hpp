// What a store buffer does with its content, under one discipline. A content is a sequence of entries of two
// words, cell and value; the entry with the cell kBarrier separates parts of the sequence. Each discipline
// has a normal form, so that buffers that cannot be told apart are equal sequences, and in each of them the
// newest store to a cell is the last entry with that cell: loads need not know the discipline.
//
// The disciplines of the memory models:
//   total_order         TSO: a queue
//   partial_order       PSO: a queue for each cell, between barriers
// and those that forget more than TSO does (buffer_abstraction.hpp):
//   multiset            which stores, and how often; of each cell, which was added last
//   partial_coherence   a queue of k stores; of the others which, but not how often, and which was last
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "memory/shared_memory.hpp"

namespace weir {

struct BufferedStore {
  CellId cell;
  Value value = 0;
};

// Do two cells have a byte in common? A store to one then keeps its place behind an earlier one to the other.
using ShareBytes = std::function<bool(CellId, CellId)>;

using BufferContent = std::vector<Value>;

// One way to flush: what goes to memory and what stays.
struct FlushedContent {
  BufferedStore store;
  BufferContent rest;
};

class BufferRules {
 public:
  static constexpr Value kBarrier = -1;
  static constexpr std::size_t kEntry = 2;  // words

  virtual ~BufferRules() = default;
  virtual void push(BufferContent& content, BufferedStore store) const = 0;
  // Later stores of the thread must not overtake earlier ones. No effect where they never do.
  virtual void push_barrier(BufferContent&) const {}
  virtual std::vector<FlushedContent> flushes(const BufferContent& content) const = 0;
};

std::unique_ptr<const BufferRules> total_order();
std::unique_ptr<const BufferRules> partial_order(ShareBytes share = std::equal_to<>());
std::unique_ptr<const BufferRules> multiset();
std::unique_ptr<const BufferRules> partial_coherence(std::uint32_t queue);

}  // namespace weir
