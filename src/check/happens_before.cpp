// Three parts: the events, in one pass over the steps; the relation between neighbours; and shortest cycles,
// by a breadth-first search from each unit. Program order, coherence and from-read are chains, which a search
// walks only as far as it has not been before, so that one search takes linear time although one edge of a
// cycle may jump along the chain.
#include "check/happens_before.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "check/reference/access.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

constexpr std::size_t kNoEvent = std::numeric_limits<std::size_t>::max();

// Events.

class EventCollector {
 public:
  EventCollector(const Program& program, const Witness& witness)
      : program_(program),
        witness_(witness),
        buffering_(find_buffering(program, witness)),
        sections_(program.threads.size()),
        event_of_(witness.steps.size(), kNoEvent) {}

  std::vector<TraceEvent> run() {
    for (std::size_t i = 0; i < successful_steps(); ++i)
      if (witness_.steps[i].kind == WitnessStep::Kind::kFlush)
        take_flush(i);
      else
        take_instruction(i);
    return std::move(events_);
  }

 private:
  // Where a thread is, and the unit of its accesses there, once there has been one.
  struct Section {
    bool locked = false, atomic = false;
    std::optional<std::size_t> unit;
  };

  // Violations of these kinds are in the last step, all others are not (see replay).
  std::size_t successful_steps() const {
    const Violation& violation = witness_.violation;
    const bool last_fails = violation.kind == ViolationKind::kAssertion ||
                            (violation.kind == ViolationKind::kMemory && violation.property != kLeak);
    return witness_.steps.size() - (last_fails && !witness_.steps.empty() ? 1 : 0);
  }

  void take_flush(std::size_t i) {
    const WitnessStep& step = witness_.steps[i];
    WEIR_CHECK(buffering_.partner[i] != kNoStep, "a flush has its store: the witness is an execution");
    const std::size_t event = event_of_[buffering_.partner[i]];
    if (event == kNoEvent) return;  // a block was freed
    events_[event].visible = i;
    in_memory_[step.address] = event;
    const auto newest = in_buffer_.find({step.thread, step.address});
    if (newest->second == event) in_buffer_.erase(newest);
  }

  void take_instruction(std::size_t i) {
    Section& section = sections_[witness_.steps[i].thread.index()];
    switch (program_.edge(witness_.steps[i].edge).instruction.op) {
      case Opcode::kLock: return enter(section, &Section::locked, true);
      case Opcode::kUnlock: return enter(section, &Section::locked, false);
      case Opcode::kAtomicBegin: return enter(section, &Section::atomic, true);
      case Opcode::kAtomicEnd: return enter(section, &Section::atomic, false);
      case Opcode::kLoad:
      case Opcode::kStore:
      case Opcode::kRmw:
        if (region_of(program_, witness_.steps[i].address) == Region::kShared) take_access(i);
        return;
      default: return;
    }
  }

  // A block inside a lock section is a part of the section.
  static void enter(Section& section, bool Section::*place, bool inside) {
    const bool part_of_lock = place == &Section::atomic && section.locked;
    section.*place = inside;
    if (!part_of_lock) section.unit.reset();
  }

  void take_access(std::size_t i) {
    const WitnessStep& step = witness_.steps[i];
    const Opcode op = program_.edge(step.edge).instruction.op;
    TraceEvent event{.step = i, .visible = i, .unit = unit_of(step.thread), .thread = step.thread};
    event.edge = step.edge;
    event.address = step.address;
    event.reads = op != Opcode::kStore;
    event.writes = op == Opcode::kStore || step.stored;
    if (event.reads) event.read = step.value;
    if (event.reads) event.source = visible_write(step);
    if (event.writes) event.written = op == Opcode::kStore ? step.value : step.written;
    event_of_[i] = events_.size();
    if (event.writes) write(event, buffering_.buffered[i]);
    events_.push_back(event);
  }

  void write(TraceEvent& event, bool buffered) {
    if (buffered) {
      event.visible = witness_.steps.size();
      in_buffer_[{event.thread, event.address}] = events_.size();
    } else {
      in_memory_[event.address] = events_.size();
    }
  }

  std::size_t unit_of(ThreadId thread) {
    Section& section = sections_[thread.index()];
    if (!section.locked && !section.atomic) return units_++;
    if (!section.unit) section.unit = units_++;
    return *section.unit;
  }

  std::optional<std::size_t> visible_write(const WitnessStep& step) const {
    if (const auto own = in_buffer_.find({step.thread, step.address}); own != in_buffer_.end())
      return own->second;
    const auto written = in_memory_.find(step.address);
    return written == in_memory_.end() ? std::nullopt : std::optional(written->second);
  }

  const Program& program_;
  const Witness& witness_;
  const Buffering buffering_;
  std::vector<Section> sections_;                                // per thread
  std::vector<std::size_t> event_of_;                            // per step
  std::map<std::pair<ThreadId, Value>, std::size_t> in_buffer_;  // the newest store
  std::map<Value, std::size_t> in_memory_;                       // the latest write
  std::vector<TraceEvent> events_;
  std::size_t units_ = 0;
};

// Edges between neighbours.

void add_program_order(HappensBefore& relation) {
  std::map<ThreadId, std::size_t> latest;
  for (std::size_t event = 0; event < relation.events.size(); ++event) {
    const auto [place, first] = latest.try_emplace(relation.events[event].thread, event);
    if (!first) relation.edges.push_back({place->second, event, Relation::kProgramOrder});
    place->second = event;
  }
}

void add_reads_from(HappensBefore& relation) {
  for (std::size_t event = 0; event < relation.events.size(); ++event)
    if (const std::optional<std::size_t> source = relation.events[event].source)
      relation.edges.push_back({*source, event, Relation::kReadsFrom});
}

// A read of an initial value is overwritten by the first write. A read-modify-write is itself the first to
// overwrite what it read, and coherence goes on from there.
void add_coherence_and_from_read(HappensBefore& relation) {
  std::map<Value, std::size_t> first_write;
  std::vector<std::size_t> next_write(relation.events.size(), kNoEvent);
  for (const std::vector<std::size_t>& order : coherence_orders(relation.events)) {
    first_write[relation.events[order.front()].address] = order.front();
    for (std::size_t i = 1; i < order.size(); ++i) {
      next_write[order[i - 1]] = order[i];
      relation.edges.push_back({order[i - 1], order[i], Relation::kCoherence});
    }
  }
  for (std::size_t event = 0; event < relation.events.size(); ++event) {
    const TraceEvent& read = relation.events[event];
    if (!read.reads) continue;
    const auto first = first_write.find(read.address);
    const std::size_t next = read.source                  ? next_write[*read.source]
                             : first != first_write.end() ? first->second
                                                          : kNoEvent;
    if (next != kNoEvent && next != event) relation.edges.push_back({event, next, Relation::kFromRead});
  }
}

// Cycles.

class CycleSearch {
 public:
  explicit CycleSearch(const HappensBefore& relation)
      : events_(relation.events),
        next_in_thread_(events_.size(), kNoEvent),
        next_write_(events_.size(), kNoEvent),
        overwriter_(events_.size(), kNoEvent),
        readers_(events_.size()) {
    for (std::size_t event = 0; event < events_.size(); ++event) {
      units_.resize(std::max(units_.size(), events_[event].unit + 1));
      units_[events_[event].unit].push_back(event);
    }
    for (const auto& [from, to, relation_between] : relation.edges) switch (relation_between) {
        case Relation::kProgramOrder: next_in_thread_[from] = to; break;
        case Relation::kCoherence: next_write_[from] = to; break;
        case Relation::kFromRead: overwriter_[from] = to; break;
        case Relation::kReadsFrom: readers_[from].push_back(to); break;
      }
  }

  std::vector<HappensBeforeEdge> shortest() {
    std::vector<HappensBeforeEdge> best;
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      std::vector<HappensBeforeEdge> cycle = shortest_through(unit);
      if (!cycle.empty() && (best.empty() || cycle.size() < best.size())) best = std::move(cycle);
    }
    stretch_program_order(best);
    return best;
  }

 private:
  using Chain = std::vector<std::size_t>;  // per event the next; kNoEvent at the end

  std::vector<HappensBeforeEdge> shortest_through(std::size_t start) {
    start_ = start;
    closing_.reset();
    entered_by_.assign(units_.size(), std::nullopt);
    walked_in_thread_.assign(events_.size(), false);
    walked_writes_.assign(events_.size(), false);
    queue_ = {start};
    for (std::size_t head = 0; head < queue_.size() && !closing_; ++head)
      for (const std::size_t event : units_[queue_[head]]) expand(event);
    return closing_ ? way_to_closing() : std::vector<HappensBeforeEdge>{};
  }

  void expand(std::size_t event) {
    walk(event, next_in_thread_[event], Relation::kProgramOrder, next_in_thread_, walked_in_thread_);
    walk(event, next_write_[event], Relation::kCoherence, next_write_, walked_writes_);
    walk(event, overwriter_[event], Relation::kFromRead, next_write_, walked_writes_);
    for (const std::size_t reader : readers_[event]) reach({event, reader, Relation::kReadsFrom});
  }

  // What was walked before was reached at least as early. The walks from the start leave no mark: they may
  // pass events of the start itself, which others still have to find in order to close the cycle.
  void walk(std::size_t from, std::size_t to, Relation relation, const Chain& next,
            std::vector<bool>& walked) {
    for (; to != kNoEvent && !walked[to]; to = next[to]) {
      if (events_[from].unit != start_) walked[to] = true;
      reach({from, to, relation});
    }
  }

  void reach(const HappensBeforeEdge& edge) {
    const std::size_t unit = events_[edge.to].unit;
    if (closing_ || unit == events_[edge.from].unit || entered_by_[unit]) return;
    if (unit == start_) {
      closing_ = edge;
    } else {
      entered_by_[unit] = edge;
      queue_.push_back(unit);
    }
  }

  std::vector<HappensBeforeEdge> way_to_closing() const {
    std::vector<HappensBeforeEdge> way = {*closing_};
    for (std::size_t unit = events_[closing_->from].unit; unit != start_;) {
      way.push_back(*entered_by_[unit]);
      unit = events_[way.back().from].unit;
    }
    std::ranges::reverse(way);
    return way;
  }

  // From the event at which the cycle enters the thread to the one at which it leaves it.
  static void stretch_program_order(std::vector<HappensBeforeEdge>& cycle) {
    const std::size_t size = cycle.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (cycle[i].relation != Relation::kProgramOrder) continue;
      const HappensBeforeEdge& before = cycle[(i + size - 1) % size];
      const HappensBeforeEdge& after = cycle[(i + 1) % size];
      WEIR_CHECK(before.relation != Relation::kProgramOrder && after.relation != Relation::kProgramOrder,
                 "in a shortest cycle, two steps of program order would be one");
      cycle[i].from = before.to;
      cycle[i].to = after.from;
    }
  }

  const std::vector<TraceEvent>& events_;
  std::vector<std::vector<std::size_t>> units_;  // their events
  Chain next_in_thread_;
  Chain next_write_;
  Chain overwriter_;  // no chain, but where a read joins that of the writes
  std::vector<std::vector<std::size_t>> readers_;

  // Of the search that starts at one unit.
  std::size_t start_ = 0;
  std::optional<HappensBeforeEdge> closing_;                  // back to the start
  std::vector<std::optional<HappensBeforeEdge>> entered_by_;  // per unit
  std::vector<bool> walked_in_thread_, walked_writes_;        // per event
  std::vector<std::size_t> queue_;
};

}  // namespace

const char* name(Relation relation) {
  switch (relation) {
    case Relation::kProgramOrder: return "po";
    case Relation::kReadsFrom: return "rf";
    case Relation::kCoherence: return "co";
    case Relation::kFromRead: return "fr";
  }
  return "?";
}

std::vector<TraceEvent> trace_events(const Program& program, const Witness& witness) {
  return EventCollector(program, witness).run();
}

std::vector<std::vector<std::size_t>> coherence_orders(const std::vector<TraceEvent>& events) {
  std::map<Value, std::vector<std::size_t>> orders;
  for (std::size_t event = 0; event < events.size(); ++event)
    if (events[event].writes) orders[events[event].address].push_back(event);
  std::vector<std::vector<std::size_t>> found;
  for (auto& [address, order] : orders) {
    std::ranges::stable_sort(order, {}, [&](std::size_t event) { return events[event].visible; });
    found.push_back(std::move(order));
  }
  return found;
}

HappensBefore happens_before(const Program& program, const Witness& witness) {
  return relate(trace_events(program, witness));
}

HappensBefore relate(std::vector<TraceEvent> events) {
  HappensBefore relation{.events = std::move(events), .edges = {}};
  add_program_order(relation);
  add_reads_from(relation);
  add_coherence_and_from_read(relation);
  return relation;
}

std::vector<HappensBeforeEdge> HappensBefore::cycle() const { return CycleSearch(*this).shortest(); }

}  // namespace weir
