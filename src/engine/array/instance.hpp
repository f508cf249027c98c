// The reachable states of an array system with a few processes, explored forwards: what guesses are tested
// against.
//
// Nothing depends on this being complete. Where a value is open and has infinitely many choices, a few are
// tried; buffers and the number of states are bounded. A guess that holds in a state not met here is found
// out by the backward search.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <cstdint>
#include <vector>

#include "base/context.hpp"
#include "engine/array/grounding.hpp"
#include "engine/array/region.hpp"

namespace weir::array {

class Instance {
 public:
  Instance(const Vocabulary& vocabulary, std::uint32_t processes);

  // Visits states until there are `most_states` of them.
  void explore(std::size_t most_states, const Context& context);

  std::uint32_t processes() const { return processes_; }
  std::size_t states() const { return states_.size(); }

  // Whether the constraint, about the instance's processes, holds in a state. Of a read (given by its cell
  // and process in `reads`) any value counts that the process sees now or once buffers are flushed.
  bool holds(const Constraint& constraint, const std::vector<Read>& reads, std::size_t state) const;

 private:
  // The cells, and then for each process the length of its buffer and its entries: for each group the number
  // of its writes, and these as cell and value.
  using State = std::vector<std::int32_t>;
  struct Write {
    std::uint32_t cell;
    std::int32_t value;
  };

  std::uint32_t index(Node cell) const;
  std::uint32_t index(const Access& access, const Environment& environment) const;
  std::int64_t value(const Term& term, const Environment& environment) const;
  bool truth(const Formula& formula, Environment& environment) const;
  std::int32_t seen(const State& state, std::uint32_t process, std::uint32_t cell) const;
  bool buffer_empty(const State& state, std::uint32_t process) const;
  void add_initial_states();
  void complete_initial(std::size_t cell, Facts facts, State& state);
  void fire(const Transition& transition, const Environment& environment);
  void choose_values(const Transition& transition, const Environment& environment, std::vector<Write>& writes,
                     const std::vector<std::uint32_t>& open, std::size_t next);
  void apply(const Transition& transition, const Environment& environment, const std::vector<Write>& writes);
  void flush(std::uint32_t process);
  void add(State state);
  std::vector<std::int32_t> few_values(std::uint32_t cell) const;
  std::vector<std::int64_t> possible_values(Node node, const std::vector<Read>& reads,
                                            const State& state) const;
  std::vector<std::int64_t> possible_sums(Node sum, const std::vector<Read>& reads, const State& state) const;

  const Vocabulary& vocabulary_;
  const ArraySystem& system_;
  std::uint32_t processes_;
  std::vector<std::uint32_t> first_cell_;  // of every symbol
  std::vector<Node> cells_;
  std::vector<bool> atomic_;  // transitions that read and write weak cells
  std::vector<State> states_;
  absl::flat_hash_set<State> known_;
  std::size_t most_states_ = 0;
  // While a state is being expanded:
  State current_;
  std::uint32_t performer_ = 0;
};

}  // namespace weir::array
