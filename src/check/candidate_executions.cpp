// A depth-first search over two kinds of choices: which of several executable edges a thread takes, and what
// a read reads. One state is changed and changed back.
#include "check/candidate_executions.hpp"

#include <fmt/format.h>

#include "check/reference/evaluator.hpp"

namespace weir {

namespace {

constexpr std::uint64_t kStepsBetweenLooks = 1024;  // at whether to stop

struct ThreadRun {
  LocationId location;
  std::vector<Value> registers;
  EdgeId read;              // the load or read-modify-write at which it waits for a source; none: it runs
  Value address = 0;        // of that
  std::size_t refused = 0;  // it reads from none of the first so many writes; the initial one counts
  bool ended = false;
  std::uint32_t drains = 0, barriers = 0, local_steps = 0;
};

// Why the candidates of a program cannot be built.
struct Unsupported {
  std::string reason;
};

class CandidateSearch {
 public:
  CandidateSearch(const Program& program, const CandidateLimits& limits,
                  const std::function<void(const Candidate&)>& visit)
      : program_(program), limits_(limits), visit_(visit) {}

  void run() {
    for (const Thread& thread : program_.threads) {
      const Function& function = program_.function(thread.function);
      if (thread.dormant) throw Unsupported{"a thread is dormant"};
      ThreadRun& start = threads_.emplace_back();
      start.location = function.entry;
      for (const Register& reg : function.registers) start.registers.push_back(reg.initial);
      for (std::size_t k = 0; k < thread.arguments.size(); ++k) start.registers[k] = thread.arguments[k];
    }
    search();
  }

 private:
  // Lets the first thread that can go on do so, in every way.
  void search() {
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (!threads_[t].ended && !threads_[t].read) return run_thread(t);
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (threads_[t].read && threads_[t].refused <= writes_to(threads_[t].address)) return read_something(t);
    for (const ThreadRun& thread : threads_)
      if (!thread.ended) return;  // waits for a write that does not come
    candidate_.registers.clear();
    for (const ThreadRun& thread : threads_) candidate_.registers.push_back(thread.registers);
    visit_(candidate_);
  }

  std::size_t writes_to(Value address) const {
    std::size_t count = 0;
    for (const CandidateEvent& event : candidate_.events)
      count += event.writes && event.address == address ? 1 : 0;
    return count;
  }

  // What a choice changes back before it tries the next alternative.
  struct Saved {
    std::vector<ThreadRun> threads;
    std::size_t event_count;
  };
  Saved save() const { return {threads_, candidate_.events.size()}; }
  void restore(const Saved& saved) {
    threads_ = saved.threads;
    candidate_.events.resize(saved.event_count);
  }

  // Every way on from where the thread is.
  void run_thread(std::size_t t) {
    const std::vector<EdgeId>& edges = program_.location(threads_[t].location).edges;
    if (edges.size() == 1) return execute(t, edges[0]);
    if (edges.empty()) {
      threads_[t].ended = true;
      return search();
    }
    const Saved saved = save();
    for (const EdgeId edge : edges) {
      execute(t, edge);
      restore(saved);
    }
  }

  void execute(std::size_t t, EdgeId id) {
    const Edge& edge = program_.edge(id);
    const Instruction& i = edge.instruction;
    ThreadRun& thread = threads_[t];
    count_step(thread);
    switch (i.op) {
      case Opcode::kNop: break;
      case Opcode::kAssign: set(t, i.result, value(t, i.a)); break;
      case Opcode::kAssume:
        if (value(t, i.a) == 0) return;
        break;
      case Opcode::kAssert:
        if (value(t, i.a) == 0) throw Unsupported{"an assertion can fail"};
        break;
      case Opcode::kStore: store(t, i); break;
      case Opcode::kFence:
        ++thread.barriers;
        if (i.fence == FenceKind::kFull) ++thread.drains;
        break;
      case Opcode::kLoad:
      case Opcode::kRmw:
        thread.read = id;
        thread.address = checked_address(t, i);
        thread.refused = 0;
        return search();
      case Opcode::kReturn:
      case Opcode::kStop: thread.ended = true; return search();
      case Opcode::kChoose: return choose(t, edge);
      default: throw Unsupported{"lock sections, atomic blocks, calls and allocation have no axioms here"};
    }
    thread.location = edge.target;
    search();
  }

  void choose(std::size_t t, const Edge& edge) {
    const Saved saved = save();
    for (Value chosen = edge.instruction.low; chosen <= edge.instruction.high; ++chosen) {
      set(t, edge.instruction.result, chosen);
      threads_[t].location = edge.target;
      search();
      restore(saved);
    }
  }

  void store(std::size_t t, const Instruction& i) {
    ThreadRun& thread = threads_[t];
    const Value address = checked_address(t, i);
    const bool sequential = i.order == Order::kSequential;
    const bool releases = i.order == Order::kRelease || i.order == Order::kAcquireRelease;
    if (sequential) ++thread.drains;
    if (sequential || releases) ++thread.barriers;
    CandidateEvent event = new_event(t, address);
    event.writes = true;
    event.written = in_cell(address, value(t, i.b));
    add_event(event);
    if (!sequential) return;
    ++thread.drains;
    ++thread.barriers;
  }

  // The read of thread t takes place with each source that is new to it, or is put off.
  void read_something(std::size_t t) {
    const Saved saved = save();
    const Value address = threads_[t].address;
    const std::size_t refused = threads_[t].refused;
    if (refused == 0) {
      take_source(t, CandidateEvent::kInitial);
      restore(saved);
    }
    std::size_t number = 0;
    for (std::size_t e = 0; e < saved.event_count; ++e) {
      const CandidateEvent& event = candidate_.events[e];
      if (!event.writes || event.address != address || ++number < refused) continue;
      take_source(t, e);
      restore(saved);
    }
    threads_[t].refused = number + 1;
    search();
  }

  void take_source(std::size_t t, std::size_t source) {
    ThreadRun& thread = threads_[t];
    const Edge& edge = program_.edge(thread.read);
    const Instruction& i = edge.instruction;
    const Value content =
        source == CandidateEvent::kInitial ? initial(thread.address) : candidate_.events[source].written;
    const Value read = wrap(static_cast<std::uint64_t>(content), i.type);
    if (i.op == Opcode::kLoad && i.waits) {
      const Value awaited = wrap(static_cast<std::uint64_t>(value(t, i.c)), i.type);
      if ((read == awaited) != i.until) return;
    }
    const bool locked = i.op == Opcode::kRmw;
    if (locked) {
      ++thread.drains;
      ++thread.barriers;
    }
    CandidateEvent event = new_event(t, thread.address);
    event.reads = true;
    event.source = source;
    if (locked) update(t, i, read, event);
    add_event(event);
    if (i.result) set(t, i.result, read);
    if (locked) {
      ++thread.drains;
      ++thread.barriers;
    }
    thread.read = {};
    thread.local_steps = 0;
    thread.location = edge.target;
    search();
  }

  void update(std::size_t t, const Instruction& i, Value read, CandidateEvent& event) {
    const Value operand = wrap(static_cast<std::uint64_t>(value(t, i.b)), i.type);
    const bool compares = i.rmw == RmwOp::kCompareExchange;
    event.writes = !compares || read == wrap(static_cast<std::uint64_t>(value(t, i.c)), i.type);
    if (event.writes)
      event.written = in_cell(event.address, compares ? operand : modify(i.rmw, read, operand, i.type));
  }

  CandidateEvent new_event(std::size_t t, Value address) const {
    CandidateEvent event;
    event.thread = t;
    event.address = address;
    event.drains = threads_[t].drains;
    event.barriers = threads_[t].barriers;
    return event;
  }

  void add_event(const CandidateEvent& event) {
    if (candidate_.events.size() == limits_.events)
      throw Unsupported{fmt::format("an execution has more than {} accesses", limits_.events)};
    candidate_.events.push_back(event);
    threads_[event.thread].local_steps = 0;
  }

  void count_step(ThreadRun& thread) {
    const bool stopped = steps_ % kStepsBetweenLooks == 0 && limits_.stopped && limits_.stopped();
    if (++steps_ > limits_.steps || stopped) throw Unsupported{"there are too many candidate executions"};
    if (++thread.local_steps > limits_.local_steps) throw Unsupported{"a thread runs on without an access"};
  }

  // Values and memory.

  Value value(std::size_t t, ExprId id) const {
    const auto result = evaluate(program_, id, [&](const Expression& leaf) -> Value {
      if (leaf.op == ExprOp::kRegister) return threads_[t].registers[leaf.reg.index()];
      if (leaf.op == ExprOp::kSelf) return static_cast<Value>(t);
      throw Unsupported{"private memory has no axioms here"};
    });
    if (!result) throw Unsupported{"a division by zero is possible"};
    return *result;
  }

  void set(std::size_t t, RegisterId reg, Value value) {
    const Type type = program_.function(program_.threads[t].function).registers[reg.index()].type;
    threads_[t].registers[reg.index()] = wrap(static_cast<std::uint64_t>(value), type);
  }

  Value checked_address(std::size_t t, const Instruction& i) const {
    const Value address = value(t, i.a);
    const auto object = program_.object_at(address);
    if (!object && program_.open_memory) return address;
    if (!object) throw Unsupported{"an access can miss every variable"};
    const SharedObject& found = program_.object(*object);
    if (found.type.bits != i.type.bits || found.constant)
      throw Unsupported{"an access can have another width than its variable, or write a constant"};
    return address;
  }

  Value initial(Value address) const {
    const auto object = program_.object_at(address);
    if (!object) return 0;
    const SharedObject& found = program_.object(*object);
    const Value content = found.initial[static_cast<std::size_t>((address - found.base) / found.stride)];
    if (content == kUninitialised) throw Unsupported{"an uninitialised cell can be read"};
    return content;
  }

  Value in_cell(Value address, Value content) const {
    const auto object = program_.object_at(address);
    return wrap(static_cast<std::uint64_t>(content), object ? program_.object(*object).type : kInt64);
  }

  const Program& program_;
  CandidateLimits limits_;
  const std::function<void(const Candidate&)>& visit_;
  std::vector<ThreadRun> threads_;
  Candidate candidate_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::optional<std::string> for_each_candidate(const Program& program, const CandidateLimits& limits,
                                              const std::function<void(const Candidate&)>& visit) {
  try {
    CandidateSearch(program, limits, visit).run();
  } catch (const Unsupported& unsupported) {
    return unsupported.reason;
  }
  return std::nullopt;
}

}  // namespace weir
