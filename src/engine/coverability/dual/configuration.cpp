#include "engine/coverability/dual/configuration.hpp"

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/fault.hpp"
#include "base/hash.hpp"

namespace weir {

namespace {

std::uint32_t word_of(CellValue x) { return Message::plain(x).word(); }

// A thread in the words of a configuration.
struct ThreadWords {
  Post post;
  std::span<const std::uint32_t> buffer;
};

class ThreadReader {
 public:
  explicit ThreadReader(std::span<const std::uint32_t> words) : rest_(words) {}

  bool done() const { return rest_.empty(); }
  Post next_post() const { return rest_[0]; }
  ThreadWords next() {
    const ThreadWords thread{rest_[0], rest_.subspan(2, rest_[1])};
    rest_ = rest_.subspan(2 + rest_[1]);
    return thread;
  }

 private:
  std::span<const std::uint32_t> rest_;
};

bool includes(std::span<const std::uint32_t> some, std::span<const std::uint32_t> all) {
  std::size_t at = 0;
  for (const std::uint32_t word : some) {
    while (at < all.size() && all[at] < word) ++at;
    if (at == all.size() || all[at] != word) return false;
    ++at;
  }
  return true;
}

// The buffer without the newest messages that memory can still put there.
std::span<const std::uint32_t> without_held(std::span<const std::uint32_t> buffer,
                                            std::span<const std::uint32_t> memory) {
  while (!buffer.empty() && std::ranges::find(memory, buffer.back()) != memory.end())
    buffer = buffer.first(buffer.size() - 1);
  return buffer;
}

// From the newest message to the oldest: own messages of both are matched one to one; between them, plain
// ones of `a` are found among those of `b`. With `dropping`, what `b` has beyond that may be dropped.
bool buffer_below(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, bool dropping) {
  std::size_t j = b.size();
  for (std::size_t i = a.size(); i > 0; --i, --j) {
    const Message wanted = Message::from_word(a[i - 1]);
    for (;; --j) {
      if (j == 0) return false;
      const Message there = Message::from_word(b[j - 1]);
      if (wanted.is_own()) {
        if (!there.is_own()) continue;
        if (there.cell() != wanted.cell()) return false;
        if (!wanted.is_open() && there != wanted && !fault("eager-subsumption")) return false;
        break;
      }
      if (there == wanted) break;
      if (there.is_own()) return false;
    }
  }
  return dropping || std::ranges::none_of(
                         b.first(j), [](std::uint32_t word) { return Message::from_word(word).is_own(); });
}

// Threads of b, each at most once, for all threads of a: a matching in a bipartite graph, by augmenting
// paths.
class Matching {
 public:
  Matching(const DualConfiguration& a, const DualConfiguration& b, bool up_to_memory)
      : up_to_memory_(up_to_memory) {
    for (ThreadReader reader(a.threads()); !reader.done();) {
      ThreadWords thread = reader.next();
      if (up_to_memory) thread.buffer = without_held(thread.buffer, b.memory());
      a_.push_back(thread);
    }
    for (ThreadReader reader(b.threads()); !reader.done();) b_.push_back(reader.next());
    matched_.resize(b_.size(), kFree);
  }

  bool exists() {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      tried_.assign(b_.size(), false);
      if (!match(i)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kFree = static_cast<std::size_t>(-1);

  bool match(std::size_t i) {
    for (std::size_t j = 0; j < b_.size(); ++j) {
      if (b_[j].post != a_[i].post || tried_[j]) continue;
      if (!buffer_below(a_[i].buffer, b_[j].buffer, up_to_memory_)) continue;
      tried_[j] = true;
      if (matched_[j] != kFree && !match(matched_[j])) continue;
      matched_[j] = i;
      return true;
    }
    return false;
  }

  bool up_to_memory_;
  absl::InlinedVector<ThreadWords, 8> a_, b_;
  absl::InlinedVector<std::size_t, 8> matched_;  // per thread of b
  absl::InlinedVector<bool, 8> tried_;           // per thread of b
};

}  // namespace

std::uint16_t DualDraft::held(std::uint16_t cell) const {
  for (const CellValue x : memory)
    if (x.cell == cell) return x.value;
  return kAnything;
}

bool DualDraft::require(CellValue wanted) {
  const auto at = std::ranges::lower_bound(memory, wanted.cell, {}, &CellValue::cell);
  if (at != memory.end() && at->cell == wanted.cell) return at->value == wanted.value;
  memory.insert(at, wanted);
  return true;
}

void DualDraft::forget(std::uint16_t cell) {
  const auto at = std::ranges::lower_bound(memory, cell, {}, &CellValue::cell);
  if (at != memory.end() && at->cell == cell) memory.erase(at);
}

void DualDraft::sort_threads() {
  std::ranges::sort(threads, [](const DualThread& a, const DualThread& b) {
    return std::tie(a.post, a.buffer) < std::tie(b.post, b.buffer);
  });
}

DualConfiguration::DualConfiguration(const DualDraft& draft)
    : threads_(static_cast<std::uint32_t>(draft.threads.size())) {
  std::size_t size = 1 + draft.memory.size();
  for (const DualThread& thread : draft.threads) size += 2 + thread.buffer.size();
  words_.clear();
  words_.reserve(size);
  words_.push_back(static_cast<std::uint32_t>(draft.memory.size()));
  for (const CellValue x : draft.memory) words_.push_back(word_of(x));
  for (const DualThread& thread : draft.threads) {
    words_.push_back(thread.post);
    words_.push_back(static_cast<std::uint32_t>(thread.buffer.size()));
    for (const Message message : thread.buffer) words_.push_back(message.word());
  }
}

DualDraft DualConfiguration::draft() const {
  DualDraft draft;
  for (const std::uint32_t word : memory()) draft.memory.push_back(Message::from_word(word).access());
  for (ThreadReader reader(threads()); !reader.done();) {
    const ThreadWords words = reader.next();
    DualThread& thread = draft.threads.emplace_back();
    thread.post = words.post;
    for (const std::uint32_t word : words.buffer) thread.buffer.push_back(Message::from_word(word));
  }
  return draft;
}

bool is_below(const DualConfiguration& a, const DualConfiguration& b, bool up_to_memory) {
  if (a.thread_count() > b.thread_count() || !includes(a.memory(), b.memory())) return false;
  ThreadReader theirs(b.threads());
  for (ThreadReader ours(a.threads()); !ours.done();) {
    const ThreadWords wanted = ours.next();
    for (;;) {
      if (theirs.done()) return false;
      const ThreadWords there = theirs.next();
      if (there.post < wanted.post) continue;
      if (there.post != wanted.post) return false;
      if (!theirs.done() && theirs.next_post() == there.post) return Matching(a, b, up_to_memory).exists();
      if (!buffer_below(up_to_memory ? without_held(wanted.buffer, b.memory()) : wanted.buffer, there.buffer,
                        up_to_memory))
        return false;
      break;
    }
  }
  return true;
}

std::uint64_t hash_of_posts(const DualConfiguration& configuration) {
  std::uint64_t hash = 0;
  for (ThreadReader reader(configuration.threads()); !reader.done();)
    hash = hash_with_post(hash, reader.next().post);
  return hash;
}

Signature signature(const DualConfiguration& configuration) {
  Signature result;
  const auto feature = [&](std::uint64_t kind, std::uint64_t what) {
    result.features |= std::uint64_t{1} << (mix(kind, what) & 63);
  };
  result.size = static_cast<std::uint32_t>(configuration.memory().size() + configuration.thread_count());
  for (const std::uint32_t word : configuration.memory()) feature(1, word);
  for (ThreadReader reader(configuration.threads()); !reader.done();) {
    const ThreadWords thread = reader.next();
    feature(2, thread.post);
    for (const std::uint32_t word : thread.buffer) {
      const Message message = Message::from_word(word);
      // What a buffer wants may be in memory instead; the value of an own message may be open.
      if (message.is_own())
        feature(3, message.cell());
      else
        feature(1, word);
    }
  }
  return result;
}

}  // namespace weir
