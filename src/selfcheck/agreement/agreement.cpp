#include "selfcheck/agreement/agreement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/error.hpp"
#include "check/explore.hpp"
#include "check/replay.hpp"
#include "program/address.hpp"

namespace weir::selfcheck {

namespace {

using Cells = std::vector<std::pair<Value, Value>>;

// Cells in blocks come and go, so the two machines need not list the same ones that hold nothing.
bool holds_something(const std::pair<const Value, Value>& cell) {
  return cell.second != 0 && cell.second != kUninitialised;
}

// What a released block holds is of no account: the engine forgets it.
Cells what_counts(const Program& program, const std::map<Value, Value>& cells) {
  Cells result;
  for (const auto& cell : cells) {
    const bool in_block = !program.open_memory && address_kind(cell.first) == AddressKind::kBlock;
    if (holds_something(cell) && !(in_block && cells.contains(status_address(cell.first))))
      result.push_back(cell);
  }
  return result;
}

Cells cells_with_values(const Program& program, const MemoryChanges& memory) {
  std::map<Value, Value> cells = memory;
  if (program.byte_memory)  // then these are bytes of objects
    std::erase_if(cells, [](const auto& cell) { return address_kind(cell.first) == AddressKind::kOrdinary; });
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      cells[address] = read_memory(program, memory, address);
    }
  return what_counts(program, cells);
}

// What the engine recorded, without the cells that hold nothing.
void leave_out_empty_cells(const Program& program, ExplorationRecord& record) {
  const auto shortened = [&](const Cells& cells) {
    return what_counts(program, std::map<Value, Value>(cells.begin(), cells.end()));
  };
  std::set<Cells> memories;
  for (const Cells& memory : record.memories) memories.insert(shortened(memory));
  record.memories = std::move(memories);
  std::set<ExplorationRecord::Terminal> terminals;
  for (ExplorationRecord::Terminal terminal : record.terminals) {
    terminal.memory = shortened(terminal.memory);
    terminals.insert(std::move(terminal));
  }
  record.terminals = std::move(terminals);
}

ExplorationRecord::Terminal terminal_of(const Program& program, const ReferenceState& state) {
  ExplorationRecord::Terminal terminal;
  for (const ThreadState& thread : state.threads) {
    const LocationId at = thread.stack.size() == 1 ? thread.stack[0].location : LocationId::none();
    terminal.locations.push_back(at.index());
    terminal.registers.push_back(thread.stack[0].registers);
  }
  terminal.memory = cells_with_values(program, state.memory);
  return terminal;
}

ExplorationRecord expected_record(const Program& program, const ReferenceExploration& reference) {
  ExplorationRecord record;
  // The engine does not count the ends that a thread makes by `halt`.
  for (const ReferenceState& state : reference.terminal)
    if (!state.halted) record.terminals.insert(terminal_of(program, state));
  for (const MemoryChanges& memory : reference.memories)
    record.memories.insert(cells_with_values(program, memory));
  for (const ViolationKey& key : reference.violations) record.violations.emplace(key.kind, key.property);
  return record;
}

// With symmetry or forgotten registers, terminal states are comparable only up to these.
std::set<ExplorationRecord::Terminal> comparable(const std::set<ExplorationRecord::Terminal>& terminals,
                                                 const Program& program, const Configuration& configuration) {
  std::set<ExplorationRecord::Terminal> result;
  for (ExplorationRecord::Terminal terminal : terminals) {
    if (configuration.live_variables) terminal.registers.clear();
    if (configuration.symmetry) {
      // Threads of one function with equal arguments may change places: sort what they contribute.
      for (std::size_t i = 0; i < program.threads.size(); ++i)
        for (std::size_t j = i + 1; j < program.threads.size(); ++j) {
          if (program.threads[i].function != program.threads[j].function) continue;
          if (program.threads[i].arguments != program.threads[j].arguments) continue;
          const bool swap = terminal.registers.empty()
                                ? terminal.locations[j] < terminal.locations[i]
                                : std::tie(terminal.locations[j], terminal.registers[j]) <
                                      std::tie(terminal.locations[i], terminal.registers[i]);
          if (!swap) continue;
          std::swap(terminal.locations[i], terminal.locations[j]);
          if (!terminal.registers.empty()) std::swap(terminal.registers[i], terminal.registers[j]);
        }
    }
    result.insert(std::move(terminal));
  }
  return result;
}

using Violated = decltype(ExplorationRecord::violations);

// With symmetry, which of several goals is reached is known only up to the threads that may change places.
Violated comparable(const Violated& violated, const Configuration& configuration) {
  Violated result;
  for (const auto& [kind, property] : violated)
    result.emplace(kind, configuration.symmetry && kind == ViolationKind::kGoal ? 0 : property);
  return result;
}

std::string difference(const ExplorationRecord& expected, const ExplorationRecord& actual,
                       const Program& program, const Configuration& configuration) {
  if (comparable(expected.violations, configuration) != comparable(actual.violations, configuration))
    return fmt::format("{} violations instead of {}", actual.violations.size(), expected.violations.size());
  const auto wanted = comparable(expected.terminals, program, configuration);
  const auto found = comparable(actual.terminals, program, configuration);
  if (wanted != found) return fmt::format("{} terminal states instead of {}", found.size(), wanted.size());
  const bool all_memories =
      configuration.reduction == Reduction::kNone || configuration.reduction == Reduction::kLocalFirst;
  if (all_memories && expected.memories != actual.memories)
    return fmt::format("{} memory valuations instead of {}", actual.memories.size(),
                       expected.memories.size());
  return {};
}

std::string check_verdict(const Program& program, const ExplicitOptions& options, bool expect_unsafe) {
  Context context;
  const Answer answer = check_explicit(program, options, context);
  if (answer.verdict == Verdict::kUnknown) return "unknown: " + answer.reason;
  if ((answer.verdict == Verdict::kUnsafe) != expect_unsafe)
    return std::string("verdict ") + name(answer.verdict);
  if (!expect_unsafe) return {};
  const ReplayResult replayed = replay(program, *answer.witness);
  return replayed.reproduced ? "" : "witness does not replay: " + replayed.failure;
}

std::string configuration_problem(const Program& program, Model model, const Configuration& configuration,
                                  const ExplorationRecord& expected) {
  ExplorationRecord actual;
  ExplicitOptions options{.model = model,
                          .search = configuration.search,
                          .reduction = configuration.reduction,
                          .symmetry = configuration.symmetry,
                          .live_variables = configuration.live_variables,
                          .minimise_effort = 0,
                          .record = &actual};
  Context context;
  check_explicit(program, options, context);
  leave_out_empty_cells(program, actual);
  std::string problem = difference(expected, actual, program, configuration);
  if (!problem.empty()) return problem;
  options.record = nullptr;
  problem = check_verdict(program, options, !expected.violations.empty());
  if (!problem.empty() || expected.violations.empty()) return problem;
  options.minimise_effort = 20'000;
  return check_verdict(program, options, !expected.violations.empty());
}

}  // namespace

std::string describe(const Configuration& c) {
  return fmt::format("{} {}{}{}", name(c.reduction), c.search == Search::kBreadthFirst ? "bfs" : "dfs",
                     c.symmetry ? "" : " no-symmetry", c.live_variables ? "" : " no-live-variables");
}

GeneratorShape shape_for(std::uint64_t seed) {
  GeneratorShape shape;
  shape.failures = seed % 10 == 3;
  shape.loops = seed % 5 == 1;
  shape.open_memory = seed % 7 == 2;
  if (seed % 4 == 3) shape.extra = some_features(seed);
  shape.several_goals = true;
  if (seed % 4 == 1) shape.extra.awaited_values = true;
  return shape;
}

std::vector<Configuration> all_configurations() {
  std::vector<Configuration> all;
  for (const Reduction reduction : {Reduction::kNone, Reduction::kLocalFirst, Reduction::kPersistent,
                                    Reduction::kDynamic, Reduction::kCartesian})
    for (const Search search : {Search::kBreadthFirst, Search::kDepthFirst})
      for (const bool symmetry : {false, true}) all.push_back({reduction, search, symmetry, symmetry});
  return all;
}

std::string disagreement(const Program& program, Model model,
                         const std::vector<Configuration>& configurations, bool* compared,
                         std::size_t most_states) {
  const ReferenceExploration reference = explore_all(program, model, {.states = most_states});
  if (compared) *compared = reference.complete;
  if (!reference.complete) return {};
  const ExplorationRecord expected = expected_record(program, reference);
  for (const Configuration& configuration : configurations) {
    std::string problem;
    try {
      problem = configuration_problem(program, model, configuration, expected);
    } catch (const InternalError& error) {
      problem = error.what();
    }
    if (!problem.empty()) return fmt::format("{} {}: {}", name(model), describe(configuration), problem);
  }
  return {};
}

}  // namespace weir::selfcheck
