// One pass over the steps. Of each thread it remembers which earlier accesses a new access comes after: all
// reads, and of the stores those that
//   - are settled: an instruction since then needed an empty buffer. They come before everything later;
//   - are ahead: TSO keeps all stores in order, PSO those before a store-store barrier. They come before
//   later stores;
//   - are open: under PSO, they come before later stores to the same address only.
// Of each kind only the latest per address is kept (under TSO, the latest of all), since it comes after the
// others.
#include "report/execution/global_order.hpp"

#include <map>
#include <optional>

#include "check/reference/access.hpp"
#include "program/ordering.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kNoEvent = static_cast<std::size_t>(-1);

using Latest = std::map<Value, std::size_t>;  // the latest store to each address

struct ThreadOrder {
  std::optional<std::size_t> read;  // the latest
  bool read_since_settled = false;
  Latest settled, ahead, open;
};

bool is_access(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }

bool keeps_stores_apart(const Instruction& instruction) {
  return (instruction.op == Opcode::kFence && puts_barrier(instruction.fence)) ||
         (instruction.op == Opcode::kStore && puts_barrier(instruction.order));
}

class GlobalOrder {
 public:
  GlobalOrder(const Program& program, const Witness& witness, const HappensBefore& relation)
      : program_(program),
        witness_(witness),
        relation_(relation),
        buffering_(find_buffering(program, witness)),
        threads_(program.threads.size()),
        event_at_(witness.steps.size(), kNoEvent) {
    for (std::size_t e = 0; e < relation.events.size(); ++e) event_at_[relation.events[e].step] = e;
  }

  std::vector<HappensBeforeEdge> run() {
    for (std::size_t i = 0; i < witness_.steps.size(); ++i)
      if (witness_.steps[i].kind == WitnessStep::Kind::kInstruction) take(i);
    for (const HappensBeforeEdge& edge : relation_.edges)
      if (edge.relation != Relation::kProgramOrder && !is_early_read(edge)) edges_.push_back(edge);
    return std::move(edges_);
  }

 private:
  // A read from the own buffer returns what is not in memory yet.
  bool is_early_read(const HappensBeforeEdge& edge) const {
    return edge.relation == Relation::kReadsFrom && buffers_stores(witness_.model) &&
           relation_.events[edge.from].thread == relation_.events[edge.to].thread;
  }

  void take(std::size_t step) {
    const Instruction& instruction = program_.edge(witness_.steps[step].edge).instruction;
    if (is_access(instruction.op) && region_of(program_, witness_.steps[step].address) == Region::kPrivate)
      return;
    ThreadOrder& thread = threads_[witness_.steps[step].thread.index()];
    const std::size_t event = event_at_[step];
    const bool written_at_once =
        event != kNoEvent && relation_.events[event].writes && !buffering_.buffered[step];
    const bool drains =
        !buffers_stores(witness_.model) || waits_for_empty_buffer(instruction) || written_at_once;
    if (drains)
      settle(thread);
    else if (keeps_stores_apart(instruction))
      put_ahead(thread);
    if (event == kNoEvent) return;
    come_after(thread, event);
    remember(thread, event);
    if (drains) settle(thread);
  }

  static void put_ahead(ThreadOrder& thread) {
    for (const auto& [address, store] : thread.open) thread.ahead[address] = store;
    thread.open.clear();
  }

  static void settle(ThreadOrder& thread) {
    put_ahead(thread);
    if (thread.ahead.empty()) return;
    thread.settled = std::move(thread.ahead);
    thread.ahead.clear();
    thread.read_since_settled = false;
  }

  void come_after(const ThreadOrder& thread, std::size_t event) {
    const TraceEvent& access = relation_.events[event];
    if (!thread.read_since_settled) add_all(thread.settled, event);
    if (thread.read) add(*thread.read, event);
    if (!access.writes) return;
    add_all(thread.ahead, event);
    if (const auto same = thread.open.find(access.address); same != thread.open.end())
      add(same->second, event);
  }

  void remember(ThreadOrder& thread, std::size_t event) const {
    const TraceEvent& access = relation_.events[event];
    if (access.reads) {
      thread.read = event;
      thread.read_since_settled = true;
    }
    if (!access.writes) return;
    if (reorders_stores(witness_.model)) {
      thread.open[access.address] = event;
    } else {
      thread.ahead = {{access.address, event}};
    }
  }

  void add_all(const Latest& stores, std::size_t event) {
    for (const auto& [address, store] : stores) add(store, event);
  }
  void add(std::size_t from, std::size_t to) {
    if (!edges_.empty() && edges_.back().from == from && edges_.back().to == to) return;  // an update
    edges_.push_back({from, to, Relation::kProgramOrder});
  }

  const Program& program_;
  const Witness& witness_;
  const HappensBefore& relation_;
  const Buffering buffering_;
  std::vector<ThreadOrder> threads_;
  std::vector<std::size_t> event_at_;  // per step
  std::vector<HappensBeforeEdge> edges_;
};

}  // namespace

std::vector<HappensBeforeEdge> global_order(const Program& program, const Witness& witness,
                                            const HappensBefore& relation) {
  return GlobalOrder(program, witness, relation).run();
}

}  // namespace weir
