#include "check/unordered_accesses.hpp"

#include <algorithm>

#include "check/happens_before.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

// An access or a fence, with what C says about it.
struct Operation {
  std::size_t step = 0;
  ThreadId thread;
  bool locks = false, unlocks = false;
  bool fence = false, reads = false, writes = false, atomic = false;
  bool acquires = false, releases = false;
  Value address = 0;
  std::optional<std::size_t> source;  // the operation whose value it reads
  std::size_t unit = 0;
};

using OrderMatrix = std::vector<std::vector<bool>>;

bool is_acquire(Order order) { return order != Order::kRelaxed && order != Order::kRelease; }
bool is_release(Order order) { return order != Order::kRelaxed && order != Order::kAcquire; }

Operation operation_of(const Program& program, const Witness& witness, const TraceEvent& event,
                       bool in_block) {
  const Instruction& instruction = program.edge(event.edge).instruction;
  const bool only_compares = instruction.op == Opcode::kRmw && instruction.rmw == RmwOp::kCompareExchange &&
                             !witness.steps[event.step].stored;
  Operation result{.step = event.step, .thread = event.thread, .reads = event.reads, .writes = event.writes};
  result.address = event.address;
  result.unit = event.unit;
  result.atomic = in_block || !instruction.plain;
  result.acquires = in_block || is_acquire(only_compares ? instruction.failing : instruction.order);
  result.releases = in_block || is_release(instruction.order);
  return result;
}

// Only the order of a fence counts; a full one has all. Taking and giving back the lock are something like
// it.
std::optional<Operation> fence_of(const Program& program, const WitnessStep& step, std::size_t index) {
  if (step.kind == WitnessStep::Kind::kFlush) return std::nullopt;
  const Instruction& instruction = program.edge(step.edge).instruction;
  if (instruction.op == Opcode::kLock || instruction.op == Opcode::kUnlock)
    return Operation{.step = index,
                     .thread = step.thread,
                     .locks = instruction.op == Opcode::kLock,
                     .unlocks = instruction.op == Opcode::kUnlock};
  if (instruction.op != Opcode::kFence && instruction.op != Opcode::kNop) return std::nullopt;
  const bool full = instruction.op == Opcode::kFence && instruction.fence == FenceKind::kFull;
  return Operation{.step = index,
                   .thread = step.thread,
                   .fence = true,
                   .acquires = full || is_acquire(instruction.order),
                   .releases = full || is_release(instruction.order)};
}

std::vector<Operation> operations_of(const Program& program, const Witness& witness) {
  const std::vector<TraceEvent> events = trace_events(program, witness);
  const Buffering buffering = find_buffering(program, witness);
  std::vector<Operation> found;
  std::vector<std::size_t> place(events.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    if (next < events.size() && events[next].step == i) {
      place[next] = found.size();
      found.push_back(operation_of(program, witness, events[next], buffering.in_atomic[i]));
      if (events[next].source) found.back().source = place[*events[next].source];
      ++next;
    } else if (const auto fence = fence_of(program, witness.steps[i], i)) {
      found.push_back(*fence);
    }
  }
  return found;
}

class StandardRelations {
 public:
  explicit StandardRelations(const std::vector<Operation>& operations)
      : operations_(operations), before_(operations.size(), std::vector<bool>(operations.size())) {
    for (std::size_t a = 0; a < size(); ++a)
      for (std::size_t b = 0; b < size(); ++b) before_[a][b] = sequenced(a, b) || synchronises(a, b);
    close();
  }

  bool happens_before(std::size_t a, std::size_t b) const { return before_[a][b]; }

 private:
  std::size_t size() const { return operations_.size(); }

  bool sequenced(std::size_t a, std::size_t b) const {
    return operations_[a].thread == operations_[b].thread && a < b;
  }

  bool synchronises(std::size_t a, std::size_t b) const {
    if (operations_[a].unlocks && operations_[b].locks && a < b) return true;
    if (!operations_[a].releases || !operations_[b].acquires) return false;
    for (std::size_t write = 0; write < size(); ++write)
      for (std::size_t read = 0; read < size(); ++read)
        if (releases_by(a, write) && acquires_by(b, read) && reads_from_sequence(read, write)) return true;
    return false;
  }

  bool releases_by(std::size_t release, std::size_t write) const {
    const Operation& w = operations_[write];
    return w.writes && w.atomic &&
           (operations_[release].fence ? sequenced(release, write) : release == write);
  }

  bool acquires_by(std::size_t acquire, std::size_t read) const {
    const Operation& r = operations_[read];
    return r.reads && r.atomic && (operations_[acquire].fence ? sequenced(read, acquire) : acquire == read);
  }

  bool reads_from_sequence(std::size_t read, std::size_t head) const {
    for (std::optional<std::size_t> source = operations_[read].source; source;) {
      if (*source == head) return true;
      const Operation& member = operations_[*source];
      if (!member.reads || !member.atomic)
        return false;  // no read-modify-write: it starts a sequence of its own
      source = member.source;
    }
    return false;
  }

  void close() {
    for (std::size_t k = 0; k < size(); ++k)
      for (std::size_t a = 0; a < size(); ++a)
        if (before_[a][k])
          for (std::size_t b = 0; b < size(); ++b)
            if (before_[k][b]) before_[a][b] = true;
  }

  const std::vector<Operation>& operations_;
  OrderMatrix before_;
};

bool is_access(const Operation& operation) { return operation.reads || operation.writes; }

bool conflict(const Operation& a, const Operation& b) {
  return is_access(a) && is_access(b) && a.thread != b.thread && a.address == b.address &&
         (a.writes || b.writes) && (!a.atomic || !b.atomic);
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> unordered_at_end(const Program& program,
                                                                    const Witness& witness) {
  const std::vector<Operation> operations = operations_of(program, witness);
  const auto last = std::find_if(operations.rbegin(), operations.rend(), is_access);
  if (last == operations.rend()) return std::nullopt;
  const StandardRelations relations(operations);
  for (std::size_t b = 0; b < operations.size(); ++b) {
    if (!is_access(operations[b]) || operations[b].unit != last->unit) continue;
    for (std::size_t a = 0; a < operations.size(); ++a)
      if (conflict(operations[a], operations[b]) && !relations.happens_before(a, b) &&
          !relations.happens_before(b, a))
        return std::pair{operations[a].step, operations[b].step};
  }
  return std::nullopt;
}

}  // namespace weir
