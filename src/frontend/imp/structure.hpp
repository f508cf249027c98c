// From a graph of statements and branches to structured statements, by reduction: a block that is followed
// only by another one is joined with it, a branch around blocks becomes `if` or `while`, until one block is
// left. Where reduction gets stuck, the rest becomes a loop over a local variable that holds the place.
//
// Takes time quadratic in the number of nodes at worst; programs written in this language are small.
#pragma once

#include <string>
#include <vector>

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

class StatementGraph {
 public:
  using NodeId = Id<struct NodeTag>;

  // Where control goes besides nodes.
  static constexpr NodeId kExit{0xfffffff0u};   // behind the last statement
  static constexpr NodeId kNever{0xfffffff1u};  // nowhere: the statements before do not end

  explicit StatementGraph(Terms& terms) : terms_(terms) {}

  NodeId add_node();
  void set_block(NodeId node, std::vector<Statement> statements, NodeId next);
  // `condition` is evaluated at the node, which carries the label.
  void set_branch(NodeId node, Name label, TermId condition, NodeId yes, NodeId no);
  void set_entry(NodeId node) { entry_ = node; }

  // Reduces as far as possible; true if one block is left.
  bool reduce();
  // The block that is left.
  std::vector<Statement> take_block();
  // The rest as a loop; `place` names the variable, which starts at 0.
  std::vector<Statement> take_dispatch_loop(const std::string& place);

 private:
  struct Node {
    bool alive = true;
    bool is_branch = false;
    std::vector<Statement> statements;  // block
    Name label;                         // branch
    TermId condition;                   // branch
    NodeId next;                        // block
    NodeId yes, no;                     // branch
    std::size_t predecessors = 0;
  };

  Node& node(NodeId id) { return nodes_[id.index()]; }
  static bool is_node(NodeId id) { return id < kExit; }
  void count_predecessors();
  bool is_private_block(NodeId id, NodeId owner) const;
  void remove(NodeId id);
  void become_block(NodeId id, Statement statement, NodeId next);

  bool reduce_once(NodeId id);
  bool join_sequence(NodeId id);
  bool close_loop(NodeId id);
  bool make_while(NodeId id);
  bool make_if(NodeId id);
  bool make_if_around(NodeId id, NodeId inside);
  bool make_if_that_never_ends();
  // A constant condition would not be a branch any more when read again.
  bool is_number(TermId term) const { return terms_[term].kind == Term::Kind::kNumber; }
  TermId negation(TermId condition);

  Terms& terms_;
  std::vector<Node> nodes_;
  NodeId entry_;
};

}  // namespace weir::imp
