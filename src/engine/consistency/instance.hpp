// The question of consistency verification: given what every thread did, and from which store every load
// took its value, is there an execution of a memory model in which all of that happens?
//
// An `Instance` holds the events of each thread in program order and, for each read, the writes it may read
// from: one of them for a reads-from map, several for the good-writes of [Toman21, Section 4.2], which only
// SC answers. Every variable has an initial write, which precedes everything. There are no names and no
// values here; whoever builds an instance keeps them.
//
// What the events mean. A write enters its thread's store buffer (TSO: one per thread; PSO: one per thread
// and variable) and reaches memory later; under SC it reaches memory at once. A read takes the newest store
// to the variable in its thread's buffer, else memory. An update (read-modify-write, successful
// compare-and-swap, lock) waits until its thread's buffers are empty, then reads and writes memory in one
// step. A fence waits until they are empty. A store fence (PSO) keeps the stores before it before those
// after it. So a failed compare-and-swap is a fence and a read, a release store a store fence and a write,
// an unlock a release store.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace weir::consistency {

enum class EventKind : std::uint8_t { kRead, kWrite, kUpdate, kFence, kStoreFence };

constexpr bool reads(EventKind kind) { return kind == EventKind::kRead || kind == EventKind::kUpdate; }
constexpr bool writes(EventKind kind) { return kind == EventKind::kWrite || kind == EventKind::kUpdate; }
// Does it wait for the thread's buffers to be empty?
constexpr bool drains(EventKind kind) { return kind == EventKind::kFence || kind == EventKind::kUpdate; }

// Events are numbered thread by thread, in program order.
using EventId = Id<struct EventTag>;
using VariableId = Id<struct VariableTag>;

// As a source of a read: the initial write of its variable.
constexpr EventId kInitialWrite = EventId::none();

class Instance {
 public:
  struct Event {
    EventKind kind;
    VariableId variable;  // none for fences
    std::uint32_t thread;
  };

  // Forgets everything but keeps the memory.
  void clear();
  void add_thread();
  // Adds an event at the end of the thread added last.
  EventId add(EventKind kind, VariableId variable = VariableId::none());
  // Lets `read` read from `write`, an event of the same variable that writes, or from the initial write. May
  // be called before the event `write` is added; `complete` checks.
  void add_source(EventId read, EventId write);
  // Must hold before an instance is verified: every read has a source, and sources write the variable read.
  bool complete() const;

  std::size_t threads() const { return first_.size(); }
  std::size_t events() const { return events_.size(); }
  std::size_t variables() const { return variables_; }
  const Event& event(EventId id) const { return events_[id.index()]; }
  // The number of the first event of a thread, and one beyond its last.
  std::uint32_t begin(std::size_t thread) const { return first_[thread]; }
  std::uint32_t end(std::size_t thread) const {
    return thread + 1 < first_.size() ? first_[thread + 1] : static_cast<std::uint32_t>(events_.size());
  }

  // Calls `visit(EventId)` for each source of a read.
  template <class Visit>
  void for_each_source(EventId read, Visit&& visit) const {
    for (std::uint32_t link = head_[read.index()]; link != kNoLink; link = links_[link].next)
      visit(links_[link].write);
  }
  // Is there exactly one source for each read?
  bool is_reads_from() const { return several_ == 0; }
  // The source of a read of a reads-from map.
  EventId source(EventId read) const {
    WEIR_ASSERT(head_[read.index()] != kNoLink, "a read has a source");
    return links_[head_[read.index()]].write;
  }

 private:
  static constexpr std::uint32_t kNoLink = 0xFFFFFFFFu;
  struct Link {
    EventId write;
    std::uint32_t next;
  };

  std::vector<Event> events_;
  std::vector<std::uint32_t> first_;  // per thread
  std::vector<std::uint32_t> head_;   // per event: its first link
  std::vector<Link> links_;
  std::size_t variables_ = 0;
  std::size_t several_ = 0;  // sources beyond the first of a read
};

// A step of an execution: an event takes place, or (`commit`) the store of an earlier write leaves its
// buffer.
struct Step {
  EventId event;
  bool commit = false;

  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace weir::consistency
