// Reads the graph of a function back into statements.
//
// Loads are folded into the expression that uses them where lowering that expression gives the same loads
// again: every loaded register is used exactly once, in the order of the loads, and not later. Temporaries
// fold anywhere; registers that the user named fold only into conditions, where structure needs it. Labels on
// locations inside a folded expression are dropped unless a property needs them.
#include "frontend/imp/recover_function.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "frontend/imp/recover_statement.hpp"
#include "frontend/imp/structure.hpp"
#include "program/expressions.hpp"

namespace weir::imp {

namespace {

using NodeId = StatementGraph::NodeId;

constexpr std::size_t kLongestFold = 32;

class FunctionRecovery {
 public:
  FunctionRecovery(const FunctionToRecover& wanted, Terms& terms, std::vector<Diagnostic>& problems)
      : program_(wanted.program),
        function_(program_.function(wanted.function)),
        marked_(wanted.marked),
        live_(wanted.live),
        terms_(terms),
        reader_(program_, wanted.function, wanted.own_number, wanted.variables, wanted.live, terms,
                problems) {
    visit_reachable();
  }

  RecoveredFunction recover(const std::vector<Value>& arguments) {
    RecoveredFunction result;
    std::vector<Statement> code = recover_region(function_.entry, Region::kFunction).body;
    result.body = reader_.declarations(arguments);
    for (Statement& statement : code) result.body.push_back(std::move(statement));
    result.labels = std::move(labels_);
    return result;
  }

 private:
  struct RecoveredRegion {
    std::vector<Statement> body;
    LocationId after;  // atomic block: where it ends
  };

  // A region being read: its nodes, and the locations still to be read.
  struct RegionState {
    Region kind;
    StatementGraph graph;
    std::map<LocationId, NodeId> nodes;
    std::vector<LocationId> unread;
    LocationId after;
  };

  void visit_reachable() {
    std::vector<LocationId> unread{function_.entry};
    entered_[function_.entry] = 1;
    while (!unread.empty()) {
      const LocationId location = unread.back();
      unread.pop_back();
      for (const EdgeId id : program_.location(location).edges) {
        const Edge& edge = program_.edge(id);
        if (edge.instruction.op == Opcode::kReturn) continue;
        if (entered_[edge.target]++ == 0) unread.push_back(edge.target);
      }
    }
  }

  const Edge& only_edge(LocationId location) const {
    return program_.edge(program_.location(location).edges[0]);
  }

  Name label(LocationId location) {
    const std::string& wanted = program_.location(location).label;
    if (wanted.empty() && !marked_.contains(location)) return {};
    std::string& chosen = labels_[location];
    if (chosen.empty())
      chosen = label_pool_.label(wanted.empty() ? fmt::format("L{}", location.index()) : wanted);
    return {chosen, {}};
  }

  // Folding.

  bool is_temporary(RegisterId reg) const { return function_.registers[reg.index()].name.starts_with('$'); }

  // May the load at this location become part of a later expression?
  bool starts_fold(LocationId location) const {
    const auto& edges = program_.location(location).edges;
    return edges.size() == 1 && only_edge(location).instruction.op == Opcode::kLoad &&
           reader_.variables().find(only_edge(location).instruction.a);
  }

  bool is_inner(LocationId location) const {
    return entered_.at(location) == 1 && !marked_.contains(location);
  }

  // The locations reached by folding the first 0, 1, ... loads from here.
  std::vector<LocationId> fold_chain(LocationId location) const {
    std::vector<LocationId> chain{location};
    while (chain.size() <= kLongestFold && starts_fold(chain.back()) &&
           is_inner(only_edge(chain.back()).target))
      chain.push_back(only_edge(chain.back()).target);
    return chain;
  }

  // Adds the loads at chain[0] ... chain[count - 1]; false if two go to one register.
  bool add_loads(const std::vector<LocationId>& chain, std::size_t count, PendingLoads& pending) {
    for (std::size_t i = 0; i < count; ++i) {
      const Edge& edge = only_edge(chain[i]);
      const RegisterId reg = edge.instruction.result;
      if (pending.contains(reg)) return false;
      if (!add_load(edge, pending)) return false;
    }
    return true;
  }

  // A load whose index uses loads just before it takes their place.
  bool add_load(const Edge& edge, PendingLoads& pending) {
    const auto variable = reader_.variables().find(edge.instruction.a);
    std::vector<RegisterId> inner;
    if (variable->index) registers_read(program_, variable->index, inner);
    const bool nested =
        std::any_of(inner.begin(), inner.end(), [&](RegisterId reg) { return pending.contains(reg); });
    if (!nested) {
      PendingLoads none;
      pending.add(edge.instruction.result, reader_.read_term(edge, none));
      return true;
    }
    PendingLoads outer, used;
    for (const PendingLoads::Load& load : pending.loads()) {
      const bool in_index = std::find(inner.begin(), inner.end(), load.reg) != inner.end();
      if (!in_index && !used.loads().empty()) return false;
      (in_index ? used : outer).add(load.reg, load.term);
    }
    const TermId term = reader_.read_term(edge, used);
    outer.add(edge.instruction.result, term);
    pending = std::move(outer);
    return used.fits();
  }

  bool dead_after(LocationId consumer, RegisterId reg) const {
    for (const EdgeId id : program_.location(consumer).edges) {
      const Edge& edge = program_.edge(id);
      const bool ends = edge.instruction.op == Opcode::kReturn || edge.instruction.result == reg;
      if (!ends && live_.live(edge.target, reg)) return false;
    }
    return true;
  }

  bool may_fold(const std::vector<LocationId>& chain, std::size_t count) const {
    const LocationId consumer = chain[count];
    const auto& edges = program_.location(consumer).edges;
    if (edges.empty()) return count == 0;
    const Opcode op = only_edge(consumer).instruction.op;
    const bool in_own_block =
        op == Opcode::kStore && only_edge(consumer).instruction.order == Order::kSequential;
    for (std::size_t i = 0; i < count; ++i) {
      const RegisterId reg = only_edge(chain[i]).instruction.result;
      if (!dead_after(consumer, reg) || (!is_temporary(reg) && op != Opcode::kAssume)) return false;
    }
    const bool uses_operands = op == Opcode::kAssign || op == Opcode::kAssume || op == Opcode::kAssert ||
                               op == Opcode::kLoad || op == Opcode::kStore;
    return count == 0 || (uses_operands && !in_own_block);
  }

  // Regions.

  NodeId node_at(LocationId location, RegionState& region) {
    const bool plain_stop = program_.location(location).edges.empty() && label(location).empty();
    if (plain_stop && region.kind == Region::kFunction) return StatementGraph::kExit;
    const auto [entry, is_new] = region.nodes.try_emplace(location);
    if (is_new) {
      entry->second = region.graph.add_node();
      region.unread.push_back(location);
    }
    return entry->second;
  }

  RecoveredRegion recover_region(LocationId entry, Region kind) {
    RegionState region{.kind = kind, .graph = StatementGraph(terms_)};
    NodeId first = node_at(entry, region);
    if (first == StatementGraph::kExit) return {};
    region.graph.set_entry(first);
    while (!region.unread.empty()) {
      const LocationId location = region.unread.back();
      region.unread.pop_back();
      read_location(location, region);
    }
    if (region.graph.reduce()) return {region.graph.take_block(), region.after};
    if (kind == Region::kAtomicBlock) {
      reader_.refuse(position(entry), "an atomic block whose control flow is not structured");
      return {{}, region.after};
    }
    return {region.graph.take_dispatch_loop(reader_.add_variable("pc")), {}};
  }

  SourcePosition position(LocationId location) const {
    const Location& place = program_.location(location);
    return place.position.known() || place.edges.empty() ? place.position : only_edge(location).position;
  }

  void read_location(LocationId location, RegionState& region) {
    if (program_.location(location).edges.empty()) return read_stop(location, region);
    const std::vector<LocationId> chain = fold_chain(location);
    for (std::size_t count = chain.size(); count-- > 0;) {
      PendingLoads pending;
      if (!may_fold(chain, count) || !add_loads(chain, count, pending)) continue;
      if (read_step(location, chain[count], pending, region)) return;
    }
  }

  void read_stop(LocationId location, RegionState& region) {
    Statement stop{.kind = Statement::Kind::kSkip, .label = label(location)};
    if (region.kind == Region::kAtomicBlock) {  // this way does not reach the end of the block
      stop.kind = Statement::Kind::kAssume;
      stop.value = terms_.number(0);
    }
    const NodeId next = region.kind == Region::kAtomicBlock ? StatementGraph::kNever : StatementGraph::kExit;
    set_block(region, location, std::move(stop), next);
  }

  void set_block(RegionState& region, LocationId location, Statement statement, NodeId next) {
    std::vector<Statement> statements;
    statements.push_back(std::move(statement));
    region.graph.set_block(region.nodes.at(location), std::move(statements), next);
  }

  // Reads what happens at `consumer`, with pending loads before it, as the statement at `location`. False if
  // the loads do not fold into it.
  bool read_step(LocationId location, LocationId consumer, PendingLoads& pending, RegionState& region) {
    const auto& edges = program_.location(consumer).edges;
    if (edges.size() > 1) return read_branch(location, consumer, pending, region);
    const Edge& edge = program_.edge(edges[0]);
    const Opcode op = edge.instruction.op;
    if (op == Opcode::kAtomicEnd) {
      leave_block(location, edge, region);
      return true;
    }
    if (op == Opcode::kAtomicBegin) {
      enter_block(location, edge, region);
      return true;
    }
    std::vector<Statement> statements = reader_.statements(edge, pending, region.kind);
    if (!pending.fits()) return false;
    if (!statements.empty()) statements.front().label = label(location);
    const NodeId next = op == Opcode::kReturn ? StatementGraph::kExit : node_at(edge.target, region);
    region.graph.set_block(region.nodes.at(location), std::move(statements), next);
    return true;
  }

  void leave_block(LocationId location, const Edge& edge, RegionState& region) {
    if (region.after && region.after != edge.target)
      reader_.refuse(edge.position, "an atomic block with several ends");
    region.after = edge.target;
    std::vector<Statement> none;
    if (const Name name = label(location); !name.empty())
      none.push_back({.kind = Statement::Kind::kSkip, .label = name});
    region.graph.set_block(region.nodes.at(location), std::move(none), StatementGraph::kExit);
  }

  void enter_block(LocationId location, const Edge& edge, RegionState& region) {
    Statement block{.kind = Statement::Kind::kAtomic, .label = label(location)};
    RecoveredRegion inner = recover_region(edge.target, Region::kAtomicBlock);
    block.body = std::move(inner.body);
    set_block(region, location, std::move(block),
              inner.after ? node_at(inner.after, region) : StatementGraph::kNever);
  }

  bool read_branch(LocationId location, LocationId consumer, PendingLoads& pending, RegionState& region) {
    const auto& edges = program_.location(consumer).edges;
    if (!is_deterministic(consumer)) {
      reader_.refuse(position(consumer), "a nondeterministic choice");
      set_block(region, location, {}, StatementGraph::kExit);
      return true;
    }
    const Edge& first = program_.edge(edges[0]);
    const Edge& second = program_.edge(edges[1]);
    const bool negated = is_negation(program_, first.instruction.a, second.instruction.a);
    if (edges.size() != 2 || !complementary(program_, first.instruction.a, second.instruction.a))
      return pending.loads().empty() && read_multiway(location, region);
    const Edge& yes = negated ? second : first;
    const Edge& no = negated ? first : second;
    const TermId condition = reader_.expression(yes.instruction.a, pending, yes.position);
    if (!pending.fits()) return false;
    const NodeId yes_node = node_at(yes.target, region);
    region.graph.set_branch(region.nodes.at(location), label(location), condition, yes_node,
                            node_at(no.target, region));
    return true;
  }

  bool is_deterministic(LocationId location) const {
    const auto& edges = program_.location(location).edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Instruction& a = program_.edge(edges[i]).instruction;
      if (a.op != Opcode::kAssume) return false;
      for (std::size_t k = 0; k < i; ++k)
        if (!disjoint(program_, program_.edge(edges[k]).instruction.a, a.a)) return false;
    }
    return true;
  }

  // Conditions that exclude each other: if a then ... else if b then ... else assume c; ...
  bool read_multiway(LocationId location, RegionState& region) {
    const auto& edges = program_.location(location).edges;
    NodeId at = region.nodes.at(location);
    Name name = label(location);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = program_.edge(edges[i]);
      PendingLoads none;
      const TermId condition = reader_.expression(edge.instruction.a, none, edge.position);
      const NodeId target = node_at(edge.target, region);
      if (i + 1 == edges.size()) {
        std::vector<Statement> assume;
        assume.push_back({.kind = Statement::Kind::kAssume, .value = condition});
        region.graph.set_block(at, std::move(assume), target);
      } else {
        const NodeId rest = region.graph.add_node();
        region.graph.set_branch(at, std::exchange(name, {}), condition, target, rest);
        at = rest;
      }
    }
    return true;
  }

  const Program& program_;
  const Function& function_;
  const std::set<LocationId>& marked_;
  const LiveRegisters& live_;
  Terms& terms_;
  StatementReader reader_;
  NamePool label_pool_;
  std::map<LocationId, std::size_t> entered_;  // reachable locations: how many edges lead there
  std::map<LocationId, std::string> labels_;
};

}  // namespace

RecoveredFunction recover_function(const FunctionToRecover& wanted, Terms& terms,
                                   std::vector<Diagnostic>& problems) {
  return FunctionRecovery(wanted, terms, problems).recover(wanted.arguments);
}

}  // namespace weir::imp
