// A partial order on events that grows edge by edge, for the closures. Nodes lie on chains (threads,
// buffers), on which they are ordered from the start. Each node knows how much of each chain precedes it,
// so "does u precede v" is one comparison; an edge is added by carrying these numbers on to what follows.
// Each edge keeps its reason, so that when the order turns into a cycle a person can be told why every step
// of it must hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/consistency/instance.hpp"

namespace weir::consistency {

using Index = std::uint32_t;

enum class Reason : std::uint8_t {
  kProgramOrder,  // the same thread, one after the other
  kBuffered,      // a store reaches memory after it took place
  kBufferOrder,   // stores leave a buffer in order
  kDrained,       // a fence or an update waits until the store has left the buffer
  kStoreFence,    // a store fence is between them
  kReadsFrom,     // the second reads the first
  kHidden,        // a read of the first one's thread has to see the second: its own older store must be gone
  kOlder,         // the first precedes a read of the second, so the second overwrites it
  kNewer,         // the second overwrites what the first reads
};

struct OrderEdge {
  Index from, to;
  Reason reason;
  Index read;  // the read that the reason speaks of, or kNone of layout.hpp
};

class OrderGraph {
 public:
  static constexpr Index kNobody = 0xFFFFFFFFu;

  void start(Index nodes, Index chains);
  // The node is number `rank` of the chain. Its first chain is the one that names it.
  void place(Index node, Index chain, Index rank);
  // Adds an edge; the order is not up to date before the next `close`.
  void connect(Index from, Index to, Reason reason, Index read = kNobody);
  // Brings the order up to date. False if there is a cycle.
  bool close();
  // Adds an edge to an order that is up to date, unless it is there. False if there is a cycle now.
  bool add(Index from, Index to, Reason reason, Index read);

  // Do `from` and `to` stand in this order, or are they the same?
  bool precedes(Index from, Index to) const {
    return clocks_[std::size_t{to} * chains_ + home_[from].chain] > home_[from].rank;
  }
  // How many nodes of the chain precede the node, or are it.
  Index reach(Index node, Index chain) const { return clocks_[std::size_t{node} * chains_ + chain]; }
  std::span<const OrderEdge> edges() const { return edges_; }
  std::uint64_t changes() const { return changes_; }
  // The cycle that was found; each edge starts where the one before it ends.
  std::vector<OrderEdge> cycle() const;

 private:
  struct Place {
    Index chain, rank;
  };

  bool carry(Index edge);  // along one edge; false if it closes a cycle
  bool drain_queue();

  Index nodes_ = 0, chains_ = 0;
  std::vector<Place> home_;
  std::vector<Index> clocks_;  // per node and chain
  std::vector<OrderEdge> edges_;
  std::vector<Index> first_edge_, next_edge_;  // lists of edges by where they start
  std::vector<Index> queue_;
  std::vector<char> queued_;
  Index closing_ = kNobody;  // the edge that closed a cycle
  std::uint64_t changes_ = 0;
};

}  // namespace weir::consistency
