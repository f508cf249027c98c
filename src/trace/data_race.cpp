#include "trace/data_race.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/address.hpp"
#include "program/source_terms.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

bool acquires(Order order) {
  return order == Order::kAcquire || order == Order::kAcquireRelease || order == Order::kSequential;
}

bool releases(Order order) {
  return order == Order::kRelease || order == Order::kAcquireRelease || order == Order::kSequential;
}

// Per thread, how many of its accesses happen before.
class Clock {
 public:
  explicit Clock(std::size_t threads = 0) : times_(threads) {}

  std::uint32_t operator[](ThreadId thread) const { return times_.empty() ? 0 : times_[thread.index()]; }
  std::uint32_t tick(ThreadId thread) { return ++times_[thread.index()]; }
  void join(const Clock& other) {
    for (std::size_t t = 0; t < other.times_.size(); ++t) times_[t] = std::max(times_[t], other.times_[t]);
  }

 private:
  std::vector<std::uint32_t> times_;
};

// What an instruction of an execution does to one cell.
struct Access {
  ThreadId thread;
  bool reads = false, writes = false, plain = false;
  Order read_order = Order::kRelaxed, write_order = Order::kRelaxed;
};

class RaceSearch {
 public:
  RaceSearch(const Program& program, const Witness& witness)
      : program_(program),
        witness_(witness),
        buffering_(find_buffering(program, witness)),
        threads_(program.threads.size(), Knowledge(program.threads.size())) {}

  std::optional<DataRace> run() {
    for (std::size_t i = 0; i < witness_.steps.size() && !found_; ++i)
      if (witness_.steps[i].kind == WitnessStep::Kind::kFlush)
        flush(i);
      else
        execute(i);
    return found_;
  }

 private:
  struct Knowledge {
    explicit Knowledge(std::size_t threads) : now(threads), released(threads), acquired(threads) {}
    Clock now;
    Clock released;  // by the latest fence that releases
    Clock acquired;  // what the next fence that acquires will know: what atomic reads have found released
  };

  struct Latest {
    std::uint32_t time = 0;  // of the thread; 0: none
    std::size_t step = 0;
  };

  enum Kind : std::size_t { kPlainRead, kPlainWrite, kAtomicRead, kAtomicWrite, kKinds };

  struct Cell {
    Clock released;                                    // by the latest write in memory
    std::vector<std::array<Latest, kKinds>> accesses;  // per thread
  };

  Cell& cell(Value address) {
    Cell& cell = cells_[address];
    if (cell.accesses.empty()) cell.accesses.resize(program_.threads.size());
    return cell;
  }

  void execute(std::size_t i) {
    const WitnessStep& step = witness_.steps[i];
    const Instruction& instruction = program_.edge(step.edge).instruction;
    switch (instruction.op) {
      case Opcode::kNop: return fence(step.thread, instruction.order);
      case Opcode::kFence:
        return fence(step.thread,
                     instruction.fence == FenceKind::kFull ? Order::kSequential : instruction.order);
      case Opcode::kLock: return threads_[step.thread.index()].now.join(lock_);
      case Opcode::kUnlock: lock_ = threads_[step.thread.index()].now; return;
      case Opcode::kLoad:
      case Opcode::kStore:
      case Opcode::kRmw:
        if (address_kind(step.address) != AddressKind::kPrivate) access(i, access_of(i));
        return;
      default: return;
    }
  }

  void fence(ThreadId thread, Order order) {
    Knowledge& own = threads_[thread.index()];
    if (acquires(order)) own.now.join(own.acquired);
    if (releases(order)) own.released = own.now;
  }

  Access access_of(std::size_t i) const {
    const WitnessStep& step = witness_.steps[i];
    const Instruction& instruction = program_.edge(step.edge).instruction;
    const bool fails = instruction.rmw == RmwOp::kCompareExchange && !step.stored;
    Access access{
        .thread = step.thread,
        .reads = instruction.op != Opcode::kStore,
        .writes = instruction.op == Opcode::kStore || (instruction.op == Opcode::kRmw && step.stored),
        .plain = instruction.plain,
        .read_order = instruction.op == Opcode::kRmw && fails ? instruction.failing : instruction.order,
        .write_order = instruction.order};
    if (buffering_.in_atomic[i]) {
      access.plain = false;
      access.read_order = access.write_order = Order::kAcquireRelease;
    }
    return access;
  }

  void access(std::size_t i, const Access& access) {
    Cell& place = cell(witness_.steps[i].address);
    Knowledge& own = threads_[access.thread.index()];
    if (access.reads && !access.plain && !reads_own_buffer(access.thread, witness_.steps[i].address))
      read(own, place, access.read_order);
    look_for_race(i, access, place);
    note(i, access, place);
    if (access.writes) write(i, access, place);
  }

  static void read(Knowledge& own, const Cell& place, Order order) {
    own.acquired.join(place.released);
    if (acquires(order)) own.now.join(place.released);
  }

  bool reads_own_buffer(ThreadId thread, Value address) const {
    const auto waiting = in_buffer_.find({thread.index(), address});
    return waiting != in_buffer_.end() && waiting->second > 0;
  }

  void look_for_race(std::size_t i, const Access& access, const Cell& place) {
    for (std::size_t t = 0; t < place.accesses.size(); ++t) {
      const ThreadId other(t);
      if (other == access.thread) continue;
      for (std::size_t kind = 0; kind < kKinds; ++kind) {
        const Latest& latest = place.accesses[t][kind];
        const bool writes = kind == kPlainWrite || kind == kAtomicWrite;
        const bool plain = kind == kPlainRead || kind == kPlainWrite;
        if (latest.time <= threads_[access.thread.index()].now[other]) continue;
        if ((access.writes || writes) && (access.plain || plain)) found_ = DataRace{latest.step, i};
      }
    }
  }

  void note(std::size_t i, const Access& access, Cell& place) {
    const std::uint32_t time = threads_[access.thread.index()].now.tick(access.thread);
    std::array<Latest, kKinds>& latest = place.accesses[access.thread.index()];
    if (access.reads) latest[access.plain ? kPlainRead : kAtomicRead] = {time, i};
    if (access.writes) latest[access.plain ? kPlainWrite : kAtomicWrite] = {time, i};
  }

  // What a thread that reads this write and acquires knows then.
  Clock released_by(const Access& access, const Cell& place) const {
    const Knowledge& own = threads_[access.thread.index()];
    Clock released(program_.threads.size());
    if (access.plain) return released;
    released = releases(access.write_order) ? own.now : own.released;
    if (access.reads) released.join(place.released);
    return released;
  }

  void write(std::size_t i, const Access& access, Cell& place) {
    Clock released = released_by(access, place);
    if (!buffering_.buffered[i]) {
      place.released = std::move(released);
      return;
    }
    pending_.emplace(i, std::move(released));
    ++in_buffer_[{access.thread.index(), witness_.steps[i].address}];
  }

  void flush(std::size_t i) {
    const std::size_t store = buffering_.partner[i];
    const auto waiting = pending_.find(store);
    if (waiting == pending_.end()) return;  // a block was freed, or private memory
    const WitnessStep& step = witness_.steps[store];
    cell(step.address).released = std::move(waiting->second);
    pending_.erase(waiting);
    --in_buffer_[{step.thread.index(), step.address}];
  }

  const Program& program_;
  const Witness& witness_;
  const Buffering buffering_;
  std::vector<Knowledge> threads_;
  Clock lock_;  // released by the latest holder of the global lock
  absl::flat_hash_map<Value, Cell> cells_;
  absl::flat_hash_map<std::size_t, Clock> pending_;  // of stores in buffers, by their steps
  absl::flat_hash_map<std::pair<std::size_t, Value>, std::uint32_t>
      in_buffer_;  // stores of a thread to an address
  std::optional<DataRace> found_;
};

bool is_unordered(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::kLoad: return !instruction.plain && !acquires(instruction.order);
    case Opcode::kStore: return !instruction.plain && !releases(instruction.order);
    case Opcode::kRmw:
      return !acquires(instruction.order) || !releases(instruction.order) ||
             (instruction.rmw == RmwOp::kCompareExchange && !acquires(instruction.failing));
    default: return false;
  }
}

}  // namespace

std::optional<DataRace> find_data_race(const Program& program, const Witness& witness) {
  return RaceSearch(program, witness).run();
}

bool has_unordered_atomics(const Program& program) {
  const auto is_plain = [](const Edge& edge) { return edge.instruction.plain; };
  const auto unordered = [](const Edge& edge) { return is_unordered(edge.instruction); };
  return std::ranges::any_of(program.edges, is_plain) && std::ranges::any_of(program.edges, unordered);
}

Violation violation_of(const Program& program, const Witness& witness, const DataRace& race) {
  const WitnessStep& first = witness.steps[race.first];
  const WitnessStep& second = witness.steps[race.second];
  const auto verb = [&](const WitnessStep& step) {
    const Opcode op = program.edge(step.edge).instruction.op;
    return op == Opcode::kStore || step.stored ? "writes" : "reads";
  };
  const auto terms = terms_of(program);
  const std::string where = program.sources.describe(own_position(program, terms.get(), first.edge));
  return {ViolationKind::kRace,
          fmt::format("data race on {}: {} {} it{}{}, {} {} it, and neither happens before the other",
                      program.address_name(second.address), program.thread(first.thread).name, verb(first),
                      where.empty() ? "" : " at ", where, program.thread(second.thread).name, verb(second)),
          program.edge(second.edge).position, kUnordered};
}

}  // namespace weir
