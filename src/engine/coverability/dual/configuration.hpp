// Configurations of TSO with load buffers, as the backward search keeps them [Abdulla16].
//
// A configuration here stands for all that are above it, and says only what matters: some cells of memory,
// some of the threads, and of each of these threads its post and what must be in its load buffer. The order
// is that of the work, made coarser in three places: a cell that is not mentioned may hold anything, a thread
// that is not mentioned may be anywhere, and an own message may leave its value open. So a configuration with
// fewer threads is below one with more whether their number is given or not, and "any number of threads" and
// "these threads" are one search, which differs in how many threads a configuration may mention.
//
// A load buffer is a sequence of messages, oldest first. A plain message (x, v) is a value of x that the
// thread is still to read. An own message marks the thread's newest store to x; as long as it is there, the
// thread reads that store when it reads x. Buffer a is below buffer b if they have the same own messages in
// the same order, and between these a has a subsequence of what b has. Every configuration is encoded in one
// array of words: how many cells, the cells, and for each thread its post, the length of its buffer, the
// messages. Threads are sorted, since threads of the same code are interchangeable.
#pragma once

#include <absl/container/inlined_vector.h>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "engine/coverability/multiset/thread_moves.hpp"
#include "engine/coverability/subsumption_index.hpp"

namespace weir {

// Own or not, cell, value: in one word. Own messages are greater than plain ones.
class Message {
 public:
  static constexpr std::uint16_t kOpen = 0xFFFF;  // an own message whose value nobody has asked for

  Message() = default;
  static Message plain(CellValue x) { return Message(std::uint32_t{x.cell} << 16 | x.value); }
  static Message own(std::uint16_t cell, std::uint16_t value = kOpen) {
    return Message(kOwn | std::uint32_t{cell} << 16 | value);
  }
  static Message from_word(std::uint32_t word) { return Message(word); }

  bool is_own() const { return (word_ & kOwn) != 0; }
  std::uint16_t cell() const { return static_cast<std::uint16_t>((word_ & ~kOwn) >> 16); }
  std::uint16_t value() const { return static_cast<std::uint16_t>(word_); }
  bool is_open() const { return value() == kOpen; }
  CellValue access() const { return {cell(), value()}; }
  std::uint32_t word() const { return word_; }

  friend auto operator<=>(const Message&, const Message&) = default;

 private:
  static constexpr std::uint32_t kOwn = std::uint32_t{1} << 31;

  explicit Message(std::uint32_t word) : word_(word) {}

  std::uint32_t word_ = 0;
};

using LoadBuffer = absl::InlinedVector<Message, 6>;  // oldest first

struct DualThread {
  Post post = 0;
  LoadBuffer buffer;
  std::uint32_t tag = 0;  // which thread this is, for those who follow a path
};

// A configuration taken apart, to be changed.
struct DualDraft {
  static constexpr std::uint16_t kAnything = 0xFFFF;

  absl::InlinedVector<CellValue, 8> memory;  // by cell
  absl::InlinedVector<DualThread, 4> threads;

  // What the cell must hold; kAnything if that is open.
  std::uint16_t held(std::uint16_t cell) const;
  // False if it must hold something else.
  bool require(CellValue wanted);
  void forget(std::uint16_t cell);
  void sort_threads();
};

class DualConfiguration {
 public:
  DualConfiguration() = default;
  explicit DualConfiguration(const DualDraft& draft);  // whose threads are sorted

  DualDraft draft() const;
  std::size_t thread_count() const { return threads_; }
  std::span<const std::uint32_t> words() const { return words_; }
  // Cells mentioned, in order, as words that compare like CellValue.
  std::span<const std::uint32_t> memory() const { return std::span(words_).subspan(1, words_[0]); }
  std::span<const std::uint32_t> threads() const { return std::span(words_).subspan(1 + words_[0]); }

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(words_, threads_);
  }

  friend bool operator==(const DualConfiguration&, const DualConfiguration&) = default;

 private:
  std::vector<std::uint32_t> words_{0};
  std::uint32_t threads_ = 0;
};

// Is everything above b above a? With `up_to_memory`: or can get there by memory's own steps, which put what
// memory holds into load buffers, and drop their oldest messages.
bool is_below(const DualConfiguration& a, const DualConfiguration& b, bool up_to_memory);

// Of the posts of all threads.
std::uint64_t hash_of_posts(const DualConfiguration& configuration);

// Calls `visit` with the hashes of the posts of every choice of threads until it returns true. Of threads at
// one post, only how many are chosen matters.
template <class Visit>
bool any_hash_of_fewer_posts(const DualConfiguration& configuration, const Visit& visit);

// Grows along the order, up to memory or not.
Signature signature(const DualConfiguration& configuration);

inline std::uint64_t hash_with_post(std::uint64_t hash, Post post) { return mix(hash, post); }

namespace detail {

template <class Visit>
bool any_subset(std::span<const std::uint32_t> threads, std::uint64_t hash, const Visit& visit) {
  if (threads.empty()) return visit(hash);
  auto rest = threads.subspan(2 + threads[1]);
  if (any_subset(rest, hash_with_post(hash, threads[0]), visit)) return true;
  while (!rest.empty() && rest[0] == threads[0]) rest = rest.subspan(2 + rest[1]);
  return any_subset(rest, hash, visit);
}

}  // namespace detail

template <class Visit>
bool any_hash_of_fewer_posts(const DualConfiguration& configuration, const Visit& visit) {
  return detail::any_subset(configuration.threads(), 0, visit);
}

}  // namespace weir
