// The closure of good-writes under SC: orders that every witness has. [Toman21, Section 4.2.2]
#pragma once

#include <utility>
#include <vector>

#include "engine/consistency/order_graph.hpp"
#include "engine/consistency/sc_layout.hpp"

namespace weir::consistency {

class GoodWritesClosure {
 public:
  // False if the orders contradict each other, so that there is no witness.
  bool run(const ScLayout& layout);
  std::span<const std::pair<Index, Requirement>> requirements();
  const OrderGraph& graph() const { return graph_; }
  // The read that is left without a good-write, if that is the contradiction and not a cycle; or kNone.
  Index without_source() const { return without_source_; }

 private:
  bool apply(Index read);
  bool visible(Index write, Index read) const;
  bool precedes(Index write, Index other) const;
  bool order_sources(Index read);
  bool order_others(Index read);
  bool good(Index event, Index read) const;
  template <class Less>
  Index extreme(Less less) const;

  const ScLayout* layout_ = nullptr;
  OrderGraph graph_;
  std::vector<Index> writers_, first_writer_;  // the events that write each variable
  std::vector<Index> candidates_;              // the good-writes of a read that it may still see
  std::vector<std::pair<Index, Requirement>> requirements_;
  Index without_source_ = kNone;
};

}  // namespace weir::consistency
