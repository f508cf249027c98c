// Replay executes the run. Completion is a depth-first search over the ways to execute it: from a state
// before some firings, the next one of a process may come, the one given first before the others, or a flush.
// What was tried once, a state with certain firings behind it, is not tried again.
#include "check/array/replay.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_set>

#include "base/error.hpp"
#include "check/array/initial.hpp"
#include "program/array/walk.hpp"

namespace weir::array {

namespace {

using Reason = std::optional<std::string>;

std::string name_of(const Transition& transition, const std::vector<std::uint32_t>& processes) {
  std::string arguments;
  for (const std::uint32_t process : processes)
    arguments += fmt::format("{}#{}", arguments.empty() ? "" : ", ", process + 1);
  return fmt::format("{}({})", transition.name, arguments);
}

// So many different processes that exist?
bool is_choice(const std::vector<std::uint32_t>& chosen, std::size_t count, std::uint32_t processes) {
  std::vector<std::uint32_t> sorted = chosen;
  std::ranges::sort(sorted);
  return chosen.size() == count && std::ranges::adjacent_find(sorted) == sorted.end() &&
         std::ranges::all_of(sorted, [&](std::uint32_t process) { return process < processes; });
}

class Replay {
 public:
  Replay(const ArraySystem& system, std::uint32_t processes) : machine_(system, processes) {}

  Reason run(const ArrayRun& run) {
    if (run.processes != machine_.processes())
      return fmt::format("it is a run of {} processes, not of {}", run.processes, machine_.processes());
    if (Reason reason = start(run)) return reason;
    for (std::size_t place = 0; place < run.steps.size(); ++place)
      if (Reason reason = step(run.steps[place])) return fmt::format("step {}: {}", place + 1, *reason);
    return finish(run);
  }

 private:
  // Is the cell one of the system? Its number, then.
  std::optional<std::size_t> number_of(const ArrayCell& cell) const {
    const std::vector<Symbol>& symbols = machine_.system().symbols;
    if (cell.symbol.index() >= symbols.size()) return std::nullopt;
    if (cell.arguments.size() != symbols[cell.symbol.index()].dimensions) return std::nullopt;
    for (const std::uint32_t argument : cell.arguments)
      if (argument >= machine_.processes()) return std::nullopt;
    return machine_.cells().number(cell.symbol, cell.arguments);
  }

  Reason assign(const ArrayAssignment& assignment, std::vector<std::optional<Rational>>& values) const {
    const std::optional<std::size_t> cell = number_of(assignment.cell);
    if (!cell) return "a value is given for a cell that does not exist";
    const std::string name = array::name_of(machine_.system(), assignment.cell);
    if (values[*cell]) return fmt::format("two values are given for {}", name);
    if (!machine_.is_value(machine_.sort_of(*cell), assignment.value))
      return fmt::format("the value given for {} is none of its sort", name);
    values[*cell] = assignment.value;
    return std::nullopt;
  }

  Reason start(const ArrayRun& run) {
    std::vector<std::optional<Rational>> values(machine_.cells().size());
    for (const ArrayAssignment& assignment : run.initial)
      if (Reason reason = assign(assignment, values)) return "initially, " + *reason;
    std::vector<Rational> cells;
    for (std::size_t cell = 0; cell < values.size(); ++cell) {
      if (!values[cell])
        return fmt::format("{} has no initial value",
                           array::name_of(machine_.system(), machine_.cells().cell(cell)));
      cells.push_back(*values[cell]);
    }
    state_ = machine_.with_empty_buffers(std::move(cells));
    if (machine_.initial(state_) != true) return "init does not hold at the beginning";
    return std::nullopt;
  }

  Reason step(const ArrayStep& step) { return step.is_flush() ? flush(step) : fire(step); }

  Reason flush(const ArrayStep& step) {
    if (!is_choice(step.processes, 1, machine_.processes())) return "a flush of no process";
    std::optional<ArrayMove> move = machine_.flush(state_, step.processes[0]);
    if (!move) return fmt::format("the buffer of #{} is empty", step.processes[0] + 1);
    state_ = std::move(move->after);
    return std::nullopt;
  }

  Reason fire(const ArrayStep& step) {
    const std::vector<Transition>& transitions = machine_.system().transitions;
    if (*step.transition >= transitions.size()) return "there is no such transition";
    const Transition& transition = transitions[*step.transition];
    if (!is_choice(step.processes, transition.parameters.size(), machine_.processes()))
      return fmt::format("{} needs {} different processes", transition.name, transition.parameters.size());
    const ArrayFiring firing{*step.transition, step.processes};
    FiringEffect effect = machine_.effect(state_, firing);
    const std::string name = name_of(transition, step.processes);
    switch (effect.outcome) {
      case FiringOutcome::kGuardFails: return fmt::format("the guard of {} does not hold", name);
      case FiringOutcome::kBufferNotEmpty:
        return fmt::format("{} reads and writes while its buffer is not empty", name);
      case FiringOutcome::kDoesNotFit: return fmt::format("{} needs a number beyond 64 bits", name);
      case FiringOutcome::kFires: break;
    }
    return choose(step, firing, std::move(effect));
  }

  Reason choose(const ArrayStep& step, const ArrayFiring& firing, FiringEffect effect) {
    std::vector<std::optional<Rational>> values(machine_.cells().size());
    for (const ArrayAssignment& assignment : step.chosen) {
      if (Reason reason = assign(assignment, values)) return reason;
      const std::size_t cell = number_of(assignment.cell).value();
      if (std::ranges::find(effect.open, cell) == effect.open.end())
        return fmt::format("the value of {} is not open", array::name_of(machine_.system(), assignment.cell));
    }
    for (const std::size_t cell : effect.open) {
      if (!values[cell])
        return fmt::format("no value is chosen for {}",
                           array::name_of(machine_.system(), machine_.cells().cell(cell)));
      effect.writes.push_back({cell, *values[cell]});
    }
    state_ = machine_.after(state_, firing, std::move(effect.writes));
    return std::nullopt;
  }

  Reason finish(const ArrayRun& run) const {
    const std::vector<Cube>& unsafe = machine_.system().unsafe;
    if (run.unsafe >= unsafe.size()) return "there is no such unsafe cube";
    if (!is_choice(run.unsafe_processes, unsafe[run.unsafe].parameters.size(), machine_.processes()))
      return "the unsafe cube needs other processes";
    if (machine_.unsafe(state_, run.unsafe, run.unsafe_processes) != true)
      return "the state at the end is not unsafe";
    return std::nullopt;
  }

  const ArrayMachine machine_;
  ArrayState state_;
};

class CompletionSearch {
 public:
  CompletionSearch(const ArraySystem& system, std::uint32_t processes,
                   const std::vector<ArrayFiring>& firings, const CompletionOptions& options)
      : machine_(system, processes, options.domains.value_or(ArrayDomains{.numbers = numbers_of(system)})),
        firings_(firings),
        options_(options),
        chains_(system.weak() ? processes : 1) {
    const bool performed = std::ranges::all_of(firings, [&](const ArrayFiring& firing) {
      return system.transitions.at(firing.transition).performer.has_value();
    });
    if (!performed) chains_.resize(1);
    for (std::size_t i = 0; i < firings.size(); ++i)
      chains_[chains_.size() == 1 ? 0 : performer(i)].push_back(i);
    done_.assign(chains_.size(), 0);
    for (const ArrayFiring& firing : firings) {
      WEIR_CHECK(firing.transition < system.transitions.size(), "there is no such transition");
      const std::size_t parameters = system.transitions[firing.transition].parameters.size();
      WEIR_CHECK(is_choice(firing.processes, parameters, processes),
                 "a transition needs different processes");
    }
  }

  Completion run() {
    const std::vector<bool> matters = symbols_that_matter();
    const auto attempt = [&](const ArrayState& state) {
      if (search(state)) keep_initial(state);
      return !completion_.run && !exhausted();
    };
    const InitialSearch initial = for_each_initial(machine_, attempt, &matters);
    completion_.left_out =
        !completion_.run && (left_out_ || exhausted() || initial.restricted || initial.does_not_fit);
    return std::move(completion_);
  }

 private:
  bool exhausted() const { return visited_ >= options_.states; }

  // Those that the firings or the unsafe cubes read.
  std::vector<bool> symbols_that_matter() const {
    const ArraySystem& system = machine_.system();
    std::vector<bool> matters(system.symbols.size(), false);
    const auto see = [&](const Access& access) { matters[access.symbol.index()] = true; };
    for (const Cube& cube : system.unsafe)
      for (const Formula& literal : cube.literals) for_each_access(literal, see);
    for (const ArrayFiring& firing : firings_) {
      const Transition& transition = system.transitions.at(firing.transition);
      for_each_access(transition.guard, see);
      for (const Update& update : transition.updates)
        for (const UpdateCase& one : update.cases) {
          for_each_access(one.guard, see);
          if (one.value) for_each_access(*one.value, see);
        }
    }
    return matters;
  }

  std::uint32_t performer(std::size_t firing) const {
    const Transition& transition = machine_.system().transitions.at(firings_[firing].transition);
    return firings_[firing].processes.at(*transition.performer);
  }

  // The firings that may come next, each the first of a chain that is left; the one given first first.
  std::vector<std::pair<std::size_t, std::size_t>> next_firings() const {
    std::vector<std::pair<std::size_t, std::size_t>> next;  // firing, chain
    for (std::size_t chain = 0; chain < chains_.size(); ++chain)
      if (done_[chain] < chains_[chain].size()) next.emplace_back(chains_[chain][done_[chain]], chain);
    std::ranges::sort(next);
    return next;
  }

  // Is there a way from here? It is then in `steps_`, and the cube in the completion.
  bool search(const ArrayState& state) {
    if (exhausted() || !tried_[done_].insert(state).second) return false;
    ++visited_;
    const auto next = next_firings();
    if (next.empty() && unsafe(state)) return true;
    for (const auto& [firing, chain] : next) {
      ArrayMoves moves = machine_.firings(state, firings_[firing]);
      left_out_ = left_out_ || moves.does_not_fit || moves.restricted;
      ++done_[chain];
      for (ArrayMove& move : moves.moves)
        if (follow(std::move(move))) return true;
      --done_[chain];
    }
    for (std::uint32_t process = 0; process < machine_.processes(); ++process)
      if (std::optional<ArrayMove> flushed = machine_.flush(state, process))
        if (follow(std::move(*flushed))) return true;
    return false;
  }

  bool follow(ArrayMove move) {
    steps_.push_back(std::move(move.step));
    if (search(move.after)) return true;
    steps_.pop_back();
    return false;
  }

  bool unsafe(const ArrayState& state) {
    const std::vector<Cube>& cubes = machine_.system().unsafe;
    for (std::uint32_t cube = 0; cube < cubes.size(); ++cube) {
      if (options_.unsafe && *options_.unsafe != cube) continue;
      const bool none = every_choice(machine_.processes(), cubes[cube].parameters.size(),
                                     [&](const std::vector<std::uint32_t>& choice) {
                                       const std::optional<bool> holds = machine_.unsafe(state, cube, choice);
                                       left_out_ = left_out_ || !holds;
                                       if (holds == true) keep_end(cube, choice);
                                       return holds != true;
                                     });
      if (!none) return true;
    }
    return false;
  }

  void keep_end(std::uint32_t cube, const std::vector<std::uint32_t>& processes) {
    completion_.run = ArrayRun{
        .processes = machine_.processes(), .steps = steps_, .unsafe = cube, .unsafe_processes = processes};
  }

  void keep_initial(const ArrayState& state) {
    for (std::size_t cell = 0; cell < state.cells.size(); ++cell)
      completion_.run->initial.push_back({machine_.cells().cell(cell), state.cells[cell]});
  }

  const ArrayMachine machine_;
  const std::vector<ArrayFiring>& firings_;
  const CompletionOptions options_;
  std::vector<std::vector<std::size_t>> chains_;  // firings that keep their order
  std::vector<std::size_t> done_;                 // how many of each chain are behind the current state
  std::map<std::vector<std::size_t>, std::unordered_set<ArrayState, ArrayStateHash>> tried_;  // by `done_`
  std::size_t visited_ = 0;
  bool left_out_ = false;
  std::vector<ArrayStep> steps_;
  Completion completion_;
};

}  // namespace

std::optional<std::string> replay(const ArraySystem& system, std::uint32_t processes, const ArrayRun& run) {
  if (processes < least_processes(system))
    return fmt::format("the system needs {} processes", least_processes(system));
  if (processes > system.number_of_processes.value_or(processes))
    return fmt::format("the system has at most {} processes", *system.number_of_processes);
  return Replay(system, processes).run(run);
}

Completion complete(const ArraySystem& system, std::uint32_t processes,
                    const std::vector<ArrayFiring>& firings, const CompletionOptions& options) {
  return CompletionSearch(system, processes, firings, options).run();
}

}  // namespace weir::array
