// An instance under SC in flat tables: no buffers, but several good-writes per read.
#pragma once

#include "engine/consistency/layout.hpp"

namespace weir::consistency {

// A *write* is the initial write of a variable (numbers below `variables`) or an event (`variables` + its
// number).
class ScLayout {
 public:
  void build(const Instance& instance);

  Index write_of(Index event) const { return variables + event; }
  bool initial(Index write) const { return write < variables; }
  Index position(Index event) const { return event - first_event[thread[event]]; }
  std::span<const Index> sources(Index event) const { return part(source, first_source, event); }
  std::span<const Index> readers(Index write) const { return part(reader, first_reader, write); }
  std::span<const Requirement> requirements(Index event) const {
    return {requirement.data() + first_requirement[event],
            first_requirement[event + 1] - first_requirement[event]};
  }
  // What has to precede each event; counters are threads.
  void require(std::span<const std::pair<Index, Requirement>> order);

  Index threads = 0, variables = 0, events = 0;
  std::vector<EventKind> kind;
  std::vector<Index> variable, thread;
  std::vector<Index> first_event;  // per thread, and one more

 private:
  static std::span<const Index> part(const std::vector<Index>& all, const std::vector<Index>& first,
                                     Index i) {
    return {all.data() + first[i], first[i + 1] - first[i]};
  }

  std::vector<Index> source, first_source;  // the good-writes of each event that reads
  std::vector<Index> reader, first_reader;  // the events for which a write is good
  std::vector<Requirement> requirement;
  std::vector<Index> first_requirement;
};

}  // namespace weir::consistency
