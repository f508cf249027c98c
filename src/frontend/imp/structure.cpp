#include "frontend/imp/structure.hpp"

#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "program/expressions.hpp"

namespace weir::imp {

namespace {

Statement compound(Statement::Kind kind, Name label, TermId condition, std::vector<Statement> body,
                   std::vector<Statement> otherwise = {}) {
  return {.kind = kind,
          .label = std::move(label),
          .value = condition,
          .body = std::move(body),
          .otherwise = std::move(otherwise)};
}

}  // namespace

StatementGraph::NodeId StatementGraph::add_node() {
  nodes_.emplace_back();
  return NodeId(nodes_.size() - 1);
}

void StatementGraph::set_block(NodeId id, std::vector<Statement> statements, NodeId next) {
  node(id).is_branch = false;
  node(id).statements = std::move(statements);
  node(id).next = next;
}

void StatementGraph::set_branch(NodeId id, Name label, TermId condition, NodeId yes, NodeId no) {
  const auto negate = [this](TermId term) { return terms_.unary(ExprOp::kLogicalNot, term); };
  node(id).is_branch = true;
  node(id).label = std::move(label);
  node(id).condition = is_number(condition) ? negate(negate(condition)) : condition;
  node(id).yes = yes;
  node(id).no = no;
}

void StatementGraph::count_predecessors() {
  for (Node& n : nodes_) n.predecessors = 0;
  const auto count = [this](NodeId id) {
    if (is_node(id)) ++node(id).predecessors;
  };
  count(entry_);
  for (const Node& n : nodes_) {
    if (!n.alive) continue;
    if (!n.is_branch) count(n.next);
    if (n.is_branch) count(n.yes);
    if (n.is_branch) count(n.no);
  }
}

// A branch without a common end, because one side never ends, can be written as `if` with or without `else`. So that
// what is read again is written in the same way, such a branch waits until nothing else can be reduced.
bool StatementGraph::reduce() {
  count_predecessors();
  do {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        while (nodes_[i].alive && reduce_once(NodeId(i))) changed = true;
    }
  } while (make_if_that_never_ends());
  std::size_t alive = 0;
  for (const Node& n : nodes_) alive += n.alive ? 1 : 0;
  return alive == 1 && !node(entry_).is_branch;
}

bool StatementGraph::reduce_once(NodeId id) {
  if (node(id).is_branch) return make_while(id) || make_if(id);
  return join_sequence(id) || close_loop(id);
}

// A block that nothing but `owner` leads to.
bool StatementGraph::is_private_block(NodeId id, NodeId owner) const {
  if (!is_node(id) || id == owner) return false;
  const Node& n = nodes_[id.index()];
  return !n.is_branch && n.predecessors == 1;
}

// The statements of the node have moved elsewhere; with it goes what it counted as a predecessor of.
void StatementGraph::remove(NodeId id) {
  node(id).alive = false;
  if (is_node(node(id).next)) --node(node(id).next).predecessors;
}

void StatementGraph::become_block(NodeId id, Statement statement, NodeId next) {
  std::vector<Statement> statements;
  statements.push_back(std::move(statement));
  for (const NodeId old : {node(id).yes, node(id).no})
    if (is_node(old) && node(old).alive) --node(old).predecessors;
  set_block(id, std::move(statements), next);
  if (is_node(next)) ++node(next).predecessors;
}

bool StatementGraph::join_sequence(NodeId id) {
  const NodeId second = node(id).next;
  if (!is_private_block(second, id)) return false;
  auto& statements = node(id).statements;
  auto& more = node(second).statements;
  statements.insert(statements.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  node(id).next = node(second).next;  // the count of predecessors behind stays the same
  node(second).alive = false;
  return true;
}

// A block that leads to itself is `while true`. Its first statement, if it does nothing, is the step that the
// loop takes anyway.
bool StatementGraph::close_loop(NodeId id) {
  if (node(id).next != id) return false;
  std::vector<Statement> body = std::move(node(id).statements);
  Name label;
  if (!body.empty() && body.front().kind == Statement::Kind::kSkip) {
    label = std::move(body.front().label);
    body.erase(body.begin());
  }
  --node(id).predecessors;
  std::vector<Statement> loop;
  loop.push_back(compound(Statement::Kind::kWhile, std::move(label), terms_.number(1), std::move(body)));
  set_block(id, std::move(loop), kNever);
  return true;
}

bool StatementGraph::make_while(NodeId id) {
  for (const bool positive : {true, false}) {
    const NodeId inside = positive ? node(id).yes : node(id).no;
    const NodeId outside = positive ? node(id).no : node(id).yes;
    const bool empty = inside == id && outside != id;
    if (!empty && !(is_private_block(inside, id) && node(inside).next == id)) continue;
    std::vector<Statement> body;
    if (!empty) {
      body = std::move(node(inside).statements);
      remove(inside);
    }
    const TermId condition = positive ? node(id).condition : negation(node(id).condition);
    become_block(id, compound(Statement::Kind::kWhile, node(id).label, condition, std::move(body)), outside);
    return true;
  }
  return false;
}

bool StatementGraph::make_if(NodeId id) {
  const NodeId yes = node(id).yes, no = node(id).no;
  const TermId condition = node(id).condition;
  const bool yes_private = is_private_block(yes, id), no_private = is_private_block(no, id);
  if (yes == no) {
    become_block(id, compound(Statement::Kind::kIf, node(id).label, condition, {}), yes);
    return true;
  }
  if (yes_private && no_private && node(yes).next == node(no).next) {
    const NodeId next = node(yes).next;
    std::vector<Statement> body = std::move(node(yes).statements), otherwise = std::move(node(no).statements);
    remove(yes);
    remove(no);
    become_block(
        id, compound(Statement::Kind::kIf, node(id).label, condition, std::move(body), std::move(otherwise)),
        next);
    return true;
  }
  return (yes_private && node(yes).next == no && make_if_around(id, yes)) ||
         (no_private && node(no).next == yes && make_if_around(id, no));
}

// `inside`, one of the two sides, becomes the body; the other one comes behind it.
bool StatementGraph::make_if_around(NodeId id, NodeId inside) {
  const bool positive = inside == node(id).yes;
  const NodeId next = positive ? node(id).no : node(id).yes;
  const TermId condition = node(id).condition;
  std::vector<Statement> body = std::move(node(inside).statements);
  remove(inside);
  become_block(id,
               compound(Statement::Kind::kIf, node(id).label, positive ? condition : negation(condition),
                        std::move(body)),
               next);
  return true;
}

bool StatementGraph::make_if_that_never_ends() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].alive || !nodes_[i].is_branch) continue;
    for (const NodeId side : {nodes_[i].yes, nodes_[i].no})
      if (is_private_block(side, NodeId(i)) && node(side).next == kNever)
        return make_if_around(NodeId(i), side);
  }
  return false;
}

TermId StatementGraph::negation(TermId condition) {
  const Term term = terms_[condition];
  if (term.kind == Term::Kind::kUnary && term.op == ExprOp::kLogicalNot && !is_number(term.a)) return term.a;
  const auto op = term.kind == Term::Kind::kBinary ? opposite_comparison(term.op) : std::nullopt;
  return op ? terms_.binary(*op, term.a, term.b) : terms_.unary(ExprOp::kLogicalNot, condition);
}

std::vector<Statement> StatementGraph::take_block() {
  WEIR_CHECK(!node(entry_).is_branch, "reduction left one block");
  return std::move(node(entry_).statements);
}

std::vector<Statement> StatementGraph::take_dispatch_loop(const std::string& place) {
  std::vector<NodeId> order{entry_};
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].alive && NodeId(i) != entry_) order.push_back(NodeId(i));
  std::vector<Value> number(nodes_.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i].index()] = static_cast<Value>(i);

  const auto go_to = [&](NodeId target) {
    std::vector<Statement> jump;
    const Value where = is_node(target) ? number[target.index()] : -1;
    if (target != kNever)
      jump.push_back(
          {.kind = Statement::Kind::kAssign, .target = {place, {}}, .value = terms_.number(where)});
    return jump;
  };
  std::vector<Statement> cases;
  for (const NodeId id : order) {
    Node& n = node(id);
    std::vector<Statement> body = std::move(n.statements);
    if (n.is_branch) {
      body.push_back(compound(Statement::Kind::kIf, n.label, n.condition, go_to(n.yes), go_to(n.no)));
    } else {
      for (Statement& jump : go_to(n.next)) body.push_back(std::move(jump));
    }
    const TermId here = terms_.binary(ExprOp::kEq, terms_.name(place), terms_.number(number[id.index()]));
    cases.push_back(compound(Statement::Kind::kIf, {}, here, std::move(body)));
  }
  std::vector<Statement> loop;
  const TermId running = terms_.binary(ExprOp::kGe, terms_.name(place), terms_.number(0));
  loop.push_back(compound(Statement::Kind::kWhile, {}, running, std::move(cases)));
  return loop;
}

}  // namespace weir::imp
