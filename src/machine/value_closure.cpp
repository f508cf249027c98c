#include "machine/value_closure.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/fault.hpp"
#include "machine/evaluate.hpp"

namespace weir {

namespace {

struct InitialCell {
  Type type = kInt64;
  Value value = 0;
};

InitialCell initial_cell(const Program& program, Value address) {
  const std::optional<ObjectId> id = program.object_at(address);
  if (!id) return {};
  const SharedObject& object = program.object(*id);
  const Value initial = object.initial[static_cast<std::size_t>((address - object.base) / object.stride)];
  return {object.type,
          initial == kUninitialised ? initial : wrap(static_cast<std::uint64_t>(initial), object.type)};
}

}  // namespace

ValueClosure::ValueClosure(const Program& program, const std::vector<AutomatonOptions>& options,
                           const ValueClosureLimits& limits, const Context& context)
    : program_(program), limits_(limits), code_(program) {
  WEIR_CHECK(options.empty() || options.size() == program.threads.size(), "options for every thread");
  add_threads(options);
  if (code_.allocates())
    end_ = End::kAllocates;
  else
    run(context);
  sort_results();
}

void ValueClosure::add_threads(const std::vector<AutomatonOptions>& options) {
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& thread = program_.threads[t];
    AutomatonOptions wanted = options.empty() ? AutomatonOptions{} : options[t];
    identify(wanted, code_, ThreadId(t));
    std::size_t code = 0;
    for (; code < threads_.size(); ++code) {
      const Thread& other = program_.thread(threads_[code].threads[0]);
      if (other.function == thread.function && other.arguments == thread.arguments &&
          options_[code] == wanted)
        break;
    }
    if (code == threads_.size()) {
      threads_.push_back(
          {{}, std::make_unique<ThreadAutomaton>(code_, thread.function, thread.arguments, wanted)});
      options_.push_back(wanted);
    }
    threads_[code].threads.emplace_back(t);
    code_of_.push_back(code);
  }
  reached_.resize(threads_.size());
}

// Nothing here calls itself: what is found waits in `new_states_`, `due_values_` and `later_values_`, so the
// lists that are being walked do not change.
void ValueClosure::run(const Context& context) {
  for (std::uint32_t code = 0; code < threads_.size(); ++code)
    reach(code, threads_[code].automaton->initial());
  while (end_ == End::kClosed && (!new_states_.empty() || !due_values_.empty() || next_round())) {
    if (context.stopped()) {
      end_ = End::kStopped;
    } else if (!new_states_.empty()) {
      const NewState next = new_states_.back();
      new_states_.pop_back();
      unfold(next);
    } else {
      const std::uint32_t cell = due_values_.back();
      due_values_.pop_back();
      publish_value(cell);
    }
  }
}

bool ValueClosure::next_round() {
  if (later_values_.empty()) return false;
  if (limits_.most_writes && round_ == *limits_.most_writes) {
    forget_unpublished();
    return false;
  }
  ++round_;
  std::swap(due_values_, later_values_);
  return true;
}

void ValueClosure::forget_unpublished() {
  for (Cell& cell : cells_) cell.values.resize(cell.published);
  later_values_.clear();
}

void ValueClosure::unfold(NewState next) {
  ThreadAutomaton& automaton = *threads_[next.code].automaton;
  if (automaton.cut(next.state)) {
    end_ = End::kCut;
    thread_ = threads_[next.code].threads[0];
    location_ = automaton.innermost_location(next.state);
    return;
  }
  const auto count = static_cast<std::uint32_t>(automaton.actions(next.state).size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const Action action = automaton.actions(next.state)[i];
    if (action.kind == ActionKind::kFail || action.kind == ActionKind::kHalt) continue;
    if (returns_value(action)) {
      const Reader reader{next.code, next.state, i};
      const std::uint32_t cell = cell_of(action.address);
      cells_[cell].readers.push_back(reader);
      for (std::size_t v = 0; v < cells_[cell].published; ++v) read(reader, cell, cells_[cell].values[v]);
    } else {
      if (action.kind == ActionKind::kStore) store_value(cell_of(action.address), action.value);
      reach(next.code, automaton.successor(next.state, i));
    }
  }
}

void ValueClosure::publish_value(std::uint32_t cell) {
  const Value value = cells_[cell].values[cells_[cell].published++];
  for (std::size_t r = 0; r < cells_[cell].readers.size(); ++r) read(cells_[cell].readers[r], cell, value);
}

void ValueClosure::read(const Reader& reader, std::uint32_t cell, Value value) {
  ThreadAutomaton& automaton = *threads_[reader.code].automaton;
  const Action action = automaton.actions(reader.state)[reader.action];
  const bool stores = value != kUninitialised && action.kind == ActionKind::kRmw &&
                      (action.rmw != RmwOp::kCompareExchange || value == action.expected);
  if (stores && !fault("lost-value"))
    store_value(cell, apply_rmw(action.rmw, value, action.value, cells_[cell].type));
  const Value returned = returned_value(action, value);
  if (!can_return(action, returned)) return;
  reach(reader.code, automaton.successor(reader.state, reader.action, returned));
}

void ValueClosure::reach(std::uint32_t code, StateId state) {
  std::vector<bool>& reached = reached_[code];
  if (state.index() >= reached.size()) reached.resize(state.index() + 1);
  if (reached[state.index()]) return;
  reached[state.index()] = true;
  new_states_.push_back({code, state});
  if (threads_[code].state_count() <= limits_.states_per_thread || end_ != End::kClosed) return;
  end_ = End::kTooManyStates;
  thread_ = threads_[code].threads[0];
}

std::uint32_t ValueClosure::cell_of(Value address) {
  const auto [entry, added] = cell_numbers_.try_emplace(address, static_cast<std::uint32_t>(cells_.size()));
  const std::uint32_t number = entry->second;
  if (added) {
    const InitialCell initial = initial_cell(program_, address);
    cells_.push_back({.address = address, .type = initial.type});
    add_value(number, initial.value, due_values_);
  }
  return number;
}

// A value that a thread stores. What a cell holds at the start is in the closure whatever the range.
void ValueClosure::store_value(std::uint32_t number, Value value) {
  if (!leaves_range(cells_[number].address, value)) add_value(number, value, later_values_);
}

bool ValueClosure::leaves_range(Value address, Value value) const {
  return std::ranges::any_of(limits_.ranges, [&](const ValueRange& range) {
    return range.address == address && (value < range.low || value > range.high);
  });
}

void ValueClosure::add_value(std::uint32_t number, Value value, std::vector<std::uint32_t>& when) {
  Cell& cell = cells_[number];
  if (!cell.known.insert(value).second) return;
  cell.values.push_back(value);
  when.push_back(number);
  if (cell.values.size() <= limits_.values_per_address || end_ != End::kClosed) return;
  end_ = End::kTooManyValues;
  address_ = cell.address;
}

void ValueClosure::sort_results() {
  for (Cell& cell : cells_) {
    addresses_.push_back(cell.address);
    std::ranges::sort(cell.values);
    cell.known = {};
    cell.readers = {};
  }
  std::ranges::sort(addresses_);
  new_states_ = {};
  due_values_ = {};
  later_values_ = {};
}

std::vector<Value> ValueClosure::values(Value address) const {
  const auto found = cell_numbers_.find(address);
  if (found == cell_numbers_.end()) return {initial_cell(program_, address).value};
  return cells_[found->second].values;
}

std::string ValueClosure::reason() const {
  switch (end_) {
    case End::kClosed: return "";
    case End::kTooManyValues:
      return fmt::format("{} takes more than {} values", program_.address_name(address_),
                         limits_.values_per_address);
    case End::kTooManyStates:
      return fmt::format("thread {} has more than {} local states", program_.thread(thread_).name,
                         limits_.states_per_thread);
    case End::kCut:
      return fmt::format("thread {} runs for too long without touching memory, at {}",
                         program_.thread(thread_).name,
                         location_ ? program_.location_name(location_) : std::string("its end"));
    case End::kAllocates: return "the program allocates memory while it runs, so addresses are without end";
    case End::kStopped: return "stopped";
  }
  return "";
}

}  // namespace weir
