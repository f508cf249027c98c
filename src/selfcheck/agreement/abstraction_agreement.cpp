#include "selfcheck/agreement/abstraction_agreement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <random>
#include <set>

#include "base/sequence_interner.hpp"
#include "check/explore.hpp"
#include "check/replay.hpp"
#include "engine/abstraction/abstraction.hpp"
#include "engine/coverability/backward_search.hpp"
#include "engine/coverability/multiset/system.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/explicit/system.hpp"
#include "program/address.hpp"
#include "selfcheck/agreement/agreement.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::size_t kMostAbstractStates = 20'000;
constexpr std::chrono::seconds kPatience{3};  // with an engine that may go on for ever
constexpr std::uint32_t kMostBuffered = 4;    // where buffers may grow without end

// Where the threads are, with the registers of their outermost activations, and what memory holds.
struct ControlState {
  std::vector<std::uint32_t> locations;
  std::vector<std::vector<Value>> registers;
  std::map<Value, Value> memory;  // what is not 0
  friend auto operator<=>(const ControlState&, const ControlState&) = default;
};
using ControlStates = std::set<ControlState>;

ControlState control_state(System& system, const GlobalState& state) {
  const Program& program = system.program();
  ControlState result;
  for (std::size_t t = 0; t < state.components.size(); ++t) {
    const ThreadView& view = system.view(t);
    const StateId local = view.local(state.components[t]);
    result.locations.push_back(view.automaton().location(local).index());
    auto& registers = result.registers.emplace_back();
    const Function& function = program.function(program.threads[t].function);
    for (std::size_t r = 0; r < function.registers.size(); ++r)
      registers.push_back(view.automaton().register_value(local, RegisterId(r)));
  }
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      if (const Value held = system.memory().read_address(state.memory, address); held != 0)
        result.memory[address] = held;
    }
  return result;
}

ControlState control_state(const Program& program, const ReferenceState& state) {
  ControlState result;
  for (const ThreadState& thread : state.threads) {
    const LocationId at = thread.stack.size() == 1 ? thread.stack[0].location : LocationId::none();
    result.locations.push_back(at.index());
    result.registers.push_back(thread.stack[0].registers);
  }
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      if (const Value held = read_memory(program, state.memory, address); held != 0)
        result.memory[address] = held;
    }
  return result;
}

// Everything reachable instruction by instruction, without any reduction. Nothing if that is too much.
std::optional<ControlStates> reachable(const Program& program, const BufferAbstraction& abstraction) {
  System system(
      program,
      {.model = Model::kTso, .every_instruction = true, .live_variables = false, .abstraction = abstraction});
  SequenceInterner<std::uint32_t> keys;
  std::vector<GlobalState> states;
  ControlStates found;
  const auto reach = [&](GlobalState state) {
    std::vector<std::uint32_t> key{state.memory.index()};
    for (const ComponentId component : state.components) key.push_back(component.index());
    if (keys.intern(key) != states.size()) return;
    found.insert(control_state(system, state));
    states.push_back(std::move(state));
  };
  reach(system.initial());
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states.size() > kMostAbstractStates) return std::nullopt;
    const GlobalState from = states[i];
    for (std::size_t t = 0; t < from.components.size(); ++t) {
      const auto offered = system.view(t).steps(from.components[t]);
      for (const Step& step : std::vector<Step>(offered.begin(), offered.end()))
        system.execute(t, from.components[t], from.memory, step, [&](const Move& move) {
          if (move.fails) return;
          GlobalState next = from;
          next.components[t] = move.component;
          next.memory = move.memory;
          reach(std::move(next));
        });
    }
  }
  if (system.memory().mixed_sizes() || system.memory().grown()) return std::nullopt;
  return found;
}

class AbstractionComparison {
 public:
  AbstractionComparison(const Program& program, AbstractionComparisons& made)
      : program_(program),
        made_(made),
        reference_(explore_all(program, Model::kTso, {.states = kMostAbstractStates, .buffered_stores = 8},
                               CollectStates::kYes)) {}

  std::string run() {
    ++made_.programs;
    for (const auto part : {&AbstractionComparison::inclusions, &AbstractionComparison::reductions,
                            &AbstractionComparison::backward, &AbstractionComparison::engine})
      if (std::string problem = (this->*part)(); !problem.empty()) return problem;
    return {};
  }

 private:
  std::string inclusions() {
    ControlStates tso;
    for (const ReferenceState& state : reference_.states)  // the engine has no states after `halt`
      if (!state.halted) tso.insert(control_state(program_, state));
    const auto set = reachable(program_, kSetAbstraction);
    const auto one = reachable(program_, partial_coherence_with(1));
    const auto two = reachable(program_, partial_coherence_with(2));
    const auto multisets = reachable(program_, kMultisetAbstraction);
    if (set && one && !std::ranges::includes(*set, *one))
      return "a queue of one store reaches more than a set";
    if (one && two && !std::ranges::includes(*one, *two)) return "a longer queue reaches more";
    if (set && multisets && !std::ranges::includes(*set, *multisets)) return "multisets reach more than sets";
    // TSO is searched up to a bound, which is right for this direction.
    if (two && !std::ranges::includes(*two, tso)) return "TSO reaches more than a queue of two stores";
    if (multisets && !std::ranges::includes(*multisets, tso)) return "TSO reaches more than multisets";
    const bool all = set && one && two && multisets;
    made_.inclusions += all;
    made_.strict += all && reference_.complete && set->size() > tso.size();
    return {};
  }

  std::string reductions() {
    for (const BufferAbstraction& abstraction :
         {kSetAbstraction, kMultisetAbstraction, partial_coherence_with(1)}) {
      const auto expected = explore(abstraction, {.reduction = Reduction::kNone});
      if (!expected) continue;
      for (const Reduction reduction :
           {Reduction::kLocalFirst, Reduction::kPersistent, Reduction::kDynamic, Reduction::kCartesian}) {
        const auto actual = explore(abstraction, {.reduction = reduction});
        if (!actual) continue;
        ++made_.reductions;
        if (expected->violations != actual->violations || expected->terminals != actual->terminals)
          return fmt::format("with {}, {} finds {} violations and {} terminal states instead of {} and {}",
                             describe(abstraction), name(reduction), actual->violations.size(),
                             actual->terminals.size(), expected->violations.size(),
                             expected->terminals.size());
      }
    }
    return {};
  }

  std::optional<ExplorationRecord> explore(const BufferAbstraction& abstraction,
                                           const Configuration& configuration) {
    ExplorationRecord record;
    ExplicitOptions options{.model = Model::kTso, .reduction = configuration.reduction};
    options.symmetry = options.live_variables = false;
    options.buffer = kMostBuffered;
    options.abstraction = abstraction;
    options.record = &record;
    Context context;
    check_explicit(program_, options, context);
    if (!record.complete) return std::nullopt;
    record.terminals = without_blocks(record.terminals);
    return record;
  }

  // Which cells a block has depends on who accesses it first.
  std::set<ExplorationRecord::Terminal> without_blocks(
      const std::set<ExplorationRecord::Terminal>& terminals) const {
    std::set<ExplorationRecord::Terminal> result;
    for (ExplorationRecord::Terminal terminal : terminals) {
      std::erase_if(terminal.memory, [&](const std::pair<Value, Value>& cell) {
        return !program_.open_memory && address_kind(cell.first) == AddressKind::kBlock;
      });
      result.insert(std::move(terminal));
    }
    return result;
  }

  std::string backward() {
    Context context;
    const SystemOptions options{.model = Model::kTso, .abstraction = kMultisetAbstraction};
    const ValueClosure closure(program_, automaton_options(program_, options), {}, context);
    if (!closure.closed() || MultisetSystem::obstacle(program_, closure)) return {};
    MultisetSystem system(program_, closure);
    auto targets = system.targets(kMostAbstractStates);
    if (!targets) return {};
    system.limit_expansions(kMostAbstractStates);
    const auto result = search_backward(system, std::move(*targets), {}, context);
    if (system.given_up()) return {};
    ExplicitOptions forward{.model = Model::kTso};
    forward.abstraction = kMultisetAbstraction;
    forward.buffer = kMostBuffered;
    forward.minimise_effort = 0;
    const Answer answer = check_explicit(program_, forward, context);
    if (answer.verdict == Verdict::kUnknown) return {};
    if (result.path.has_value() != (answer.verdict == Verdict::kUnsafe))
      return fmt::format("backward search over multisets {} a violation, but forward search is {}",
                         result.path ? "finds" : "excludes", name(answer.verdict));
    ++(result.path ? made_.backward_unsafe : made_.backward_safe);
    return {};
  }

  std::string engine() {
    constexpr std::array<std::optional<BufferAbstraction>, 4> kAsked{
        std::nullopt, kSetAbstraction, kMultisetAbstraction, partial_coherence_with(1)};
    for (const auto& only : kAsked) {
      AbstractionOptions options;
      options.only = only;
      Context context({.timeout = kPatience}, {}, false);
      const Answer answer = check_abstraction(program_, options, context);
      const std::string problem = problem_with(answer, only.has_value() || context.stopped());
      if (!problem.empty())
        return fmt::format("{}: {}", only ? describe(*only) : "refined abstraction", problem);
    }
    return {};
  }

  std::string problem_with(const Answer& answer, bool may_fail) {
    switch (answer.verdict) {
      case Verdict::kUnknown:
        // For programs with finitely many states under TSO refinement ends, unless something is left out.
        if (!may_fail && reference_.complete && answer.diagnostics.empty())
          return "unknown: " + answer.reason;
        ++made_.unknown;
        return {};
      case Verdict::kSafe:
        ++made_.safe;
        if (!reference_.violations.empty()) return "safe, but the reference machine finds a violation";
        break;
      case Verdict::kUnsafe: {
        ++made_.unsafe;
        const ReplayResult replayed = replay(program_, *answer.witness);
        if (!replayed.reproduced) return "the witness does not replay: " + replayed.failure;
        if (reference_.complete && reference_.violations.empty())
          return "unsafe, but the reference machine finds nothing";
      }
    }
    const auto* spurious = answer.statistics.find("spurious");
    made_.refined += spurious && std::get<std::uint64_t>(*spurious) > 0;
    return {};
  }

  const Program& program_;
  AbstractionComparisons& made_;
  const ReferenceExploration reference_;
};

}  // namespace

std::string abstraction_disagreement(const Program& program, AbstractionComparisons* made) {
  AbstractionComparisons unused;
  return AbstractionComparison(program, made ? *made : unused).run();
}

GeneratorShape abstraction_shape_for(std::uint64_t seed) {
  GeneratorShape shape = shape_for(seed);
  if (seed % 2 == 0) {  // many stores to few variables, and threads that look at them
    shape = plain_accesses();
    shape.max_threads = 2;
    shape.max_instructions = 7;
    shape.max_variables = 2;
    shape.register_stores = shape.assumptions = shape.assertions = true;
    shape.loops = seed % 16 == 0;
  }
  shape.deadlocks = false;
  shape.extra.races = shape.extra.leaks = false;
  return shape;
}

Genome abstraction_genome(std::uint64_t seed) { return random_genome(seed, abstraction_shape_for(seed)); }

Genome observer_genome(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned count) { return static_cast<std::uint8_t>(random() % count); };
  const InstructionGene fence{.op = GeneOp::kFullFence};
  Genome genome{.initial = {0, 0}};
  genome.threads.resize(2);
  std::vector<InstructionGene>& writer = genome.threads[0].code;
  std::vector<InstructionGene>& observer = genome.threads[1].code;
  std::vector<InstructionGene> values{{.variable = 0}, {.variable = 1}};  // that there may be to see
  for (std::uint8_t stores = 2 + below(3); stores > 0; --stores) {
    const auto value = static_cast<std::uint8_t>(1 + stores % 3);
    values.push_back({.op = GeneOp::kStore, .variable = below(2), .value = value});
    writer.push_back(values.back());
    if (below(8) == 0) writer.push_back(fence);
  }
  for (std::uint8_t looks = 2 + below(3); looks > 0; --looks) {
    const InstructionGene& seen = values[below(static_cast<unsigned>(values.size()))];
    observer.push_back({.op = GeneOp::kLoad, .variable = seen.variable});
    observer.push_back({.op = GeneOp::kAssume, .value = seen.value});
    if (below(4) != 0) continue;
    observer.push_back({.op = GeneOp::kStore, .variable = seen.variable, .value = below(3)});
    observer.push_back(fence);
  }
  observer.push_back({.op = GeneOp::kAssert, .value = 0, .reg = 1});  // never set: fails
  return genome;
}

}  // namespace weir::selfcheck
