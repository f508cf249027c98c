// The closure of a reads-from map under TSO and PSO: orders that every witness has. [Toman21, Sections
// 5.2.3, 5.2.4]
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/consistency/layout.hpp"
#include "engine/consistency/order_graph.hpp"

namespace weir::consistency {

class Closure {
 public:
  // False if the orders contradict each other, so that there is no witness.
  bool run(const Layout& layout);
  // What the order asks of each store, for `Layout::require`.
  std::span<const std::pair<Index, Requirement>> requirements();
  const OrderGraph& graph() const { return graph_; }
  // The step that a node of the graph stands for.
  Step step(Index node) const;

 private:
  Index store_node(Index store) const {
    const Index event = layout_->store_event[store];
    return layout_->kind[event] == EventKind::kUpdate ? event : layout_->events + store;
  }
  Index write_node(Index write) const { return store_node(layout_->store_of_write(write)); }

  void place_nodes();
  void connect_program_order();
  void connect_sources();
  void list_columns();
  std::span<const Index> column(Index thread, Index variable) const;
  bool apply_rules();
  bool older_stores_first(Index read);
  bool newer_stores_last(Index read);

  const Layout* layout_ = nullptr;
  OrderGraph graph_;
  std::vector<Index> first_in_column_, columns_;  // the stores of each thread to each variable
  std::vector<std::pair<Index, Requirement>> requirements_;
};

}  // namespace weir::consistency
