#include "engine/robust/lazy.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/fault.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/rewriting/inlining.hpp"
#include "engine/robust/extension.hpp"
#include "engine/robust/sections.hpp"
#include "program/expressions.hpp"
#include "trace/buffering.hpp"
#include "trace/data_race.hpp"

namespace weir {

namespace {

bool uses_lock(const Program& program) {
  return std::ranges::any_of(program.edges,
                             [](const Edge& edge) { return edge.instruction.op == Opcode::kLock; });
}

struct Mentions {
  bool memory = false, registers = false;
};

Mentions mentions(const Program& program, const Invariant& invariant) {
  Mentions result;
  for_each_subexpression(program, invariant.expression, [&](const Expression& e) {
    result.memory |= e.op == ExprOp::kSharedCell;
    result.registers |= e.op == ExprOp::kThreadRegister;
  });
  return result;
}

// Robustness speaks about executions that end with empty buffers. A property of the states on the way carries
// over if it looks only at the threads (let the buffers drain) or only at memory (leave out what is still
// buffered). It does not if it looks at both, or if a thread may be stuck with the lock, so that other buffers
// cannot drain.
//
// A deadlock carries over: where nothing can happen, buffers are empty, and an SC execution with the same trace ends
// in the same state, in which the same threads are stuck. So it is with a thread that is stuck for good while
// others go on: let the buffers drain, which it does not change. This holds with emulated delays, too. Where nothing
// can happen under TSO, every store has reached memory, so each emulation has a way out that was taken before: a
// thread stops delaying before each load and assumption, and waits for nothing else. So the threads are at places
// of the original program, where they can do what they can do there, and the state is a deadlock of the emulating
// program as well.
//
// A data race carries over if the program is robust as it stands: let both accesses happen and the buffers drain.
// Nothing comes after the two, so nothing orders them, nor does it in the SC execution with the same trace; and where
// all atomic accesses synchronise, that is a race in a state under SC. An emulated delay takes the store behind what
// is acquired after it, and so hides races.
//
// Says what is in the way.
std::optional<std::string> beyond_robustness(const Program& program, bool emulated) {
  const Properties& properties = program.properties;
  const bool locks = uses_lock(program);
  if ((properties.deadlock || properties.partial_deadlock || properties.races) && locks)
    return "a thread that holds the lock keeps stores from memory, which deadlocks and races depend on";
  if (properties.races && emulated)
    return "where delays are emulated, data races are not a question of traces";
  if (properties.leaks) return "leaks are not a question of traces";
  for (const Invariant& invariant : properties.invariants) {
    const Mentions seen = mentions(program, invariant);
    if (seen.registers && (seen.memory || locks))
      return fmt::format("the invariant {} compares registers with memory that stores may not have reached",
                         invariant.text);
  }
  if (!locks) return std::nullopt;
  const Sections sections(program);
  const auto inside = [&](const ThreadLocation& place) { return sections.may_be_inside(place.location); };
  bool locked_property = false;
  for (const auto& goal : properties.goals) locked_property |= std::ranges::any_of(goal, inside);
  for (const auto& list : properties.exclusive) locked_property |= std::ranges::any_of(list, inside);
  if (locked_property) return "a property names a place where a thread may hold the lock";
  return std::nullopt;
}

// Does a thread hold the global lock at the end?
bool ends_locked(const Program& program, const Witness& witness) {
  bool locked = false;
  for (const WitnessStep& step : witness.steps) {
    if (step.kind == WitnessStep::Kind::kFlush) continue;
    const Opcode op = program.edge(step.edge).instruction.op;
    if (op == Opcode::kLock) locked = true;
    if (op == Opcode::kUnlock) locked = false;
  }
  return locked;
}

bool ends_with_buffered_stores(const Program& program, const Witness& witness) {
  const Buffering buffering = find_buffering(program, witness);
  for (std::size_t i = 0; i < witness.steps.size(); ++i)
    if (buffering.buffered[i] && buffering.partner[i] == kNoStep) return true;
  return false;
}

// Is what an emulation shows, as an execution of the program itself, certain to be a violation under TSO?
bool certain(const Program& program, const Witness& witness) {
  switch (witness.violation.kind) {
    case ViolationKind::kDeadlock: return !ends_locked(program, witness);
    case ViolationKind::kRace: return !ends_with_buffered_stores(program, witness);
    default: return true;
  }
}

class LazySearch {
 public:
  LazySearch(const Program& program, const LazyOptions& options, Context& context)
      : program_(program),
        options_(options),
        context_(context),
        inlined_(program),
        extended_(inlined_.program()) {
    answer_.engine = "lazy";
  }

  Answer run() {
    for (;;) {
      ++rounds_;
      if (search() || (fault("unasked-oracle") ? conclude() : ask_oracle())) break;
    }
    answer_.statistics.set("states", states_);
    answer_.statistics.set("rounds", rounds_);
    answer_.statistics.set("extensions", extensions_);
    return std::move(answer_);
  }

 private:
  // Looks for a violation under SC. Says whether the question is answered.
  bool search() {
    ExplicitOptions options;
    options.local_steps = options_.local_steps;
    options.values = options_.values;
    Answer found = check_explicit(extended_.program(), options, context_);
    count(found.statistics);
    if (found.verdict == Verdict::kSafe) {
      answer_.left_out = std::move(found.left_out);
      return false;
    }
    answer_.verdict = found.verdict;
    answer_.reason = found.reason;
    answer_.diagnostics = std::move(found.diagnostics);
    if (found.verdict == Verdict::kUnknown) return give_up(found.reason);
    answer_.witness = inlined_.original_witness(extended_.original_witness(*found.witness));
    if (certain(program_, *answer_.witness)) return true;
    extended_.stop_looking_for(answer_.witness->violation.kind);
    answer_.witness.reset();
    answer_.diagnostics.clear();
    return search();
  }

  bool ask_oracle() {
    RobustOptions options;
    options.order = rounds_ % 2 == 1 ? AttackOrder::kEarliest : AttackOrder::kShortest;
    options.all = options.order == AttackOrder::kShortest;
    options.jobs = options_.jobs;
    options.local_steps = options_.local_steps;
    options.values = options_.values;
    const RobustAnswer answer = check_robust(extended_.program(), options, context_);
    count(answer.statistics);
    switch (answer.verdict) {
      case RobustVerdict::kRobust: return conclude();
      case RobustVerdict::kUnknown: return give_up(answer.reason);
      case RobustVerdict::kNotRobust: break;
    }
    if (context_.stopped()) return give_up(describe(context_.stop_reason()));
    if (rounds_ == options_.rounds) return give_up("attacks are left to look at");
    return !extend(answer);
  }

  // The oracle has run dry.
  bool conclude() {
    if (const auto obstacle = beyond_robustness(program_, extensions_ > 0)) return give_up(*obstacle);
    answer_.verdict = Verdict::kSafe;
    answer_.reason =
        extensions_ == 0
            ? fmt::format("no violation under SC, and the program is robust ({} states)", states_)
            : fmt::format(
                  "no violation under SC with {} emulated, and the program with them is "
                  "robust ({} states)",
                  delays(), states_);
    answer_.reason += answer_.left_out;
    return true;
  }

  bool give_up(std::string reason) {
    answer_.verdict = Verdict::kUnknown;
    answer_.reason = context_.stopped() ? fmt::format("{} with {} emulated and attacks left to look at",
                                                      describe(context_.stop_reason()), delays())
                                        : std::move(reason);
    answer_.bound.emplace_back("rounds", std::to_string(rounds_));
    return true;
  }

  std::string delays() const { return fmt::format("{} delay{}", extensions_, extensions_ == 1 ? "" : "s"); }

  // Emulates the attacks found, as far as they do not touch each other's first store. Says whether any could
  // be.
  bool extend(const RobustAnswer& answer) {
    std::vector<EdgeId> replaced;
    for (const AttackResult& result : answer.attacks) {
      if (result.verdict != AttackVerdict::kFeasible) continue;
      const bool interferes = std::ranges::any_of(
          result.path, [&](EdgeId edge) { return std::ranges::find(replaced, edge) != replaced.end(); });
      if (interferes || !extended_.extend(result.path)) continue;
      replaced.push_back(result.path[0]);
      ++extensions_;
    }
    if (!replaced.empty()) return true;
    give_up(
        "a store can be delayed past what lazy reachability cannot emulate: a call of a function that cannot "
        "be inlined, the end of a block, or a value that may be uninitialised");
    return false;
  }

  void count(const Statistics& statistics) {
    if (const Statistics::Figure* figure = statistics.find("states"))
      states_ += std::get<std::uint64_t>(*figure);
  }

  const Program& program_;
  const LazyOptions& options_;
  Context& context_;
  InlinedProgram inlined_;
  ExtendedProgram extended_;
  std::uint64_t rounds_ = 0, extensions_ = 0, states_ = 0;
  Answer answer_;
};

}  // namespace

std::string lazy_obstacle(const Program& program) {
  if (program.properties.races && has_unordered_atomics(program))
    return "lazy does not look for data races beside atomic accesses that order nothing";
  return beyond_robustness(program, false).value_or("");
}

Answer check_lazy(const Program& program, const LazyOptions& options, Context& context) {
  return LazySearch(program, options, context).run();
}

}  // namespace weir
