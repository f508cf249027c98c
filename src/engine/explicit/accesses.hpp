// What steps have in common: which cells they read and write. Two steps of different threads are independent
// if no cell that one of them writes is read or written by the other. Two artificial cells make the rest fit:
// the global lock (written by lock and unlock, read by whatever must not happen while another thread holds
// it) and one that every step writes that the properties can see, so that the order of visible steps is never
// ignored.
//
// An access is a (thread, cell, write?) triple with a small number; sets of accesses are interned.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <vector>

#include "base/sequence_interner.hpp"
#include "engine/explicit/monitor.hpp"

namespace weir {

using AccessSetId = Id<struct AccessSetTag>;

class Accesses {
 public:
  Accesses(System& system, Monitor& monitor);

  // All accesses of all steps that the thread offers here, executable or not.
  AccessSetId offered(std::size_t thread, ComponentId component, MemoryId memory);
  // The accesses of one step.
  AccessSetId of_step(std::size_t thread, ComponentId component, MemoryId memory, const Step& step);

  AccessSetId unite(AccessSetId a, AccessSetId b);
  // The threads in `b` with an access that depends on one of `a` (of another thread).
  std::uint64_t conflicting_threads(AccessSetId a, AccessSetId b);
  bool conflict(AccessSetId a, AccessSetId b) { return conflicting_threads(a, b) != 0; }

  static constexpr AccessSetId kNone = AccessSetId(0);

 private:
  using Numbers = std::vector<std::uint32_t>;

  static constexpr CellId kVisibleCell = CellId(0xFFFFFFFE);

  void collect(std::size_t thread, ComponentId component, MemoryId memory, const Step& step, Numbers& out);
  void collect_block(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                     Numbers& out);
  std::uint32_t number(std::size_t thread, CellId cell, bool writes);
  AccessSetId intern(Numbers& numbers);
  bool property_reads(CellId cell) const;

  struct Access {
    std::uint32_t thread;
    CellId cell;
    bool writes;
  };

  System& system_;
  Monitor& monitor_;
  bool uses_lock_ = false;
  bool threads_watched_ = false;  // do properties look at where threads are?
  std::vector<Value> property_addresses_;
  std::vector<Access> accesses_;
  absl::flat_hash_map<std::pair<std::uint64_t, bool>, std::uint32_t> numbers_;
  SequenceInterner<std::uint32_t> sets_;  // ascending numbers
  absl::flat_hash_map<std::uint64_t, AccessSetId> unions_;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> conflicts_;
  absl::flat_hash_map<std::uint64_t, AccessSetId>
      offered_;  // by thread and component, where memory is irrelevant
};

}  // namespace weir
