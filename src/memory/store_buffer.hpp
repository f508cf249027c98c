// Store buffers as interned sequences: a `BufferId` stands for one content, and pushing, flushing and looking
// up are look-ups after their first time. Id 0 is the empty buffer.
//
// TSO and PSO share the storage and differ in the normal form and in what may be flushed:
//  - TSO keeps program order and flushes the oldest entry;
//  - PSO keeps one queue per cell. Within a part between two barriers the entries are kept sorted by cell
//  (the
//    order between cells carries no information there, and equal contents must be equal sequences); the
//    oldest entry of each cell in the first part can be flushed. A barrier never comes first.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <optional>
#include <vector>

#include "base/sequence_interner.hpp"
#include "memory/shared_memory.hpp"

namespace weir {

using BufferId = Id<struct BufferTag>;

struct BufferedStore {
  CellId cell;
  Value value = 0;
};

// One way to flush: what goes to memory and what stays.
struct Flush {
  BufferedStore store;
  BufferId rest;
};

class StoreBuffers {
 public:
  enum class Discipline : std::uint8_t { kTotal, kPartial };

  explicit StoreBuffers(Discipline discipline) : discipline_(discipline) { contents_.intern({}); }

  static constexpr BufferId kEmptyBuffer = BufferId(0);

  BufferId push(BufferId buffer, BufferedStore store);
  BufferId push_barrier(BufferId buffer);  // no effect in a total order
  std::vector<Flush> flushes(BufferId buffer);
  // The newest buffered value for the cell.
  std::optional<Value> newest(BufferId buffer, CellId cell) const;
  std::size_t length(BufferId buffer) const;  // barriers do not count
  std::size_t size() const { return contents_.size(); }
  // Was a store to the cell ever put into a buffer?
  bool ever_pushed(CellId cell) const { return pushed_.contains(cell.index()); }

 private:
  // An entry is two words, cell and value; a barrier is the cell kBarrier.
  static constexpr Value kBarrier = -1;

  BufferId intern(const std::vector<Value>& words) { return BufferId(contents_.intern(words)); }
  std::vector<Value> words(BufferId buffer) const;

  Discipline discipline_;
  SequenceInterner<Value> contents_;
  absl::flat_hash_set<std::uint32_t> pushed_;
};

}  // namespace weir
