#include "check/dual/violations.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "check/dual/covering.hpp"
#include "check/reference/evaluator.hpp"
#include "program/expressions.hpp"

namespace weir::certificates {

namespace {

constexpr std::size_t kMostValuations = 1'000'000;  // of what one invariant reads

// What an invariant reads.
struct InvariantReads {
  std::set<Value> cells;
  std::set<ThreadId> threads;
};

InvariantReads reads_of(const Program& program, const Invariant& invariant) {
  InvariantReads reads;
  for_each_subexpression(program, invariant.expression, [&](const Expression& leaf) {
    if (leaf.op == ExprOp::kSharedCell) reads.cells.insert(leaf.constant);
    if (leaf.op == ExprOp::kThreadRegister) reads.threads.insert(leaf.thread);
  });
  return reads;
}

// What can be seen of sections.

std::vector<bool> locations_in_sections(const Program& program) {
  std::vector<bool> inside(program.locations.size());
  std::deque<LocationId> open;
  const auto enter = [&](LocationId location) {
    if (!inside[location.index()]) open.push_back(location);
    inside[location.index()] = true;
  };
  for (const Edge& edge : program.edges)
    if (edge.instruction.op == Opcode::kLock) enter(edge.target);
  for (; !open.empty(); open.pop_front())
    for (const EdgeId id : program.location(open.front()).edges)
      if (program.edge(id).instruction.op != Opcode::kUnlock) enter(program.edge(id).target);
  return inside;
}

bool has_sections(const Program& program, ThreadId thread) {
  return std::ranges::any_of(program.edges, [&](const Edge& edge) {
    return edge.instruction.op == Opcode::kLock &&
           program.location(edge.source).function == program.thread(thread).function;
  });
}

std::string refused_invariant(const Program& program, const Threads& threads, const Invariant& invariant) {
  const InvariantReads reads = reads_of(program, invariant);
  if (!reads.cells.empty() && !reads.threads.empty())
    return "invariants over both memory and registers cannot be checked this way";
  for (const ThreadId thread : reads.threads)
    if (has_sections(program, thread))
      return "invariants over registers that change between lock and unlock cannot be checked this way";
  for (const Value address : reads.cells)
    if (threads.written_in_sections().contains(address))
      return "invariants over memory that is written between lock and unlock cannot be checked this way";
  double valuations = 1;
  for (const Value address : reads.cells) valuations *= static_cast<double>(threads.values(address).size());
  for (const ThreadId thread : reads.threads)
    valuations *= static_cast<double>(threads.states_of(threads.code_of(thread)).size());
  if (valuations > static_cast<double>(kMostValuations))
    return fmt::format("invariant {} has too many cases to be checked this way", invariant.text);
  return "";
}

class Violations {
 public:
  using Visit = std::function<bool(const Configuration&, const std::string&)>;

  Violations(const Program& program, const DualCertificate& certificate, const Threads& threads,
             const Visit& visit)
      : program_(program), certificate_(certificate), threads_(threads), visit_(visit) {}

  void run() {
    for (const Move& move : threads_.moves())
      if (!move.to) add_failure(move);
    for (const auto& goal : program_.properties.goals) add_goal(goal);
    for (const auto& list : program_.properties.exclusive) add_exclusive(list);
    for (const Invariant& invariant : program_.properties.invariants) add_invariant(invariant);
  }

 private:
  void add(const Configuration& configuration, const std::string& what) {
    if (go_on_) go_on_ = visit_(configuration, what);
  }

  // A load that fails because of what it would return sees that in an own message, or without one in the
  // oldest message; what is older can be deleted, but not what is newer.
  void add_failure(const Move& move) {
    const std::string what = "an instruction that fails";
    Configuration configuration{.memory = move.before, .threads = {{.state = move.from, .buffer = {}}}};
    if (move.kind != MoveKind::kLoad) return add(configuration, what);
    const ThreadId code = threads_.code_of(move.from);
    const auto add_with = [&](const Message& oldest) {
      for_each_own_sequence(threads_, code, {oldest}, move.address, [&](const Buffer& buffer) {
        configuration.threads[0].buffer = buffer;
        add(configuration, what);
      });
    };
    add_with({.address = move.address, .value = move.value, .own = false});
    const auto& own = threads_.own_values(code);
    if (const auto found = own.find(move.address); found != own.end() && found->second.contains(move.value))
      add_with(own_message(move.address, move.value));
  }

  std::vector<StateIndex> states_at(const ThreadLocation& place) const {
    std::vector<StateIndex> found;
    for (const StateIndex state : threads_.states_of(threads_.code_of(place.thread)))
      if (certificate_.states[state].location == place.location) found.push_back(state);
    return found;
  }

  // One thread for each list of `choices`, in any of its states.
  void for_each_choice(const std::vector<std::vector<StateIndex>>& choices,
                       const std::function<void(const Configuration&)>& visit, Configuration chosen = {}) {
    const std::size_t next = chosen.threads.size();
    if (next == choices.size()) return visit(chosen);
    for (const StateIndex state : choices[next]) {
      if (!go_on_) return;
      Configuration more = chosen;
      more.threads.push_back({.state = state, .buffer = {}});
      for_each_choice(choices, visit, std::move(more));
    }
  }

  void add_goal(const std::vector<ThreadLocation>& goal) {
    std::map<ThreadId, std::vector<StateIndex>> by_thread;
    for (const ThreadLocation& place : goal) {
      std::vector<StateIndex>& states = by_thread[place.thread];
      for (const StateIndex state : states_at(place)) states.push_back(state);
    }
    std::vector<std::vector<StateIndex>> choices;
    for (auto& [thread, states] : by_thread) choices.push_back(std::move(states));
    for_each_choice(choices, [&](const Configuration& reached) { add(reached, "a goal"); });
  }

  // With any number, two copies of one thread exclude each other as well.
  void add_exclusive(const std::vector<ThreadLocation>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i; j < list.size(); ++j)
        if (certificate_.any_number || list[i].thread != list[j].thread)
          for_each_choice({states_at(list[i]), states_at(list[j])},
                          [&](const Configuration& both) { add(both, "broken mutual exclusion"); });
  }

  void add_invariant(const Invariant& invariant) {
    const InvariantReads reads = reads_of(program_, invariant);
    if (!reads.threads.empty())
      add_register_invariant(invariant, {reads.threads.begin(), reads.threads.end()});
    else
      add_memory_invariant(invariant, {reads.cells.begin(), reads.cells.end()}, {});
  }

  bool holds(const Invariant& invariant, const LeafReader& read_leaf) const {
    return evaluate(program_, invariant.expression, read_leaf).value_or(0) != 0;
  }

  std::string broken(const Invariant& invariant) const {
    return fmt::format("invariant {} broken", invariant.text);
  }

  void add_register_invariant(const Invariant& invariant, const std::vector<ThreadId>& threads) {
    std::vector<std::vector<StateIndex>> choices;
    for (const ThreadId thread : threads) choices.push_back(threads_.states_of(threads_.code_of(thread)));
    for_each_choice(choices, [&](const Configuration& chosen) {
      const auto read_leaf = [&](const Expression& leaf) {
        const auto index =
            static_cast<std::size_t>(std::ranges::find(threads, leaf.thread) - threads.begin());
        return certificate_.states[chosen.threads[index].state].registers.at(leaf.reg.index());
      };
      if (!holds(invariant, read_leaf)) add(chosen, broken(invariant));
    });
  }

  void add_memory_invariant(const Invariant& invariant, const std::vector<Value>& cells, Cells known) {
    if (known.size() < cells.size()) {
      const Value next = cells[known.size()];
      for (const Value value : threads_.values(next)) {
        known[next] = value;
        if (go_on_) add_memory_invariant(invariant, cells, known);
      }
      return;
    }
    const auto read_leaf = [&](const Expression& leaf) {
      const Value held = known.at(leaf.constant);
      return held == kUninitialised ? 0 : held;
    };
    if (!holds(invariant, read_leaf)) add({.memory = known, .threads = {}}, broken(invariant));
  }

  const Program& program_;
  const DualCertificate& certificate_;
  const Threads& threads_;
  const Visit& visit_;
  bool go_on_ = true;
};

}  // namespace

std::string refused_property(const Program& program, const Threads& threads) {
  const Properties& properties = program.properties;
  if (properties.deadlock) return "the absence of deadlocks cannot be checked this way";
  if (properties.races) return "the absence of data races cannot be checked this way";
  if (properties.leaks) return "the absence of leaks cannot be checked this way";
  const std::vector<bool> inside = locations_in_sections(program);
  const auto sees_inside = [&](const std::vector<ThreadLocation>& list) {
    return std::ranges::any_of(list,
                               [&](const ThreadLocation& place) { return inside[place.location.index()]; });
  };
  if (std::ranges::any_of(properties.goals, sees_inside) ||
      std::ranges::any_of(properties.exclusive, sees_inside))
    return "properties about places between lock and unlock cannot be checked this way";
  for (const Invariant& invariant : properties.invariants)
    if (std::string reason = refused_invariant(program, threads, invariant); !reason.empty()) return reason;
  return "";
}

void for_each_violation(const Program& program, const DualCertificate& certificate, const Threads& threads,
                        const std::function<bool(const Configuration&, const std::string&)>& visit) {
  Violations(program, certificate, threads, visit).run();
}

}  // namespace weir::certificates
