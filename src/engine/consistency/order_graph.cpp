#include "engine/consistency/order_graph.hpp"

#include <algorithm>

namespace weir::consistency {

void OrderGraph::start(Index nodes, Index chains) {
  nodes_ = nodes;
  chains_ = chains;
  home_.assign(nodes, {kNobody, 0});
  clocks_.assign(std::size_t{nodes} * chains, 0);
  edges_.clear();
  next_edge_.clear();
  first_edge_.assign(nodes, kNobody);
  queue_.clear();
  queued_.assign(nodes, 0);
  closing_ = kNobody;
  changes_ = 0;
}

void OrderGraph::place(Index node, Index chain, Index rank) {
  if (home_[node].chain == kNobody) home_[node] = {chain, rank};
  clocks_[std::size_t{node} * chains_ + chain] = rank + 1;
}

void OrderGraph::connect(Index from, Index to, Reason reason, Index read) {
  next_edge_.push_back(first_edge_[from]);
  first_edge_[from] = static_cast<Index>(edges_.size());
  edges_.push_back({from, to, reason, read});
}

bool OrderGraph::carry(Index number) {
  const OrderEdge& edge = edges_[number];
  if (precedes(edge.to, edge.from)) {
    closing_ = number;
    return false;
  }
  const Index* from = clocks_.data() + std::size_t{edge.from} * chains_;
  Index* to = clocks_.data() + std::size_t{edge.to} * chains_;
  bool changed = false;
  for (Index c = 0; c < chains_; ++c)
    if (from[c] > to[c]) to[c] = from[c], changed = true;
  if (!changed) return true;
  ++changes_;
  if (queued_[edge.to]) return true;
  queued_[edge.to] = 1;
  queue_.push_back(edge.to);
  return true;
}

bool OrderGraph::drain_queue() {
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const Index node = queue_[next];
    queued_[node] = 0;
    for (Index edge = first_edge_[node]; edge != kNobody; edge = next_edge_[edge])
      if (!carry(edge)) return false;
  }
  queue_.clear();
  return true;
}

bool OrderGraph::close() {
  for (Index node = 0; node < nodes_; ++node) {
    if (queued_[node]) continue;
    queued_[node] = 1;
    queue_.push_back(node);
  }
  return drain_queue();
}

bool OrderGraph::add(Index from, Index to, Reason reason, Index read) {
  if (precedes(from, to) && from != to) return true;
  connect(from, to, reason, read);
  return carry(static_cast<Index>(edges_.size() - 1)) && drain_queue();
}

std::vector<OrderEdge> OrderGraph::cycle() const {
  if (closing_ == kNobody) return {};
  const OrderEdge& closing = edges_[closing_];
  // The shortest way back from where the closing edge leads to where it starts.
  std::vector<Index> entered(nodes_, kNobody), ahead{closing.to};
  std::vector<OrderEdge> cycle;
  for (std::size_t next = 0;
       next < ahead.size() && entered[closing.from] == kNobody && closing.to != closing.from; ++next)
    for (Index edge = first_edge_[ahead[next]]; edge != kNobody; edge = next_edge_[edge]) {
      const Index to = edges_[edge].to;
      if (to == closing.to || entered[to] != kNobody) continue;
      entered[to] = edge;
      ahead.push_back(to);
    }
  for (Index node = closing.from; node != closing.to; node = edges_[entered[node]].from) {
    WEIR_CHECK(entered[node] != kNobody, "a cycle of the closure closes");
    cycle.push_back(edges_[entered[node]]);
  }
  std::reverse(cycle.begin(), cycle.end());
  cycle.push_back(closing);
  return cycle;
}

}  // namespace weir::consistency
