// Depth first over all interleavings. The path to a state is remembered as its prefix class: visible steps,
// sources, coherence so far and what is buffered. Two paths to the same state with the same prefix class have
// the same continuations, which lead to the same classes, so only one of them is followed. A thread whose
// next instruction only concerns its own registers moves alone: nobody can see when it does.
#include "selfcheck/brute_force/maximal_executions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>
#include <utility>

#include "check/reference/access.hpp"

namespace weir::selfcheck {

namespace {

struct Node {
  History history;
  ReferenceState state;

  friend auto operator<=>(const Node&, const Node&) = default;
};

// What a step adds to the history.

std::optional<StepName> newest(const WritesPerCell& writes, Value address) {
  const auto found = writes.find(address);
  return found == writes.end() ? std::nullopt : std::optional(found->second.back());
}

class Recorder {
 public:
  Recorder(const Program& program, History& history) : program_(program), history_(history) {}

  // The thread could have taken another edge as well.
  void record_branch(ThreadId thread, EdgeId edge) {
    history_.threads[thread.index()].push_back(
        {.kind = VisibleStep::Kind::kBranch, .read = static_cast<Value>(edge.index())});
  }

  // `buffered`: it is a store, and it went into the buffer of its thread.
  void record_instruction(const WitnessStep& step, bool buffered) {
    const Opcode op = program_.edge(step.edge).instruction.op;
    if (op == Opcode::kChoose) {
      add(step, {.kind = VisibleStep::Kind::kChoice, .read = step.value});
      return;
    }
    const bool accesses = op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw;
    if (!accesses || region_of(program_, step.address) != Region::kShared) return;
    if (op == Opcode::kLoad)
      record_read(step);
    else if (op == Opcode::kStore)
      record_write(step, buffered);
    else
      record_update(step);
  }

  // `step` is a flush. Releasing a block is no visible step, although it goes through the buffer.
  void record_flush(const WitnessStep& step) {
    WritesPerCell& buffered = history_.buffered[step.thread.index()];
    const auto waiting = buffered.find(step.address);
    if (waiting == buffered.end()) return;
    history_.coherence[step.address].push_back(waiting->second.front());
    waiting->second.erase(waiting->second.begin());
    if (waiting->second.empty()) buffered.erase(waiting);
  }

 private:
  StepName add(const WitnessStep& step, const VisibleStep& visible) {
    std::vector<VisibleStep>& steps = history_.threads[step.thread.index()];
    steps.push_back(visible);
    return {step.thread.index(), steps.size() - 1};
  }

  // The write whose value the thread sees.
  std::optional<StepName> source_of(const WitnessStep& step) const {
    const std::optional<StepName> own = newest(history_.buffered[step.thread.index()], step.address);
    return own ? own : newest(history_.coherence, step.address);
  }

  void record_read(const WitnessStep& step) {
    add(step, {.kind = VisibleStep::Kind::kRead,
               .address = step.address,
               .read = step.value,
               .source = source_of(step)});
  }

  void record_write(const WitnessStep& step, bool buffered) {
    const StepName name =
        add(step, {.kind = VisibleStep::Kind::kWrite, .address = step.address, .written = step.value});
    WritesPerCell& place = buffered ? history_.buffered[step.thread.index()] : history_.coherence;
    place[step.address].push_back(name);
  }

  void record_update(const WitnessStep& step) {
    if (!step.stored) return record_read(step);
    const StepName name = add(step, {.kind = VisibleStep::Kind::kUpdate,
                                     .address = step.address,
                                     .read = step.value,
                                     .written = step.written,
                                     .source = source_of(step)});
    history_.coherence[step.address].push_back(name);
  }

  const Program& program_;
  History& history_;
};

// Enumeration.

bool only_concerns_registers(Opcode op) {
  switch (op) {
    case Opcode::kNop:
    case Opcode::kAssign:
    case Opcode::kAssume:
    case Opcode::kAssert:
    case Opcode::kChoose:
    case Opcode::kCall:
    case Opcode::kReturn:
    case Opcode::kStop: return true;
    default: return false;
  }
}

class ExecutionSearch {
 public:
  ExecutionSearch(const Program& program, Model model, const ExecutionLimits& limits)
      : machine_(program, model), program_(program), limits_(limits) {}

  MaximalExecutions run() {
    const std::size_t threads = program_.threads.size();
    Node first{.history = {}, .state = machine_.initial()};
    first.history.threads.resize(threads);
    first.history.ends.resize(threads);
    first.history.buffered.resize(threads);
    visit(first, 0);
    found_.states = known_.size();
    return std::move(found_);
  }

 private:
  void visit(const Node& node, std::size_t steps) {
    if (found_.too_large) return;
    const auto [place, is_new] = known_.emplace(node, /*on the path*/ true);
    if (place->second && !is_new) found_.too_large = true;  // a thread goes round in circles
    if (known_.size() > limits_.states || steps > limits_.steps) found_.too_large = true;
    if (found_.too_large || !is_new) return;
    if (!follow(node, steps)) end(node);
    place->second = false;
  }

  // False if nothing can happen.
  bool follow(const Node& node, std::size_t steps) {
    for (std::size_t i = 0; i < program_.threads.size(); ++i)
      if (moves_alone(node, ThreadId(i)) && execute_any(node, ThreadId(i), steps)) return true;
    bool moved = false;
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      moved |= execute_any(node, ThreadId(i), steps);
      moved |= flush_any(node, ThreadId(i), steps);
    }
    return moved;
  }

  void end(const Node& node) {
    bool ended = std::ranges::all_of(node.state.buffers, &StoreBuffer::empty);
    for (std::size_t i = 0; i < program_.threads.size(); ++i)
      ended &= node.history.ends[i] != ThreadEnd::kNone || machine_.stopped(node.state, ThreadId(i));
    ended &= std::ranges::count(node.history.ends, ThreadEnd::kUnassumed) == 0;
    const bool fails =
        node.history.late_flush || std::ranges::count(node.history.ends, ThreadEnd::kFails) > 0;
    found_.all.push_back({.history = node.history, .last = node.state, .blocked = !ended, .fails = fails});
  }

  std::vector<EdgeId> edges_ahead(const Node& node, ThreadId thread) const {
    const LocationId location = current_location(node.state, thread);
    if (node.history.ends[thread.index()] != ThreadEnd::kNone || !location) return {};
    return program_.location(location).edges;
  }

  bool moves_alone(const Node& node, ThreadId thread) const {
    return std::ranges::all_of(edges_ahead(node, thread), [&](EdgeId edge) {
      return only_concerns_registers(program_.edge(edge).instruction.op);
    });
  }

  // False if the thread can execute nothing.
  bool execute_any(const Node& node, ThreadId thread, std::size_t steps) {
    return execute_edges(node, thread, /*before_block=*/nullptr, steps);
  }

  // `before_block`: where the open block began; null if none is open.
  bool execute_edges(const Node& node, ThreadId thread, const Node* before_block, std::size_t steps) {
    Node chosen = node;
    const std::vector<EdgeId> edges = executable(node, thread, before_block != nullptr);
    const bool branches = has_choice(node, thread, edges);
    bool moved = false;
    for (const EdgeId edge : edges) {
      chosen.history = node.history;
      if (branches) Recorder(program_, chosen.history).record_branch(thread, edge);
      moved |= execute_edge(chosen, thread, edge, before_block, steps);
    }
    return moved;
  }

  // A block is taken for executable here even if it cannot get to its end.
  std::vector<EdgeId> executable(const Node& node, ThreadId thread, bool in_block) const {
    std::vector<EdgeId> edges = edges_ahead(node, thread);
    std::erase_if(edges, [&](EdgeId edge) {
      ReferenceState tried = node.state;
      const Value chosen = program_.edge(edge).instruction.low;
      return machine_.execute(tried, thread, edge, chosen, in_block).obstacle != nullptr;
    });
    return edges;
  }

  // Is there more than one way to go on, now or as soon as a buffer or the lock is free? When that is is no
  // step of an execution, so it must not matter for what is recorded.
  bool has_choice(const Node& node, ThreadId thread, const std::vector<EdgeId>& possible) const {
    return std::ranges::count_if(edges_ahead(node, thread), [&](EdgeId edge) {
             return !only_concerns_registers(program_.edge(edge).instruction.op) ||
                    std::ranges::find(possible, edge) != possible.end();
           }) > 1;
  }

  bool execute_edge(const Node& node, ThreadId thread, EdgeId edge, const Node* before_block,
                    std::size_t steps) {
    const Instruction& instruction = program_.edge(edge).instruction;
    if (instruction.op != Opcode::kChoose) return execute_one(node, thread, edge, 0, before_block, steps);
    bool moved = false;
    for (Value chosen = instruction.low;; ++chosen) {
      moved |= execute_one(node, thread, edge, chosen, before_block, steps);
      if (chosen == instruction.high) return moved;
    }
  }

  bool execute_one(const Node& node, ThreadId thread, EdgeId edge, Value chosen, const Node* before_block,
                   std::size_t steps) {
    Node after = node;
    const Execution execution =
        machine_.execute(after.state, thread, edge, chosen, /*in_block=*/before_block != nullptr);
    if (execution.unsupported) found_.too_large = true;
    if (execution.obstacle != nullptr || execution.unsupported) return false;
    const Instruction& instruction = program_.edge(edge).instruction;
    const Opcode op = instruction.op;
    if (execution.failure || op == Opcode::kHalt) {
      const ThreadEnd halt = instruction.waits ? ThreadEnd::kUnassumed : ThreadEnd::kHalts;
      const ThreadEnd end = execution.failure ? ThreadEnd::kFails : halt;
      visit(after_end(node, thread, end, before_block), steps + 1);
      return true;
    }
    if (after.state.halted) found_.too_large = true;  // the thread ran out of blocks
    const std::size_t i = thread.index();
    const bool buffered = count_stores(after.state.buffers[i]) > count_stores(node.state.buffers[i]);
    Recorder(program_, after.history).record_instruction(execution.step, buffered);
    if (op == Opcode::kAtomicBegin) before_block = &node;
    const bool inside = before_block != nullptr && op != Opcode::kAtomicEnd;
    if (inside) return finish_block(after, thread, *before_block, steps + 1);
    visit(after, steps + 1);
    return true;
  }

  // All ways from inside a block to its end or to a failure. False if there is none: then the block, as far
  // as it was executed here, has not happened.
  bool finish_block(const Node& node, ThreadId thread, const Node& before_block, std::size_t steps) {
    if (steps > limits_.steps) found_.too_large = true;
    if (found_.too_large) return false;
    return execute_edges(node, thread, &before_block, steps);
  }

  // The thread does nothing any more, and of an open block nothing but its reads has happened.
  static Node after_end(const Node& node, ThreadId thread, ThreadEnd end, const Node* before_block) {
    Node after = before_block != nullptr ? *before_block : node;
    after.history.ends[thread.index()] = end;
    std::vector<VisibleStep>& steps = after.history.threads[thread.index()];
    const StepName block{thread.index(), steps.size()};
    for (VisibleStep step : node.history.threads[thread.index()] | std::views::drop(block.index)) {
      const bool of_the_block =
          step.source && step.source->thread == block.thread && step.source->index >= block.index;
      if (step.kind == VisibleStep::Kind::kWrite || of_the_block) continue;
      if (step.kind == VisibleStep::Kind::kUpdate) step.kind = VisibleStep::Kind::kRead;
      steps.push_back(step);
    }
    return after;
  }

  bool flush_any(const Node& node, ThreadId thread, std::size_t steps) {
    const std::vector<std::size_t> entries = machine_.flushable(node.state, thread);
    for (const std::size_t entry : entries) {
      Node after = node;
      after.history.late_flush |= machine_.late_flush(node.state, thread, entry).has_value();
      Recorder(program_, after.history).record_flush(machine_.flush(after.state, thread, entry));
      visit(after, steps + 1);
    }
    return !entries.empty();
  }

  const ReferenceMachine machine_;
  const Program& program_;
  const ExecutionLimits limits_;
  std::map<Node, bool> known_;  // is it on the path to the node being visited?
  MaximalExecutions found_;
};

// Text.

std::string step_text(const VisibleStep& step, bool sources) {
  const std::string source = sources ? "<" + name_text(step.source) : "";
  switch (step.kind) {
    case VisibleStep::Kind::kRead: return fmt::format("R[{}]={}{}", step.address, step.read, source);
    case VisibleStep::Kind::kWrite: return fmt::format("W[{}]:={}", step.address, step.written);
    case VisibleStep::Kind::kUpdate:
      return fmt::format("U[{}]={}{}:={}", step.address, step.read, source, step.written);
    case VisibleStep::Kind::kChoice: return fmt::format("choose={}", step.read);
    case VisibleStep::Kind::kBranch: return fmt::format("edge={}", step.read);
  }
  return {};
}

const char* end_text(ThreadEnd end) {
  switch (end) {
    case ThreadEnd::kNone: return "\n";
    case ThreadEnd::kFails: return " fails\n";
    case ThreadEnd::kHalts: return " halts\n";
    case ThreadEnd::kUnassumed: return " halts unassumed\n";
  }
  return "";
}

}  // namespace

MaximalExecutions maximal_executions(const Program& program, Model model, const ExecutionLimits& limits) {
  return ExecutionSearch(program, model, limits).run();
}

std::string name_text(const std::optional<StepName>& name) {
  return name ? fmt::format("{}.{}", name->thread, name->index) : "init";
}

std::string threads_text(const History& history, bool sources) {
  std::string text;
  for (std::size_t thread = 0; thread < history.threads.size(); ++thread) {
    text += fmt::format("{}:", thread);
    for (const VisibleStep& step : history.threads[thread]) text += " " + step_text(step, sources);
    text += end_text(history.ends[thread]);
  }
  return text;
}

}  // namespace weir::selfcheck
