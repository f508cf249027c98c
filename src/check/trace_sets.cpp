// Depth first over all computations, instruction by instruction also inside atomic blocks (the machine's own
// steps keep only one of several ways through a block that end in the same state). Two computations that
// reach the same state with the same trace have the same future, so only one of them is followed.
//
// A thread that can only take local steps is moved alone: they commute with everything and are no part of
// the trace. Only steps to a later location, so that a local loop does not keep the others waiting for ever.
#include "check/trace_sets.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "check/happens_before.hpp"
#include "check/reference/state.hpp"

namespace weir {

namespace {

// Text.

// The events by name: thread and place in the thread, which no interleaving changes.
std::vector<std::string> names_of(const std::vector<TraceEvent>& events) {
  std::map<ThreadId, std::size_t> counts;
  std::vector<std::string> names;
  for (const TraceEvent& event : events)
    names.push_back(fmt::format("{}.{}", event.thread.index(), counts[event.thread]++));
  return names;
}

std::string access_text(const TraceEvent& event, const std::vector<std::string>& names) {
  std::string text = fmt::format("e{}@{}", event.edge.index(), event.address);
  if (event.reads) text += fmt::format("={}<{}", event.read, event.source ? names[*event.source] : "init");
  if (event.writes) text += fmt::format(":={}", event.written);
  return text;
}

// `&` joins an access to the one before it in the same unit.
std::string threads_text(const std::vector<TraceEvent>& events, const std::vector<std::string>& names) {
  std::map<ThreadId, std::string> threads;
  std::map<ThreadId, std::size_t> latest_unit;
  for (const TraceEvent& event : events) {
    const auto [unit, first] = latest_unit.try_emplace(event.thread, event.unit);
    const bool joined = !first && unit->second == event.unit;
    threads[event.thread] += (joined ? " & " : " ") + access_text(event, names);
    unit->second = event.unit;
  }
  std::string text;
  for (const auto& [thread, accesses] : threads) text += fmt::format("{}:{}\n", thread.index(), accesses);
  return text;
}

std::string text_of(const std::vector<TraceEvent>& events, std::size_t step_count) {
  const std::vector<std::string> names = names_of(events);
  std::string text = threads_text(events, names);
  for (const std::vector<std::size_t>& order : coherence_orders(events)) {
    text += fmt::format("@{}:", events[order.front()].address);
    for (const std::size_t event : order)
      if (events[event].visible < step_count) text += " " + names[event];
    text += "\n";
  }
  return text;
}

// Enumeration.

// Are there two accesses that share some of their bytes, and not all? Events are related by their addresses alone.
bool mix_sizes(const Program& program, const std::vector<TraceEvent>& events) {
  std::set<std::pair<Value, Value>> ranges;  // begin, and how many
  for (const TraceEvent& event : events)
    ranges.emplace(event.address,
                   units_of(program, event.address, program.edge(event.edge).instruction.type));
  const auto overlap = [](const auto& a, const auto& b) { return b.first - a.first < a.second; };
  return std::ranges::adjacent_find(ranges, overlap) != ranges.end();
}

bool is_local(Opcode op) {
  return op == Opcode::kNop || op == Opcode::kAssign || op == Opcode::kAssume || op == Opcode::kAssert ||
         op == Opcode::kChoose;
}

class TraceSearch {
 public:
  using OnTrace = std::function<bool(const std::string&, const Witness&)>;

  TraceSearch(const Program& program, Model model, const TraceLimits& limits, const OnTrace& on_trace)
      : machine_(program, model), program_(program), limits_(limits), on_trace_(on_trace) {
    path_.model = model;
    path_.violation.kind = ViolationKind::kRobustness;
  }

  bool run() {
    visit({machine_.initial(), std::nullopt});
    return complete_;
  }

 private:
  struct Node {
    ReferenceState state;
    std::optional<ThreadId> block;  // who is inside an atomic block

    friend auto operator<=>(const Node&, const Node&) = default;
  };
  // The last one: the accesses of the thread inside the open section or block have begun.
  using Key = std::tuple<std::string, Node, bool>;

  void visit(const Node& node) {
    const std::vector<TraceEvent> events = trace_events(program_, path_);
    const std::string text = text_of(events, path_.steps.size());
    if (mix_sizes(program_, events)) complete_ = false;
    if (!known_.emplace(text, node, unit_has_begun(node, events)).second) return;
    const bool ends_here = !node.block && std::ranges::all_of(node.state.buffers, &StoreBuffer::empty);
    if (ends_here && traces_.insert(text).second && !on_trace_(text, path_)) stopped_ = true;
    if (known_.size() >= limits_.computations || path_.steps.size() >= limits_.steps)
      complete_ = false;
    else
      follow(node);
  }

  bool unit_has_begun(const Node& node, const std::vector<TraceEvent>& events) const {
    const std::optional<ThreadId> inside = node.block ? node.block : node.state.lock;
    if (!inside) return false;
    const auto last = std::ranges::find(events.rbegin(), events.rend(), *inside, &TraceEvent::thread);
    if (last == events.rend()) return false;
    const Opcode opener = node.state.lock == inside ? Opcode::kLock : Opcode::kAtomicBegin;
    for (std::size_t i = last->step; i < path_.steps.size(); ++i)
      if (path_.steps[i].thread == *inside && executes(path_.steps[i], opener)) return false;
    return true;
  }

  bool executes(const WitnessStep& step, Opcode op) const {
    return step.kind == WitnessStep::Kind::kInstruction && program_.edge(step.edge).instruction.op == op;
  }

  void follow(const Node& node) {
    if (node.state.halted) return;
    if (node.block) return void(execute_all(node, *node.block));
    for (std::size_t i = 0; i < program_.threads.size(); ++i)
      if (only_moves_locally(node, ThreadId(i)) && execute_all(node, ThreadId(i))) return;
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      if (!only_moves_locally(node, ThreadId(i))) execute_all(node, ThreadId(i));
      flush_all(node, ThreadId(i));
    }
  }

  const std::vector<EdgeId>& edges_ahead(const Node& node, ThreadId thread) const {
    static const std::vector<EdgeId> kNone;
    const LocationId location = current_location(node.state, thread);
    return location ? program_.location(location).edges : kNone;
  }

  bool only_moves_locally(const Node& node, ThreadId thread) const {
    const std::vector<EdgeId>& edges = edges_ahead(node, thread);
    return !edges.empty() && std::ranges::all_of(edges, [&](EdgeId id) {
      const Edge& edge = program_.edge(id);
      return is_local(edge.instruction.op) && edge.source < edge.target;
    });
  }

  // False if nothing can be executed. What fails ends the computation and yields nothing.
  bool execute_all(const Node& node, ThreadId thread) {
    bool moved = false;
    for (const EdgeId edge : edges_ahead(node, thread)) {
      const Instruction& instruction = program_.edge(edge).instruction;
      const bool is_choice = instruction.op == Opcode::kChoose;
      const Value last = is_choice ? instruction.high : 0;
      for (Value chosen = is_choice ? instruction.low : 0; chosen <= last; ++chosen) {
        moved |= execute_one(node, thread, edge, chosen);
        if (chosen == last) break;  // so that the largest value does not overflow
      }
    }
    return moved;
  }

  bool execute_one(const Node& node, ThreadId thread, EdgeId edge, Value chosen) {
    Node after = node;
    const Execution execution =
        machine_.execute(after.state, thread, edge, chosen, /*in_block=*/node.block.has_value());
    if (execution.unsupported) complete_ = false;
    if (!execution.succeeded()) return false;
    const Opcode op = program_.edge(edge).instruction.op;
    if (op == Opcode::kAtomicBegin) after.block = thread;
    if (op == Opcode::kAtomicEnd || after.state.halted) after.block.reset();
    descend(after, execution.step);
    return true;
  }

  void flush_all(const Node& node, ThreadId thread) {
    for (const std::size_t entry : machine_.flushable(node.state, thread)) {
      if (machine_.late_flush(node.state, thread, entry)) continue;
      Node after = node;
      const WitnessStep step = machine_.flush(after.state, thread, entry);
      descend(after, step);
    }
  }

  void descend(const Node& node, const WitnessStep& step) {
    if (stopped_) return;
    path_.steps.push_back(step);
    visit(node);
    path_.steps.pop_back();
  }

  const ReferenceMachine machine_;
  const Program& program_;
  const TraceLimits limits_;
  const OnTrace& on_trace_;
  Witness path_;  // to the node being visited
  std::set<Key> known_;
  std::set<std::string> traces_;
  bool complete_ = true;
  bool stopped_ = false;
};

}  // namespace

std::string trace_text(const Program& program, const Witness& witness) {
  return text_of(trace_events(program, witness), witness.steps.size());
}

bool for_each_trace(const Program& program, Model model, const TraceLimits& limits,
                    const std::function<bool(const std::string&, const Witness&)>& on_trace) {
  return TraceSearch(program, model, limits, on_trace).run();
}

TraceSet all_traces(const Program& program, Model model, const TraceLimits& limits) {
  TraceSet result;
  result.complete = for_each_trace(program, model, limits, [&](const std::string& text, const Witness&) {
    result.traces.insert(text);
    return true;
  });
  return result;
}

BruteForceVerdict compare_traces(const Program& program, const TraceLimits& limits) {
  return compare_traces(all_traces(program, Model::kSc, limits), program, limits);
}

BruteForceVerdict compare_traces(const TraceSet& sequential, const Program& program,
                                 const TraceLimits& limits) {
  if (!sequential.complete) return BruteForceVerdict::kTooLarge;
  bool all_sequential = true;
  const auto is_sequential = [&](const std::string& text, const Witness&) {
    all_sequential = sequential.traces.contains(text);
    return all_sequential;
  };
  const bool complete = for_each_trace(program, Model::kTso, limits, is_sequential);
  if (!all_sequential) return BruteForceVerdict::kNotRobust;
  return complete ? BruteForceVerdict::kRobust : BruteForceVerdict::kTooLarge;
}

}  // namespace weir
