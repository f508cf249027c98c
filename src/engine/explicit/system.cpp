#include "engine/explicit/system.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "program/expressions.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

// What the properties want to see of one thread.
struct Role {
  std::vector<LocationId> goals;                   // of all goals, each once, in ascending order
  std::vector<std::vector<LocationId>> exclusive;  // per list
  std::vector<RegisterId> registers;

  friend bool operator==(const Role&, const Role&) = default;
};

void collect_registers(const Program& program, ExprId expression, ThreadId thread,
                       std::vector<RegisterId>& out) {
  for_each_subexpression(program, expression, [&](const Expression& e) {
    if (e.op == ExprOp::kThreadRegister && e.thread == thread) out.push_back(e.reg);
  });
}

Role role_of(const Program& program, ThreadId thread) {
  const Properties& properties = program.properties;
  Role role;
  std::set<LocationId> at_goals;
  for (const auto& goal : properties.goals)
    for (const ThreadLocation& at : goal)
      if (at.thread == thread) at_goals.insert(at.location);
  role.goals.assign(at_goals.begin(), at_goals.end());
  for (const auto& list : properties.exclusive) {
    role.exclusive.emplace_back();
    for (const ThreadLocation& at : list)
      if (at.thread == thread) role.exclusive.back().push_back(at.location);
  }
  for (const Invariant& invariant : properties.invariants)
    collect_registers(program, invariant.expression, thread, role.registers);
  return role;
}

// Do the goals say the same about the two threads: are they the same goals when the two change places? If so
// for (a, b) and for (b, c), then also for (a, c), since these exchanges are made of each other.
bool alike_in_goals(const Program& program, ThreadId a, ThreadId b) {
  std::set<std::set<std::pair<ThreadId, LocationId>>> goals, exchanged;
  for (const auto& goal : program.properties.goals) {
    std::set<std::pair<ThreadId, LocationId>> here, there;
    for (const ThreadLocation& at : goal) {
      here.emplace(at.thread, at.location);
      there.emplace(at.thread == a ? b : at.thread == b ? a : at.thread, at.location);
    }
    goals.insert(std::move(here));
    exchanged.insert(std::move(there));
  }
  return goals == exchanged;
}

AutomatonOptions unfolding(const Role& role, const SystemOptions& options) {
  AutomatonOptions result;
  result.every_instruction = options.every_instruction;
  result.forget_dead_registers = options.live_variables;
  result.several_cells =
      options.overlaps == Overlaps::kSplit && !options.abstraction && options.values.ranges.empty();
  result.silent_fences = !buffers_stores(options.model);
  result.local_steps = options.local_steps;
  result.observed_registers = role.registers;
  result.observed_locations = role.goals;
  for (const auto& list : role.exclusive)
    result.observed_locations.insert(result.observed_locations.end(), list.begin(), list.end());
  return result;
}

// What is observed in one thread is observed in all that run its function.
template <class Id>
void share_observed(const Program& program, std::vector<Id> AutomatonOptions::*member,
                    std::vector<AutomatonOptions>& options) {
  std::vector<std::set<Id>> observed(program.functions.size());
  for (std::size_t t = 0; t < options.size(); ++t) {
    const std::vector<Id>& own = options[t].*member;
    observed[program.threads[t].function.index()].insert(own.begin(), own.end());
  }
  for (std::size_t t = 0; t < options.size(); ++t) {
    const std::set<Id>& all = observed[program.threads[t].function.index()];
    (options[t].*member).assign(all.begin(), all.end());
  }
}

}  // namespace

std::vector<AutomatonOptions> automaton_options(const Program& program, const SystemOptions& options) {
  std::vector<AutomatonOptions> result;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    result.push_back(unfolding(role_of(program, ThreadId(t)), options));
  if (options.observe_alike) {
    share_observed(program, &AutomatonOptions::observed_locations, result);
    share_observed(program, &AutomatonOptions::observed_registers, result);
  }
  return result;
}

System::System(const Program& program, const SystemOptions& options)
    : program_(program),
      options_(options),
      code_(program),
      memory_(program, options.values, options.abstraction ? Overlaps::kNoticed : options.overlaps),
      buffers_(buffer_rules(options.model, options.abstraction, shares_bytes()), shares_bytes()) {
  uses_lock_ =
      std::ranges::any_of(program.edges, [](const Edge& e) { return e.instruction.op == Opcode::kLock; });
  std::vector<AutomatonOptions> unfoldings = automaton_options(program, options);
  std::vector<std::tuple<FunctionId, std::vector<Value>, Role, AutomatonOptions>> kinds;
  std::vector<ThreadId> first_of_kind;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    Role role = role_of(program, ThreadId(t));
    // Registers of a single thread in an invariant make that thread unlike the others.
    const bool alone = !role.registers.empty();
    AutomatonOptions& automaton = unfoldings[t];
    identify(automaton, code_, ThreadId(t));
    const auto kind = std::tuple{thread.function, thread.arguments, role, automaton};
    std::size_t known = alone ? kinds.size() : 0;
    while (known < kinds.size() &&
           (kinds[known] != kind || !alike_in_goals(program, first_of_kind[known], ThreadId(t))))
      ++known;
    view_of_.push_back(static_cast<std::uint32_t>(known));
    if (known < kinds.size()) continue;
    SharedView shared;
    shared.automaton = std::make_unique<ThreadAutomaton>(code_, thread.function, thread.arguments, automaton);
    shared.view =
        std::make_unique<ThreadView>(*shared.automaton, memory_, buffers_, options.model, options.buffer);
    shared.blocks = std::make_unique<AtomicBlocks>(*shared.automaton, memory_, options.local_steps);
    views_.push_back(std::move(shared));
    kinds.push_back(kind);
    first_of_kind.emplace_back(t);
  }
  for (const std::uint32_t number : view_of_) thread_views_.push_back(views_[number].view.get());
}

ShareBytes System::shares_bytes() const {
  return [this](CellId a, CellId b) { return memory_.overlap(a, b); };
}

GlobalState System::initial() {
  GlobalState state;
  for (std::size_t t = 0; t < thread_count(); ++t) state.components.push_back(view(t).initial());
  state.memory = memory_.initial();
  return state;
}

}  // namespace weir
