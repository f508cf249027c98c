// The graph of one function while it is being lowered: nodes become locations, and registers are as many as
// anybody likes (they are shared afterwards, see registers.hpp). Edges that do nothing are fine:
// they are removed before the graph becomes part of the program.
#pragma once

#include <string>
#include <vector>

#include "program/program.hpp"

namespace llvm {
class Instruction;
}

namespace weir::c {

using NodeId = Id<struct NodeTag>;

struct GraphEdge {
  NodeId source, target;
  Instruction instruction;
  SourcePosition position;
  const llvm::Instruction* origin = nullptr;  // what it is made of, if it is one instruction
};

struct Graph {
  std::vector<Register> registers;  // parameters first
  std::uint32_t parameter_count = 0;
  std::vector<GraphEdge> edges;
  std::uint32_t node_count = 0;
  NodeId entry;

  NodeId add_node() { return NodeId(node_count++); }
  RegisterId add_register(std::string name, Type type) {
    registers.push_back({std::move(name), type, 0});
    return RegisterId(registers.size() - 1);
  }
};

// Where control goes on after the edge. After `return`, `stop` and `halt` it does not.
bool continues(const Instruction& instruction);

// Nodes from which a `nop` is the only way are merged with where it leads. Unreachable edges go, too.
void remove_idle_edges(Graph& graph);

// The locations, edges and registers become those of `function`, which has none yet. The origins of the new edges are
// added to those of the others.
void add_to_program(Graph graph, FunctionId function, Program& program,
                    std::vector<const llvm::Instruction*>& origins);

}  // namespace weir::c
