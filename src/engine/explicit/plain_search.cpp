// Breadth-first and depth-first reachability [Calin16, Algorithms 2.3 and 2.4], iterative.
//
// States are numbered as they are found, so the breadth-first queue is a position in the table; the
// depth-first stack holds numbers. Successors are collected in a batch before they are looked up in the
// table: their hash slots are prefetched meanwhile, which hides most of the time that memory takes.
#include <algorithm>
#include <optional>
#include <span>

#include "engine/explicit/persistent.hpp"
#include "engine/explicit/searches.hpp"

namespace weir {

namespace {

class PlainSearch {
 public:
  PlainSearch(Exploration& exploration, bool persistent)
      : x_(exploration),
        system_(exploration.system),
        table_(exploration.table),
        threads_(exploration.system.thread_count()),
        local_movers_(exploration.system, exploration.monitor),
        persistent_(persistent),
        breadth_first_(exploration.options.search == Search::kBreadthFirst),
        flushes_early_(exploration.options.flush_early) {
    ids_.resize(threads_ + 1);
  }

  void run() {
    if (!x_.resume(*this)) {
      discovered(x_.start());
      level_end_ = table_.size();
    }
    if (breadth_first_) {
      breadth_first();
    } else {
      depth_first();
    }
  }

  // Between two expansions. The batch is a part of it: looked up at another time, its states would get other
  // numbers, and the persistent sets depend on these.
  template <class Archive>
  void transfer(Archive& archive) {
    x_.transfer(archive);
    archive.section("search");
    archive(next_, level_end_, expansions_, stack_, chain_, expanded_);
    auto waiting = std::uint64_t{batch_.size()};
    archive(waiting);
    if constexpr (Archive::kReads) restore_batch(waiting);
    for (Candidate& candidate : batch_) {
      archive(candidate.parent, candidate.thread, candidate.component);
      for (std::size_t w = 0; w < table_.words(); ++w) archive(candidate.packed[w]);
      candidate.hash = table_.hash(candidate.packed);
    }
  }

 private:
  using Index = StateTable::Index;

  static constexpr std::size_t kBatch = 64;  // as many as fit into the first-level cache
  static constexpr std::uint64_t kPollMask = 0x3FF;

  struct Candidate {
    std::uint64_t hash = 0;
    Index parent = 0;
    std::uint32_t thread = 0;
    ComponentId component;
    std::uint64_t* packed = nullptr;
  };

  void breadth_first() {
    for (; !x_.finished(); ++next_) {
      if ((next_ & kPollMask) == 0) x_.save_if_due(*this);
      if (next_ == level_end_) {
        flush();
        if (next_ == table_.size()) break;
        level_end_ = table_.size();
        ++x_.statistics.depth;
      }
      expand(static_cast<Index>(next_));
      if ((next_ & kPollMask) == 0) x_.tell_progress(table_.size() - next_);
    }
    x_.save_if_stopped(*this);
    flush();
  }

  void depth_first() {
    while (!stack_.empty() && !x_.finished()) {
      if ((expansions_ & kPollMask) == 0) x_.save_if_due(*this);
      const Index next = stack_.back();
      stack_.pop_back();
      expand(next);
      flush();
      x_.statistics.depth = std::max<std::uint64_t>(x_.statistics.depth, stack_.size());
      if ((++expansions_ & kPollMask) == 0) x_.tell_progress(stack_.size());
    }
    x_.save_if_stopped(*this);
  }

  void restore_batch(std::uint64_t size) {
    if (size >= kBatch) throw ArchiveError("more states wait than can");
    packed_.resize((kBatch + 1) * table_.words());
    batch_.resize(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < batch_.size(); ++i) batch_[i].packed = packed_.data() + i * table_.words();
  }

  void discovered(Index index) {
    if (!breadth_first_) stack_.push_back(index);
    if (!persistent_) return;
    chain_.resize(table_.size());
    if (!breadth_first_) expanded_.resize(table_.size());
  }

  void expand(Index index) {
    current_ = index;
    table_.unpack(table_.row(index), ids_.data());
    if (persistent_) {
      if (!breadth_first_) expanded_[index] = 1;
      if (flushes_early_ && flush_while_others_sleep()) return;
      if (expand_alone()) return;
    }
    std::size_t moves = 0;
    for (std::size_t t = 0; t < threads_; ++t) moves += expand_thread(t);
    if (moves == 0) x_.terminal(index);
  }

  // As long as all other threads have stopped or not begun, nobody sees when a store reaches memory, so it
  // can be at once: otherwise the initialisation of k variables has 2^k states under PSO. A thread begins
  // with an atomic block that waits for some cells. If no store to these is ever buffered, it begins only
  // where the buffers are empty; that is checked at the end (see `Exploration::sleep_guards`).
  bool flush_while_others_sleep() {
    std::optional<std::size_t> awake;
    for (std::size_t t = 0; t < threads_; ++t) {
      if (looks_asleep(t)) continue;
      if (awake) return false;
      awake = t;
    }
    if (!awake) return false;
    const ComponentId component(ids_[*awake]);
    const std::span<const Step> steps = system_.view(*awake).steps(component);
    const auto flush = std::ranges::find_if(steps, &Step::flush);
    if (flush == steps.end()) return false;
    const Step step = *flush;
    for (std::size_t t = 0; t < threads_; ++t)
      if (t != *awake && !cannot_wake(t)) return false;
    bool flushed = false;
    system_.execute(*awake, component, MemoryId(ids_[threads_]), step, [&](const Move& move) {
      ++x_.statistics.transitions;
      flushed = true;
      if (move.fails) return x_.fail(current_, *awake, component, MemoryId(ids_[threads_]), move);
      insert(prepare(*awake, move.component, move.memory));
    });
    return flushed;
  }

  bool looks_asleep(std::size_t t) {
    const ComponentId component(ids_[t]);
    return (x_.monitor.flags(t, component) & Monitor::kStopped) != 0 &&
           system_.view(t).buffer(component) == StoreBuffers::kEmptyBuffer;
  }

  // Notes what the thread waits for.
  bool cannot_wake(std::size_t t) {
    ThreadView& view = system_.view(t);
    const ComponentId component(ids_[t]);
    const MemoryId memory(ids_[threads_]);
    for (const Step& step : view.steps(component)) {
      if (step.effect != Effect::kAtomic || system_.enabled(t, component, memory, step)) return false;
      for (const auto& [cell, writes] :
           system_.blocks(t).footprint(view.local(component), step.action, memory))
        x_.sleep_guards.insert(cell.index());
    }
    return true;
  }

  // Tries to expand one thread only; true if that was enough.
  bool expand_alone() {
    if (chain_[current_] >= kLongestChain) return false;
    for (std::size_t t = 0; t < threads_; ++t) {
      if (!local_movers_.moves_alone(t, ComponentId(ids_[t]))) continue;
      if (take_local_steps(t)) return true;
    }
    return false;
  }

  // Takes the steps of a thread that are all local; true if that led to a state that is still to be expanded.
  bool take_local_steps(std::size_t t) {
    const ComponentId component(ids_[t]);
    bool some_open = false;
    for (const Step& step : system_.view(t).steps(component)) {
      if (step.flush) continue;
      ++x_.statistics.transitions;
      const Candidate candidate = prepare(t, ComponentId(step.next), MemoryId(ids_[threads_]));
      const auto [index, added] = insert(candidate);
      if (added) chain_[index] = static_cast<std::uint8_t>(chain_[current_] + 1);
      some_open |= added || (breadth_first_ ? index > current_ : !expanded_[index]);
    }
    x_.bounded |= system_.view(t).bounded(component);
    return some_open;
  }

  std::size_t expand_thread(std::size_t t) {
    ThreadView& view = system_.view(t);
    const ComponentId component(ids_[t]);
    const MemoryId memory(ids_[threads_]);
    std::size_t moves = 0;
    for (const Step& step : view.steps(component)) {
      system_.execute(t, component, memory, step, [&](const Move& move) {
        ++moves;
        if (move.fails) {
          x_.fail(current_, t, component, memory, move);
        } else if (move.component != component ||
                   move.memory != memory) {  // a spinning thread stays where it is
          batch_.push_back(prepare(t, move.component, move.memory));
          table_.prefetch(batch_.back().hash);
          if (batch_.size() == kBatch) flush();
        } else {
          x_.graph.note(current_, current_, t);
        }
      });
    }
    x_.bounded |= view.bounded(component);
    x_.statistics.transitions += moves;
    return moves;
  }

  // The successor of the current state in which a thread and memory have changed, packed behind the batch.
  Candidate prepare(std::size_t thread, ComponentId component, MemoryId memory) {
    if (!fits(thread, component) || !table_.fits(threads_, memory.index()))
      make_room(thread, component, memory);
    const std::size_t words = table_.words();
    if (packed_.size() < (kBatch + 1) * words) packed_.resize((kBatch + 1) * words);
    std::uint64_t* packed = packed_.data() + batch_.size() * words;
    const std::uint64_t* row = table_.row(current_);
    for (std::size_t w = 0; w < words; ++w) packed[w] = row[w];
    table_.set(packed, thread, component.index());
    table_.set(packed, threads_, memory.index());
    if (!x_.symmetry.trivial()) canonicalise(packed);
    return {table_.hash(packed), current_, static_cast<std::uint32_t>(thread), component, packed};
  }

  // With symmetry a component may end up in the field of another thread of its group.
  bool fits(std::size_t thread, ComponentId component) const {
    if (x_.symmetry.trivial()) return table_.fits(thread, component.index());
    for (std::size_t t = 0; t < threads_; ++t)
      if (system_.view_number(t) == system_.view_number(thread) && !table_.fits(t, component.index()))
        return false;
    return true;
  }

  void make_room(std::size_t thread, ComponentId component, MemoryId memory) {
    flush();
    for (std::size_t t = 0; t < threads_; ++t)
      if (system_.view_number(t) == system_.view_number(thread) && !table_.fits(t, component.index()))
        table_.widen(t, component.index());
    if (!table_.fits(threads_, memory.index())) table_.widen(threads_, memory.index());
  }

  void canonicalise(std::uint64_t* packed) {
    scratch_.resize(threads_ + 1);
    table_.unpack(packed, scratch_.data());
    x_.symmetry.canonicalise(scratch_.data());
    table_.pack(scratch_, packed);
  }

  // Looks up the batch; new states are checked and queued.
  void flush() {
    for (const Candidate& candidate : batch_) insert(candidate);
    batch_.clear();
  }

  StateTable::Inserted insert(const Candidate& candidate) {
    const StateTable::Inserted result = table_.insert(candidate.packed, candidate.hash, candidate.parent);
    x_.graph.note(candidate.parent, result.index, candidate.thread);
    if (result.added) {
      discovered(result.index);
      x_.inspect(result.index, candidate.thread, candidate.component);
    }
    return result;
  }

  Exploration& x_;
  System& system_;
  StateTable& table_;
  const std::size_t threads_;
  LocalMovers local_movers_;
  const bool persistent_;
  const bool breadth_first_;
  const bool flushes_early_;

  std::uint64_t next_ = 0, level_end_ = 0;  // breadth-first: the state to be expanded next, and its level
  std::uint64_t expansions_ = 0;            // depth-first
  Index current_ = 0;
  std::vector<std::uint32_t> ids_;  // the state being expanded
  std::vector<Candidate> batch_;
  std::vector<std::uint64_t> packed_;
  std::vector<std::uint32_t> scratch_;
  std::vector<Index> stack_;

  // Persistent sets only.
  GrowingArray<std::uint8_t> chain_;     // how many states in a row were expanded partially before this one
  GrowingArray<std::uint8_t> expanded_;  // depth-first
};

}  // namespace

void plain_search(Exploration& exploration, bool persistent) { PlainSearch(exploration, persistent).run(); }

}  // namespace weir
