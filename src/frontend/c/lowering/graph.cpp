#include "frontend/c/lowering/graph.hpp"

#include <algorithm>

namespace weir::c {

namespace {

// For each node the edges that leave it, in their order.
std::vector<std::vector<std::uint32_t>> leaving(const Graph& graph) {
  std::vector<std::vector<std::uint32_t>> result(graph.node_count);
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) result[graph.edges[i].source.index()].push_back(i);
  return result;
}

// Follows nodes that are left by a lone `nop`. A circle of them is left where it was entered.
class Shortcuts {
 public:
  explicit Shortcuts(const Graph& graph) : next_(graph.node_count) {
    const auto edges = leaving(graph);
    for (std::uint32_t node = 0; node < graph.node_count; ++node) {
      if (edges[node].size() != 1) continue;
      const GraphEdge& edge = graph.edges[edges[node].front()];
      if (edge.instruction.op == Opcode::kNop && edge.instruction.order == Order::kRelaxed &&
          edge.target != edge.source)
        next_[node] = edge.target;
    }
    break_circles();
  }

  NodeId end(NodeId node) const {
    while (next_[node.index()]) node = next_[node.index()];
    return node;
  }

  // Makes all ways short, so that following them stays cheap.
  void compress() {
    for (std::uint32_t node = 0; node < next_.size(); ++node) {
      if (!next_[node]) continue;
      const NodeId last = end(NodeId(node));
      NodeId at(node);
      while (next_[at.index()]) {
        const NodeId following = next_[at.index()];
        next_[at.index()] = last;
        at = following;
      }
    }
  }

 private:
  void break_circles() {
    std::vector<std::uint32_t> seen(next_.size());
    for (std::uint32_t start = 0; start < next_.size(); ++start) {
      const std::uint32_t mark = start + 1;
      for (NodeId at(start); next_[at.index()] && (seen[at.index()] == 0 || seen[at.index()] == mark);) {
        if (seen[at.index()] == mark) {
          next_[at.index()] = NodeId();
          break;
        }
        seen[at.index()] = mark;
        at = next_[at.index()];
      }
    }
  }

  std::vector<NodeId> next_;
};

std::vector<bool> reachable(const Graph& graph) {
  const auto edges = leaving(graph);
  std::vector<bool> found(graph.node_count);
  std::vector<NodeId> open{graph.entry};
  found[graph.entry.index()] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const std::uint32_t i : edges[node.index()]) {
      const GraphEdge& edge = graph.edges[i];
      if (!continues(edge.instruction) || found[edge.target.index()]) continue;
      found[edge.target.index()] = true;
      open.push_back(edge.target);
    }
  }
  return found;
}

}  // namespace

bool continues(const Instruction& instruction) {
  return instruction.op != Opcode::kReturn && instruction.op != Opcode::kStop &&
         instruction.op != Opcode::kHalt;
}

void remove_idle_edges(Graph& graph) {
  Shortcuts shortcuts(graph);
  shortcuts.compress();
  graph.entry = shortcuts.end(graph.entry);
  for (GraphEdge& edge : graph.edges)
    if (continues(edge.instruction)) edge.target = shortcuts.end(edge.target);
  const std::vector<bool> alive = reachable(graph);
  std::erase_if(graph.edges, [&](const GraphEdge& edge) { return !alive[edge.source.index()]; });
}

// Locations and edges are numbered as a reader meets them who follows the first way out of each location
// first.
void add_to_program(Graph graph, FunctionId function, Program& program,
                    std::vector<const llvm::Instruction*>& origins) {
  Function& target = program.functions[function.index()];
  target.registers = std::move(graph.registers);
  target.parameter_count = graph.parameter_count;
  const auto edges = leaving(graph);
  std::vector<LocationId> locations(graph.node_count);
  std::vector<NodeId> order, open{graph.entry};
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (locations[node.index()]) continue;
    locations[node.index()] = program.add_location(function);
    order.push_back(node);
    for (auto i = edges[node.index()].rbegin(); i != edges[node.index()].rend(); ++i)
      if (continues(graph.edges[*i].instruction)) open.push_back(graph.edges[*i].target);
  }
  target.entry = locations[graph.entry.index()];
  for (const NodeId node : order) {
    const LocationId from = locations[node.index()];
    for (const std::uint32_t i : edges[node.index()]) {
      GraphEdge& edge = graph.edges[i];
      if (program.location(from).edges.empty()) program.locations[from.index()].position = edge.position;
      const LocationId to = continues(edge.instruction) ? locations[edge.target.index()] : from;
      program.add_edge(from, to, std::move(edge.instruction), edge.position);
      origins.push_back(edge.origin);
    }
  }
}

}  // namespace weir::c
