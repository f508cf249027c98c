// The threads of a program as finite automata: for each address the least set of values that contains the
// initial one and everything that a thread stores there, when its loads return members of the sets in
// whatever combination. A fixpoint over the unfolded automata, in which each reading action meets each value
// of its address once. The order of accesses is not looked at, so the sets are larger than what any execution
// shows, but they hold for any number of copies of each thread, and under every memory model.
//
// A program that counts does not close. The search then ends at a limit, and says what did not settle. But
// where executions have at most so many writes, a value that comes of a longer chain of writes, each of which
// depends on the one before, cannot occur. So values are found in rounds, and there are no more rounds than
// writes.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "machine/thread_automaton.hpp"
#include "program/value_limits.hpp"

namespace weir {

struct ValueClosureLimits {
  std::uint64_t values_per_address = 4096;
  std::uint64_t states_per_thread = 1'000'000;
  std::vector<ValueRange> ranges;  // stores of values outside are left out; users of the closure must notice
  std::optional<std::uint64_t> most_writes;  // in an execution of just these threads
};

// The code of one or more threads, unfolded. If the closure is complete then every state from 0 to
// state_count() - 1 is reachable in it, all actions are known, and so are the successors for each value of
// the address read: nothing is unfolded any more, and the spans that `actions` returns stay valid.
struct ClosedThread {
  std::vector<ThreadId> threads;  // that run this code, with the same arguments and options
  std::unique_ptr<ThreadAutomaton> automaton;

  std::size_t state_count() const { return automaton->state_count(); }
};

class ValueClosure {
 public:
  enum class End : std::uint8_t {
    kClosed,
    kTooManyValues,  // at `address`
    kTooManyStates,  // of `thread`
    kCut,            // `thread` runs locally for too long, at `location`
    kStopped,        // by the context
    kAllocates,      // not begun: addresses are without end
  };

  // `options` has an entry per thread, or is empty. Several threads with the same code and options become
  // one. `program` must outlive the closure.
  ValueClosure(const Program& program, const std::vector<AutomatonOptions>& options,
               const ValueClosureLimits& limits, const Context& context);

  End end() const { return end_; }
  bool closed() const { return end_ == End::kClosed; }
  Value address() const { return address_; }
  ThreadId thread() const { return thread_; }
  LocationId location() const { return location_; }
  // Why it is not closed, in words for the user: "x takes more than 4096 values"; empty if it is.
  std::string reason() const;

  const std::vector<ClosedThread>& threads() const { return threads_; }
  // The entry of `threads()` that this thread belongs to.
  std::size_t code_of(ThreadId thread) const { return code_of_[thread.index()]; }

  // Every address that some thread may access, and what it may hold: both ascending.
  const std::vector<Value>& addresses() const { return addresses_; }
  // For an address nobody accesses, its initial value alone. A store of any other value leaves its range, or
  // never happens.
  std::vector<Value> values(Value address) const;
  bool leaves_range(Value address, Value value) const;

 private:
  // An action that reads, in a state of a code.
  struct Reader {
    std::uint32_t code;
    StateId state;
    std::uint32_t action;
  };
  struct Cell {
    Value address = 0;
    Type type = kInt64;
    std::vector<Value> values;  // while searching in the order in which they came, then ascending
    absl::flat_hash_set<Value> known;
    std::size_t published = 0;  // the first so many values have met all readers
    std::vector<Reader> readers;
  };
  struct NewState {
    std::uint32_t code;
    StateId state;
  };

  void add_threads(const std::vector<AutomatonOptions>& options);
  void run(const Context& context);
  void unfold(NewState next);
  void publish_value(std::uint32_t cell);
  void read(const Reader& reader, std::uint32_t cell, Value value);
  void reach(std::uint32_t code, StateId state);
  std::uint32_t cell_of(Value address);
  void store_value(std::uint32_t cell, Value value);
  void add_value(std::uint32_t cell, Value value, std::vector<std::uint32_t>& when);
  bool next_round();
  void forget_unpublished();
  void sort_results();

  const Program& program_;
  ValueClosureLimits limits_;
  Code code_;
  std::vector<ClosedThread> threads_;
  std::vector<AutomatonOptions> options_;  // per entry of `threads_`
  std::vector<std::size_t> code_of_;

  std::vector<Cell> cells_;
  absl::flat_hash_map<Value, std::uint32_t> cell_numbers_;
  std::vector<Value> addresses_;
  std::vector<std::vector<bool>> reached_;  // per code and state
  std::vector<NewState> new_states_;
  // Cells with a value to publish, once for each: in this round, and in the next.
  std::vector<std::uint32_t> due_values_, later_values_;
  std::uint64_t round_ = 0;  // values published in it come of so many writes

  End end_ = End::kClosed;
  Value address_ = 0;
  ThreadId thread_;
  LocationId location_;
};

}  // namespace weir
