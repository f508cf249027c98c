#include "check/dual/moves.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "base/error.hpp"
#include "check/reference/access.hpp"
#include "check/reference/instruction.hpp"

namespace weir::certificates {

namespace {

constexpr std::size_t kMostWays = 1'000'000;  // through one block from one local state

bool is_access(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }

// A thread inside an atomic block or a section, and what it found and left in memory so far.
struct Way {
  LocationId location;
  std::vector<Value> registers;
  Cells before, after;

  friend auto operator<=>(const Way&, const Way&) = default;
};

}  // namespace

// All moves from one local state.
class Threads::Unfolding {
 public:
  Unfolding(Threads& threads, StateIndex from)
      : threads_(threads),
        program_(threads.program_),
        from_(from),
        state_(threads.certificate_.states[from]) {
    scratch_.threads.resize(program_.threads.size());
    scratch_.buffers.resize(program_.threads.size());
  }

  void run() {
    if (!state_.location) return;
    for (const EdgeId edge : program_.location(state_.location).edges)
      if (threads_.mistake_.empty()) add_moves(edge);
  }

 private:
  void add_moves(EdgeId id) {
    const Instruction& instruction = program_.edge(id).instruction;
    switch (instruction.op) {
      case Opcode::kAtomicBegin:
      case Opcode::kLock: return add_ways(id);
      case Opcode::kAtomicEnd:
      case Opcode::kUnlock:        // nothing is open here, so they are not executable
      case Opcode::kHalt: return;  // nothing follows
      case Opcode::kChoose: return add_choices(id);
      case Opcode::kFence:
        return add_outcome(instruction.fence == FenceKind::kFull ? MoveKind::kLocked : MoveKind::kLocal, id);
      case Opcode::kLoad:
      case Opcode::kStore:
      case Opcode::kRmw: return add_access(id);
      default: return add_outcome(MoveKind::kLocal, id);
    }
  }

  // Executing.

  Execution execute_from(LocationId location, const std::vector<Value>& registers, const Cells& memory,
                         EdgeId edge, Value chosen, bool in_block) {
    ThreadState& thread = scratch_.threads[state_.thread.index()];
    thread.stack = {Activation{.function = program_.thread(state_.thread).function,
                               .location = location,
                               .call = EdgeId::none(),
                               .registers = registers,
                               .bytes = {}}};
    scratch_.buffers[state_.thread.index()].clear();
    scratch_.lock.reset();
    scratch_.memory.clear();
    for (const auto& [address, value] : memory) write_memory(program_, scratch_.memory, address, value);
    Execution done =
        weir::execute(program_, threads_.certificate_.model, scratch_, state_.thread, edge, chosen, in_block);
    if (done.unsupported) complain(fmt::format("cannot be checked this way: {}", *done.unsupported));
    return done;
  }

  Execution execute_here(const Cells& memory, EdgeId edge, Value chosen = 0) {
    return execute_from(state_.location, state_.registers, memory, edge, chosen, /*in_block=*/false);
  }

  const Activation& after() const { return scratch_.threads[state_.thread.index()].stack.front(); }

  void complain(std::string what) {
    if (threads_.mistake_.empty()) threads_.mistake_ = std::move(what);
  }

  // Adds what `done` makes of the move; `done` was executed last.
  void add(Move move, const Execution& done) {
    if (done.obstacle != nullptr || done.unsupported) return;
    move.from = from_;
    if (!done.failure) {
      move.to = state_after(after().location, after().registers);
      if (!move.to) return;
    }
    threads_.moves_.insert(std::move(move));
  }

  std::optional<StateIndex> state_after(LocationId location, const std::vector<Value>& registers) {
    const auto found = threads_.places_.find({state_.thread, location, registers});
    if (found != threads_.places_.end()) return found->second;
    complain(fmt::format("a local state is missing: {} goes on to {}", describe(program_, state_),
                         describe(program_, {state_.thread, location, registers})));
    return std::nullopt;
  }

  // Single instructions.

  void add_outcome(MoveKind kind, EdgeId edge) { add({.kind = kind}, execute_here({}, edge)); }

  void add_choices(EdgeId edge) {
    const Instruction& instruction = program_.edge(edge).instruction;
    for (Value chosen = instruction.low; chosen <= instruction.high && threads_.mistake_.empty(); ++chosen) {
      add({.kind = MoveKind::kLocal}, execute_here({}, edge, chosen));
      if (chosen == instruction.high) break;  // so that the largest value does not overflow
    }
  }

  bool is_buffered(const Instruction& instruction) const {
    return threads_.certificate_.model == Model::kTso && instruction.op == Opcode::kStore &&
           instruction.order != Order::kSequential;
  }

  // Failures that no content of memory can avoid wait for nothing but an empty buffer, if at all; that does
  // not matter, as a buffer can always be emptied.
  void add_access(EdgeId edge) {
    const Instruction& instruction = program_.edge(edge).instruction;
    const Execution tried = execute_here({}, edge);
    const bool fails_anyway = tried.failure && !tried.failed_by_content;
    if (fails_anyway || region_of(program_, tried.step.address) == Region::kConstant)
      return add({.kind = MoveKind::kLocal}, tried);
    const Value address = tried.step.address;
    if (!values_known(address)) return;
    if (instruction.op == Opcode::kStore) return add_store(edge, address);
    for (const Value value : threads_.values(address)) add_read(edge, address, value);
  }

  void add_store(EdgeId edge, Value address) {
    const Execution done = execute_here({}, edge);
    const Value value = done.step.value;
    check_stored(address, value);
    if (is_buffered(program_.edge(edge).instruction)) {
      add({.kind = MoveKind::kStore, .address = address, .value = value}, done);
      threads_.own_values_[state_.thread.index()][address].insert(value);
    } else {
      add({.kind = MoveKind::kLocked, .after = {{address, value}}}, done);
    }
  }

  void add_read(EdgeId edge, Value address, Value value) {
    const Execution done = execute_here({{address, value}}, edge);
    const bool loads = program_.edge(edge).instruction.op == Opcode::kLoad;
    if (loads && threads_.certificate_.model == Model::kTso)
      return add({.kind = MoveKind::kLoad, .address = address, .value = value}, done);
    Move move{.kind = MoveKind::kLocked, .before = {{address, value}}};
    if (done.succeeded() && done.step.stored && !loads) {
      move.after = {{address, done.step.written}};
      check_stored(address, done.step.written);
    }
    add(std::move(move), done);
  }

  bool values_known(Value address) {
    if (threads_.values_.contains(address)) return true;
    complain(fmt::format("there are no values of {}, which {} accesses", program_.address_name(address),
                         describe(program_, state_)));
    return false;
  }

  void check_stored(Value address, Value value) {
    if (threads_.values(address).contains(value)) return;
    complain(fmt::format("a value is missing: {} stores {} to {}", describe(program_, state_), value,
                         program_.address_name(address)));
  }

  // Blocks and sections: breadth first over all ways.

  void add_ways(EdgeId begin) {
    const bool is_section = program_.edge(begin).instruction.op == Opcode::kLock;
    std::set<Way> met;
    std::deque<Way> open{{program_.edge(begin).target, state_.registers, {}, {}}};
    for (; !open.empty() && threads_.mistake_.empty(); open.pop_front()) {
      const Way& way = open.front();
      if (!way.location || !met.insert(way).second) continue;
      if (met.size() > kMostWays)
        return complain(fmt::format("cannot be checked this way: {} has too many ways through its block",
                                    describe(program_, state_)));
      for (const EdgeId edge : program_.location(way.location).edges) extend(way, edge, is_section, open);
    }
  }

  void extend(const Way& way, EdgeId id, bool is_section, std::deque<Way>& open) {
    const Edge& edge = program_.edge(id);
    switch (edge.instruction.op) {
      case Opcode::kLock:
      case Opcode::kHalt: return;
      case Opcode::kUnlock:
        if (is_section) end(way, edge.target);
        return;
      case Opcode::kAtomicEnd:
        if (!is_section) return end(way, edge.target);
        [[fallthrough]];  // a block in a section is as atomic as the section
      case Opcode::kAtomicBegin: {
        Way longer = way;
        longer.location = edge.target;
        return open.push_back(std::move(longer));
      }
      case Opcode::kChoose: return extend_by_choices(way, id, open);
      default: return extend_by_instruction(way, id, is_section, open);
    }
  }

  void end(const Way& way, LocationId target) {
    for (const auto& [address, value] : way.after) check_stored(address, value);
    const std::optional<StateIndex> to = state_after(target, way.registers);
    if (!to) return;
    threads_.moves_.insert(
        {.kind = MoveKind::kLocked, .from = from_, .to = to, .before = way.before, .after = way.after});
  }

  void extend_by_choices(const Way& way, EdgeId edge, std::deque<Way>& open) {
    const Instruction& instruction = program_.edge(edge).instruction;
    for (Value chosen = instruction.low; chosen <= instruction.high; ++chosen) {
      extend_by(way, edge, chosen, open);
      if (chosen == instruction.high || open.size() > kMostWays) break;
    }
  }

  // An instruction that reads a cell of which nothing is known yet is told each of its values.
  void extend_by_instruction(const Way& way, EdgeId edge, bool is_section, std::deque<Way>& open) {
    const Instruction& instruction = program_.edge(edge).instruction;
    if (!is_access(instruction.op)) return extend_by(way, edge, 0, open);
    const Execution tried = execute_within(way, edge, 0);
    const Value address = tried.step.address;
    const bool fails_anyway = tried.failure && !tried.failed_by_content;
    if (fails_anyway || region_of(program_, address) == Region::kConstant)
      return extend_by(way, edge, 0, open);
    if (!values_known(address)) return;
    if (is_section && instruction.op != Opcode::kLoad) threads_.written_in_sections_.insert(address);
    const bool known = way.before.contains(address) || way.after.contains(address);
    if (instruction.op == Opcode::kStore || known) return extend_by(way, edge, 0, open);
    for (const Value value : threads_.values(address)) {
      Way told = way;
      told.before[address] = value;
      extend_by(told, edge, 0, open);
    }
  }

  Execution execute_within(const Way& way, EdgeId edge, Value chosen) {
    Cells memory = way.after;
    memory.insert(way.before.begin(), way.before.end());  // what was written since stays
    return execute_from(way.location, way.registers, memory, edge, chosen, /*in_block=*/true);
  }

  void extend_by(const Way& way, EdgeId edge, Value chosen, std::deque<Way>& open) {
    const Execution done = execute_within(way, edge, chosen);
    if (done.obstacle != nullptr || done.unsupported) return;
    if (done.failure) {
      threads_.moves_.insert({.kind = MoveKind::kLocked, .from = from_, .to = {}, .before = way.before});
      return;
    }
    Way longer{after().location, after().registers, way.before, way.after};
    const Opcode op = program_.edge(edge).instruction.op;
    if (op == Opcode::kStore) longer.after[done.step.address] = done.step.value;
    if (op == Opcode::kRmw && done.step.stored) longer.after[done.step.address] = done.step.written;
    open.push_back(std::move(longer));
  }

  Threads& threads_;
  const Program& program_;
  const StateIndex from_;
  const DualCertificate::LocalState& state_;
  ReferenceState scratch_;
};

Threads::Threads(const Program& program, const DualCertificate& certificate)
    : program_(program),
      certificate_(certificate),
      states_of_(program.threads.size()),
      own_values_(program.threads.size()) {
  find_codes();
  read_values();
  if (mistake_.empty()) read_states();
  if (mistake_.empty()) unfold();
}

void Threads::find_codes() {
  for (std::size_t i = 0; i < program_.threads.size(); ++i) {
    const auto same = [&](const Thread& other) {
      return other.function == program_.threads[i].function &&
             other.arguments == program_.threads[i].arguments;
    };
    codes_.emplace_back(
        static_cast<std::size_t>(std::ranges::find_if(program_.threads, same) - program_.threads.begin()));
  }
}

void Threads::read_values() {
  for (const auto& [address, values] : certificate_.values) {
    const auto [entry, is_new] = values_.try_emplace(address, values.begin(), values.end());
    if (!is_new) mistake_ = fmt::format("the values of {} are given twice", program_.address_name(address));
    if (!entry->second.contains(read_memory(program_, {}, address)))
      mistake_ =
          fmt::format("a value is missing: what {} holds at the start", program_.address_name(address));
  }
}

void Threads::read_states() {
  for (StateIndex i = 0; i < certificate_.states.size(); ++i) {
    const auto& [thread, location, registers] = certificate_.states[i];
    const bool is_code = thread.index() < codes_.size() && code_of(thread) == thread;
    const bool known_location = !location || location.index() < program_.locations.size();
    if (!is_code || !known_location ||
        (location && program_.location(location).function != program_.thread(thread).function) ||
        registers.size() != program_.function(program_.thread(thread).function).registers.size()) {
      mistake_ = fmt::format("local state {} is none of the program's", i);
      return;
    }
    if (!places_.try_emplace({thread, location, registers}, i).second)
      mistake_ = fmt::format("a local state is listed twice: {}", describe(program_, certificate_.states[i]));
    states_of_[thread.index()].push_back(i);
  }
  for (const ThreadId code : codes())
    if (!initial_state(code))
      mistake_ = fmt::format("a local state is missing: the first one of {}", program_.thread(code).name);
}

void Threads::unfold() {
  for (StateIndex i = 0; i < certificate_.states.size() && mistake_.empty(); ++i) Unfolding(*this, i).run();
}

std::set<Value> Threads::values(Value address) const {
  const auto found = values_.find(address);
  return found != values_.end() ? found->second : std::set{read_memory(program_, {}, address)};
}

const std::map<Value, std::set<Value>>& Threads::own_values(ThreadId code) const {
  return own_values_[code.index()];
}

std::optional<std::size_t> Threads::count(ThreadId code) const {
  if (certificate_.any_number) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::count(codes_, code));
}

std::optional<StateIndex> Threads::initial_state(ThreadId code) const {
  const Thread& thread = program_.thread(code);
  const Activation first = enter_function(program_, thread.function, thread.arguments, EdgeId::none());
  const auto found = places_.find({code, first.location, first.registers});
  return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

std::vector<ThreadId> Threads::codes() const {
  std::vector<ThreadId> first;
  for (std::size_t i = 0; i < codes_.size(); ++i)
    if (codes_[i] == ThreadId(i)) first.emplace_back(i);
  return first;
}

}  // namespace weir::certificates
