// The reference machine for array systems: what the comments of array/system.hpp say, for a given number of
// processes and as plainly as possible. It shares no code with the array engine, so that a mistake in one
// shows as a disagreement of the two.
//
// A step fires a transition for some processes or flushes the oldest group of a process's buffer. Booleans,
// enumerations and processes take all their values where a value is open. Numbers and abstract values, of
// which there are infinitely many, take a few given ones; what was left out by this is said. What does not
// fit in 64 bits is not computed, and this is said, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/array/evaluator.hpp"
#include "check/array/state.hpp"
#include "program/array/system.hpp"
#include "trace/array_run.hpp"

namespace weir::array {

// Which values stand for all where there are infinitely many.
struct ArrayDomains {
  std::vector<Rational> numbers = {{0, 1}, {1, 1}, {2, 1}};
  std::optional<std::uint32_t> abstract_values;  // none: one more than there are processes
};

// The numbers 0, 1, 2 and those that the system mentions, with their neighbours.
std::vector<Rational> numbers_of(const ArraySystem& system);
// The least number of processes such that every constant process exists; at least 1.
std::uint32_t least_processes(const ArraySystem& system);

enum class FiringOutcome : std::uint8_t {
  kFires,
  kGuardFails,
  kBufferNotEmpty,  // it reads and writes weak cells
  kDoesNotFit,      // it would compute a number that does not fit in 64 bits
};

// What a transition would do for given processes.
struct FiringEffect {
  FiringOutcome outcome = FiringOutcome::kFires;
  std::vector<CellWrite> writes;
  std::vector<std::size_t> open;  // cells that may become any value of their sort
};

struct ArrayMove {
  ArrayStep step;
  ArrayState after;
};

struct ArrayMoves {
  std::vector<ArrayMove> moves;
  bool does_not_fit = false;  // some transition had this outcome
  bool restricted = false;    // an open cell took some of its values only
};

class ArrayMachine {
 public:
  // The system must be well formed and outlive the machine, and there must be `least_processes` of it.
  ArrayMachine(const ArraySystem& system, std::uint32_t processes, ArrayDomains domains = {});

  const ArraySystem& system() const { return system_; }
  std::uint32_t processes() const { return processes_; }
  const ArrayCells& cells() const { return cells_; }
  const ArrayEvaluator& evaluator() const { return evaluator_; }

  ArrayState with_empty_buffers(std::vector<Rational> cells) const;
  // Does init allow these values? None if that depends on a number that does not fit.
  std::optional<bool> initial(const ArrayState& state) const;

  // All steps from the state; those of one transition for given processes; a flush, none if there is nothing
  // in the buffer.
  ArrayMoves moves(const ArrayState& state) const;
  ArrayMoves firings(const ArrayState& state, const ArrayFiring& firing) const;
  std::optional<ArrayMove> flush(const ArrayState& state, std::uint32_t process) const;

  FiringEffect effect(const ArrayState& state, const ArrayFiring& firing) const;
  // The state after the writes of a transition that fires.
  ArrayState after(const ArrayState& state, const ArrayFiring& firing, std::vector<CellWrite> writes) const;

  // Does an unsafe cube hold for these processes? None if a number does not fit.
  std::optional<bool> unsafe(const ArrayState& state, std::uint32_t cube,
                             const std::vector<std::uint32_t>& processes) const;

  // What a process reads from a cell.
  Rational seen(const ArrayState& state, std::uint32_t process, std::size_t cell) const;

  const Sort& sort_of(std::size_t cell) const;
  std::vector<Rational> values(const Sort& sort) const;  // that stand for all
  bool has_all_values(const Sort& sort) const;           // do they leave none out?
  bool is_value(const Sort& sort, const Rational& value) const;

 private:
  struct WeakUse {
    bool reads = false, writes = false;
  };
  WeakUse weak_use(const Transition& transition) const;

  std::optional<std::uint32_t> performer(const ArrayFiring& firing) const;
  Outlook outlook(const ArrayState& state, std::optional<std::uint32_t> performer) const;
  bool add_update(const Update& update, const Environment& environment, const Outlook& outlook,
                  FiringEffect& effect) const;
  bool add_cell(const Update& update, std::size_t cell, const Environment& environment,
                const Outlook& outlook, FiringEffect& effect) const;
  void add_choices(const ArrayState& state, const ArrayFiring& firing, const FiringEffect& effect,
                   std::vector<CellWrite>& chosen, ArrayMoves& found) const;

  const ArraySystem& system_;
  const std::uint32_t processes_;
  const ArrayDomains domains_;
  const ArrayCells cells_;
  const ArrayEvaluator evaluator_;
  std::vector<WeakUse> weak_uses_;  // by transition
};

}  // namespace weir::array
