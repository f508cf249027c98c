// An instance under TSO or PSO, laid out in flat tables that the searches and the closure share. Built anew
// for each instance, in memory that stays.
//
// Stores are numbered buffer by buffer, in the order in which they leave it. Under TSO there is one buffer
// per thread; the write of an update, which never is in a buffer, takes its place among the stores of its
// thread all the same, since their order is fixed. Under PSO there is one buffer per thread and variable
// written. A *write* is an initial write (numbers below `variables`) or a store (`variables` + its number).
//
// A prefix of an execution is described by counters: how many events each thread has behind it, then how
// many stores have left each buffer. A `Requirement` says that a counter must have come so far.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/consistency/instance.hpp"
#include "program/model.hpp"

namespace weir::consistency {

using Index = std::uint32_t;
constexpr Index kNone = 0xFFFFFFFFu;

struct Requirement {
  Index counter;
  Index count;
};

// Requirements side by side, those of each item together: item i has those from `first[i]` to `first[i + 1]`.
void group_by_item(std::span<const std::pair<Index, Requirement>> entries, Index items,
                   std::vector<Index>& first, std::vector<Requirement>& grouped);

// What rules out a source at first sight.
enum class ContradictionKind : std::uint8_t {
  kReadsLater,   // the source follows the read in its own thread
  kOverwritten,  // its own thread has written the variable after the source, an own or the initial write
};

struct Contradiction {
  ContradictionKind kind;
  EventId read;
  EventId source;   // none: the initial write
  EventId between;  // the newer write of its own thread, if that is the problem
};

class Layout {
 public:
  // `model` is TSO or PSO, and the instance complete with one source per read.
  void build(const Instance& instance, Model model);

  bool initial(Index write) const { return write < variables; }
  Index write_of(Index store) const { return variables + store; }
  Index store_of_write(Index write) const { return write - variables; }
  Index flush_counter(Index buffer) const { return threads + buffer; }
  Index counters() const { return threads + buffers; }
  // Has the thread of the event written the source of the event?
  bool local(Index event) const {
    return !initial(source[event]) && thread[store_event[store_of_write(source[event])]] == thread[event];
  }
  // How many stores of its buffer precede it.
  Index rank(Index store) const { return store - first_store[store_buffer[store]]; }
  Index position(Index event) const { return event - first_event[thread[event]]; }
  std::span<const Requirement> requirements(Index store) const {
    return {requirement.data() + first_requirement[store],
            first_requirement[store + 1] - first_requirement[store]};
  }
  // Replaces the requirements by those of a stricter order; pairs of store and requirement, in any order.
  void require(std::span<const std::pair<Index, Requirement>> stricter);

  Model model = Model::kTso;
  Index threads = 0, variables = 0, buffers = 0, stores = 0, events = 0;
  Index steps = 0;  // of a whole execution: events, and stores that were buffered

  // Per event.
  std::vector<EventKind> kind;
  std::vector<Index> variable, thread;
  std::vector<Index> source;       // the write it reads, or kNone
  std::vector<Index> event_store;  // the store of what it writes, or kNone
  std::vector<Index> own_write;    // the last store of its thread to its variable before it, or kNone
  // Per thread, with one more at the end: where its events and buffers start.
  std::vector<Index> first_event, first_buffer;
  std::vector<Index> drained;  // one beyond the position of the last event that waits for empty buffers
  std::vector<char> ordered;   // PSO: does a store fence of this thread keep anything apart?
  // Per buffer.
  std::vector<Index> first_store;  // and one more at the end
  std::vector<Index> buffer_thread;
  // Per store.
  std::vector<Index> store_event, store_buffer, store_variable;
  std::vector<char> kept_apart;  // PSO: must another store wait for it at a store fence?
  // Per write: how many read it, and (times threads) one beyond the position of the last one in each thread
  // that reads it, or a write that follows it through updates only.
  std::vector<Index> readers;
  std::vector<Index> last_reader;

  std::optional<Contradiction> contradiction;

 private:
  void number_events(const Instance& instance);
  void number_stores();
  void find_sources(const Instance& instance);
  void find_contradiction(Index event);
  void find_last_readers();
  void find_store_fences();
  void collect_requirements();

  std::vector<Index> first_requirement;
  std::vector<Requirement> requirement;
  // Scratch.
  std::vector<Index> last_write_;  // per variable
  std::vector<Index>
      needed_;  // per store and thread: one beyond the store of that thread that must come before
  std::vector<std::pair<Index, Requirement>> collected_;
};

}  // namespace weir::consistency
