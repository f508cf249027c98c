// TSO with load buffers, backwards [Abdulla16, Sections 4 to 6].
//
// In this semantics a store changes memory at once, and puts an own message into its thread's load buffer.
// Memory puts what it holds into load buffers whenever it likes (propagate). A load takes the newest own
// message for its cell, or if there is none the oldest message of the buffer, if that is for its cell. The
// oldest message of a buffer may be dropped at any time. Fences and other locked moves need an empty buffer.
// It reaches the same posts as TSO with store buffers: a thread looks at memory as it was some time ago,
// instead of writing to memory as it will be some time hence.
//
// Backwards, a load adds what it read at the old end of the buffer, and propagate takes what memory holds
// from the new end; dropping an own message adds one at the old end. Two sets of predecessors are offered.
//
// `textbook` is the work's: one step at a time, and nothing is dropped because it cannot be reached. Its
// bases are closed under every single step, which is what a certificate needs.
//
// The other takes runs of steps that need not be separated; docs/dual-tso.md proves that nothing is lost.
//  - *Dropping late.* Nobody but the thread sees its buffer, so an own message need not be dropped before the
//    thread's next load or store, and is added together with that.
//  - *Propagating late.* What a buffer wants at its new end is taken away when memory is known to hold it
//    (the result is below: the rest of the configuration is superfluous), when the cell, or that of an older
//    message, is about to be written by a move that leaves the wanted value, or when the thread's own move
//    needs it gone.
//    Configurations are compared up to propagation.
//  - *Local first.* A load or silent move of a thread commutes with everything others do. If all that leads
//  to
//    a thread's post is of these kinds, nothing else is undone before it.
//  - *Knowing what cannot be.* Configurations that PendingStores excludes are dropped, and so are those in
//    which a cell should hold something else than the thread that alone writes it knows.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "engine/coverability/backward_search.hpp"
#include "engine/coverability/dual/configuration.hpp"
#include "engine/coverability/multiset/pending_stores.hpp"
#include "engine/coverability/multiset/thread_moves.hpp"

namespace weir {

// How many threads there may be.
struct ThreadNumbers {
  static constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> most;  // per code
  std::uint32_t most_in_all = kAny;

  // Are there always more that have not begun?
  bool unlimited(std::uint32_t code) const { return most[code] == kAny && most_in_all == kAny; }
};

class DualSystem {
 public:
  using Configuration = DualConfiguration;
  using Label = std::uint32_t;  // which of the predecessors, as they are offered
  static constexpr bool kConcurrent = true;

  static constexpr std::uint32_t kNewThread = std::numeric_limits<std::uint32_t>::max();

  // `moves` must outlive the system.
  DualSystem(const ThreadMoves& moves, ThreadNumbers numbers, bool textbook = false);

  // Of BackwardSearch. The key is where the threads are.
  std::uint64_t key(const Configuration& c) const { return hash_of_posts(c); }
  std::uint64_t keys_below(const Configuration& c) const {
    return std::uint64_t{1} << std::min<std::size_t>(c.thread_count(), 32);
  }
  template <class Visit>
  bool any_key_below(const Configuration& c, const Visit& visit) const {
    return any_hash_of_fewer_posts(c, visit);
  }
  Signature signature(const Configuration& c) const { return weir::signature(c); }
  bool covers(const Configuration& a, const Configuration& b) const { return is_below(a, b, !textbook_); }
  bool initial(const Configuration& c) const;
  std::uint64_t weight(const Configuration& c) const { return c.words().size(); }
  template <class Sink>
  void predecessors(const Configuration& c, Sink&& sink) {
    Label next = 0;
    offer(c.draft(), [&](const DualDraft& draft, const Undone&) {
      const Label label = next++;
      sink(Configuration(draft), label);
    });
  }

  // The move that was undone, and by whom: the tag of its thread.
  struct Undone {
    std::uint32_t thread = 0;
    std::uint32_t move = kNoMove;  // none for memory's own steps
  };
  static constexpr std::uint32_t kNoMove = std::numeric_limits<std::uint32_t>::max();

  // One predecessor, with the threads tagged as in `from`; a new thread gets the tag `fresh`. Threads that
  // are forgotten at their start, because there are always more of them, are gone.
  struct Followed {
    DualDraft draft;
    Undone undone;
  };
  Followed follow(const DualDraft& from, Label label, std::uint32_t fresh);

 private:
  // Do all moves into a post commute with everything that others do? Fences do if the buffer is empty.
  enum class Locality : std::uint8_t { kNone, kIfEmpty, kLocal };
  using Offer = std::function<void(const DualDraft&, const Undone&)>;
  using Unwritten = std::function<void(DualDraft&)>;

  void offer(DualDraft from, const Offer& sink);
  bool is_local(const DualThread& thread) const {
    return local_only_[thread.post] == Locality::kLocal ||
           (local_only_[thread.post] == Locality::kIfEmpty && thread.buffer.empty());
  }
  void offer_thread(const DualDraft& from, std::size_t t, const Offer& sink);
  void undo_silent(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink);
  void undo_read(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink);
  void undo_write(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink);
  void undo_locked(const DualDraft& from, std::size_t t, std::uint32_t m, const Offer& sink);
  void offer_memory(const DualDraft& from, std::size_t t, const Offer& sink);
  void offer_dropped(const DualDraft& from, std::size_t t, const Offer& sink);
  absl::InlinedVector<CellValue, 8> wanted(const DualDraft& draft) const;
  void offer_new_threads(const DualDraft& from, const Offer& sink);
  void add_thread(const DualDraft& from, std::uint32_t m, const Offer& sink);

  // Sequences of own messages that can be put before the buffer's oldest message, for a thread at this post.
  template <class Visit>
  void for_each_older(Post post, const LoadBuffer& buffer, const Visit& visit) const;
  bool may_add_older(Post post, const LoadBuffer& buffer, std::uint16_t cell) const;
  bool possible(Post post, const LoadBuffer& buffer) const;
  std::uint16_t held(const DualDraft& draft, std::uint16_t cell) const;
  bool require(DualDraft& draft, CellValue wanted) const;
  bool use_knowledge(DualDraft& draft) const;
  bool drain(DualDraft& draft, std::size_t t) const;
  void settle(DualDraft& draft) const;
  void unwrite(DualDraft draft, std::span<const CellValue> update, std::size_t writer,
               const Unwritten& then) const;
  void take_from_buffers(const DualDraft& draft, std::span<const CellValue> update, std::size_t writer,
                         std::size_t t, const Unwritten& then) const;
  void finish(DualDraft& draft, Undone undone, const Offer& sink) const;

  const ThreadMoves& moves_;
  PendingStores pending_;
  ThreadNumbers numbers_;
  bool textbook_;
  std::vector<Locality> local_only_;  // per post
  std::uint32_t fresh_ = kNewThread;
};

}  // namespace weir
