// Store buffers as interned sequences: a `BufferId` stands for one content, and pushing, flushing and looking
// up are look-ups after their first time. Id 0 is the empty buffer. What they hold in which form, and what
// may be flushed, is the business of the rules.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <optional>
#include <vector>

#include "base/sequence_interner.hpp"
#include "memory/buffer_rules.hpp"

namespace weir {

using BufferId = Id<struct BufferTag>;

// One way to flush: what goes to memory and what stays.
struct Flush {
  BufferedStore store;
  BufferId rest;
};

class StoreBuffers {
 public:
  explicit StoreBuffers(std::unique_ptr<const BufferRules> rules, ShareBytes share = std::equal_to<>())
      : rules_(std::move(rules)), share_(std::move(share)) {
    contents_.intern({});
  }

  static constexpr BufferId kEmptyBuffer = BufferId(0);

  BufferId push(BufferId buffer, BufferedStore store);
  BufferId push_barrier(BufferId buffer);
  std::vector<Flush> flushes(BufferId buffer);
  // The newest buffered value for the cell.
  std::optional<Value> newest(BufferId buffer, CellId cell) const;
  // The newest store to a cell that has bytes in common with this one.
  std::optional<BufferedStore> newest_over(BufferId buffer, CellId cell) const;
  std::size_t length(BufferId buffer) const;  // barriers do not count
  std::size_t size() const { return contents_.size(); }
  // Was a store to the cell, or one that has bytes in common with it, ever put into a buffer?
  bool ever_pushed(CellId cell) const;

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(contents_, pushed_);
  }

 private:
  static constexpr std::size_t kEntry = BufferRules::kEntry;

  BufferId intern(const BufferContent& content) { return BufferId(contents_.intern(content)); }
  BufferContent content(BufferId buffer) const;

  std::unique_ptr<const BufferRules> rules_;
  ShareBytes share_;
  SequenceInterner<Value> contents_;
  absl::flat_hash_set<std::uint32_t> pushed_;
};

}  // namespace weir
