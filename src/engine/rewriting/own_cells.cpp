#include "engine/rewriting/own_cells.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/fault.hpp"
#include "program/expressions.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

bool uses_lock(const Program& program) {
  return std::ranges::any_of(program.edges,
                             [](const Edge& edge) { return edge.instruction.op == Opcode::kLock; });
}

bool has_address(Opcode op) {
  return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw || op == Opcode::kFree;
}

// Can control come back to where the edge begins?
bool in_loop(const Program& program, const Edge& edge) {
  std::vector<LocationId> reached{edge.target};
  std::vector<bool> known(program.locations.size(), false);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == edge.source) return true;
    for (const EdgeId next : program.location(reached[i]).edges) {
      const LocationId target = program.edge(next).target;
      if (!known[target.index()]) reached.push_back(target);
      known[target.index()] = true;
    }
  }
  return false;
}

}  // namespace

// Finds the cells, and makes registers of them.
class OwnCells::Promoter {
 public:
  explicit Promoter(OwnCells& own) : own_(own), program_(own.program_) {}

  void run() {
    if (program_.open_memory || uses_lock(program_)) return;
    find_threads();
    for (const SharedObject& object : program_.objects)
      if (object.initial.size() == 1 && object.initial[0] != kUninitialised && !object.constant)
        cells_[object.base] = {.type = object.type, .initial = object.initial[0]};
    for (const Edge& edge : program_.edges) look_at(edge);
    for (const Invariant& invariant : program_.properties.invariants)
      for_each_subexpression(program_, invariant.expression, [&](const Expression& e) {
        if (e.op == ExprOp::kSharedCell) cells_.erase(e.constant);
      });
    std::erase_if(cells_, [](const auto& cell) { return !cell.second.in_loop; });
    if (!cells_.empty()) promote();
  }

 private:
  struct Cell {
    Type type;
    Value initial = 0;
    FunctionId function;   // that uses it
    bool in_loop = false;  // it is stored to in a loop
    RegisterId reg;        // that it becomes
  };

  // Which functions are executed at all (those that were inlined are not), and which by one thread that nobody calls.
  void find_threads() {
    std::vector<std::vector<std::size_t>> callees(program_.functions.size());
    for (const Edge& edge : program_.edges)
      if (edge.instruction.op == Opcode::kCall)
        callees[program_.location(edge.source).function.index()].push_back(edge.instruction.callee.index());
    std::vector<int> runs(program_.functions.size(), 0);
    std::vector<std::size_t> pending;
    for (const Thread& thread : program_.threads) {
      ++runs[thread.function.index()];
      pending.push_back(thread.function.index());
    }
    executed_.assign(program_.functions.size(), false);
    while (!pending.empty()) {
      const std::size_t function = pending.back();
      pending.pop_back();
      if (executed_[function]) continue;
      executed_[function] = true;
      for (const std::size_t callee : callees[function]) {
        runs[callee] += 2;
        pending.push_back(callee);
      }
    }
    for (const int count : runs) run_once_.push_back(count == 1);
  }

  FunctionId function_of(const Edge& edge) const { return program_.location(edge.source).function; }

  std::map<Value, Cell>::iterator cell_of(const Instruction& instruction) {
    if (!has_address(instruction.op)) return cells_.end();
    const Expression& address = program_.expression(instruction.a);
    return address.op == ExprOp::kConstant ? cells_.find(address.constant) : cells_.end();
  }

  void look_at(const Edge& edge) {
    const Instruction& instruction = edge.instruction;
    const auto cell = cell_of(instruction);
    if (cell == cells_.end()) return;
    const FunctionId function = function_of(edge);
    if (!executed_[function.index()]) return;
    const bool store = instruction.op == Opcode::kStore;
    const bool load = instruction.op == Opcode::kLoad && instruction.result && !instruction.waits;
    const bool simple = (store || load) && !instruction.copies && instruction.order != Order::kSequential &&
                        instruction.type.bits == cell->second.type.bits;
    const bool alone =
        run_once_[function.index()] && (!cell->second.function || cell->second.function == function);
    if (!simple || !alone) {
      cells_.erase(cell);
      return;
    }
    cell->second.function = function;
    cell->second.in_loop |= store && in_loop(program_, edge);
  }

  void promote() {
    own_.any_ = true;
    for (auto& [address, cell] : cells_)
      cell.reg = program_.add_register(cell.function, program_.address_name(address), cell.type,
                                       fault("lost-initial-value") ? 0 : cell.initial);
    for (std::size_t e = 0; e < program_.edges.size(); ++e) {
      const auto cell = cell_of(program_.edges[e].instruction);
      if (cell == cells_.end() || !executed_[function_of(program_.edges[e]).index()]) continue;
      own_.promoted_[e] = true;
      program_.edges[e].instruction = assignment(program_.edges[e].instruction, cell->second);
    }
    std::erase_if(program_.objects, [&](const SharedObject& object) { return cells_.contains(object.base); });
  }

  Instruction assignment(const Instruction& access, const Cell& cell) {
    if (access.op == Opcode::kStore) return {.op = Opcode::kAssign, .result = cell.reg, .a = access.b};
    const ExprId value = program_.register_value(cell.reg, cell.type);
    return {.op = Opcode::kAssign,
            .result = access.result,
            .a = program_.unary(ExprOp::kCast, value, access.type)};
  }

  OwnCells& own_;
  Program& program_;
  std::vector<bool> executed_, run_once_;  // per function
  std::map<Value, Cell> cells_;            // by address
};

OwnCells::OwnCells(const Program& original)
    : original_(original), program_(original), promoted_(original.edges.size(), false) {
  Promoter(*this).run();
}

// The stores that became assignments enter the buffer again, and leave it as soon as they are the oldest there.
class OwnCells::Mapper {
 public:
  Mapper(const OwnCells& own, const Witness& witness)
      : own_(own),
        witness_(witness),
        buffers_(own.original_.threads.size()),
        in_block_(own.original_.threads.size(), false) {}

  Witness run() {
    result_ = witness_;
    result_.steps.clear();
    for (const WitnessStep& step : witness_.steps) append(step);
    // The last step of what fails is what fails.
    const ViolationKind kind = witness_.violation.kind;
    const bool fails = kind == ViolationKind::kAssertion ||
                       (kind == ViolationKind::kMemory && witness_.violation.property != kLeak);
    if (fails && !witness_.steps.empty()) result_.steps.resize(last_ + 1);
    return std::move(result_);
  }

 private:
  void append(const WitnessStep& step) {
    const std::size_t t = step.thread.index();
    last_ = result_.steps.size();
    result_.steps.push_back(step);
    if (step.kind == WitnessStep::Kind::kFlush) {
      WEIR_CHECK(!buffers_[t].empty(), "a flush follows its store");
      buffers_[t].pop_front();
      return flush_own(t);
    }
    const Instruction& instruction = own_.original_.edge(step.edge).instruction;
    if (instruction.op == Opcode::kAtomicBegin) in_block_[t] = true;
    if (instruction.op == Opcode::kAtomicEnd) in_block_[t] = false;
    const bool own = own_.promoted_[step.edge.index()];
    if (own) result_.steps.back().address = own_.original_.expression(instruction.a).constant;
    if (!buffered_cell(own_.original_, result_.steps.back(), Model::kTso, in_block_[t])) return;
    buffers_[t].push_back(own ? result_.steps.back() : WitnessStep{});
    flush_own(t);
  }

  // Of stores that are not own, the buffer has steps without an edge: they know themselves when they leave.
  void flush_own(std::size_t t) {
    while (!buffers_[t].empty() && buffers_[t].front().edge) {
      WitnessStep flush = buffers_[t].front();
      flush.kind = WitnessStep::Kind::kFlush;
      buffers_[t].pop_front();
      result_.steps.push_back(flush);
    }
  }

  const OwnCells& own_;
  const Witness& witness_;
  std::vector<std::deque<WitnessStep>> buffers_;  // per thread
  std::vector<bool> in_block_;
  std::size_t last_ = 0;
  Witness result_;
};

Witness OwnCells::original_witness(const Witness& witness) const { return Mapper(*this, witness).run(); }

}  // namespace weir
