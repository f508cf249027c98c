// A set of states of a program whose store buffers are multisets [Calin16, Figure 3.8], upward closed in the
// order of Appendix B: same local states, memory and last added values, and at least as many copies of each
// buffered store.
//
// The appendix takes the minimal elements of such sets. There are too many of these: a goal speaks of a few
// threads and of no memory at all, and would be one element for each way in which all the rest can be. Here
// a configuration is a constraint, which may leave open where a thread is, what a cell holds, and what is
// buffered for a cell. It stands for finitely many minimal elements, and the order between constraints is
// again a well-quasi-order, being a product of equalities on finite sets and of orders on counts.
#pragma once

#include <absl/container/inlined_vector.h>
#include <cstdint>
#include <vector>

namespace weir {

// Values of a cell go by their number in its list of values.
using ValueNumber = std::uint32_t;

// What is known of the stores to one cell in the buffer of one thread.
class BufferedStores {
 public:
  static constexpr ValueNumber kAnyValue = 0xFFFFFFFF;

  static BufferedStores any() { return {}; }
  static BufferedStores none() { return BufferedStores(Kind::kNone); }
  // There are some.
  static BufferedStores some() { return BufferedStores(Kind::kSome); }

  bool is_any() const { return kind_ == Kind::kAny; }
  bool is_none() const { return kind_ == Kind::kNone; }
  // There are some, among them `least()` copies of certain values.
  bool is_some() const { return kind_ == Kind::kSome; }
  // The value added last; kAnyValue if that is not known. If it is, there is at least one copy of it.
  ValueNumber last() const { return last_; }
  std::uint32_t least(ValueNumber value) const;
  std::uint32_t copies() const;  // all of these together
  const auto& counts() const { return counts_; }

  BufferedStores with(ValueNumber value, std::uint32_t copies = 1) const;  // more of them; there are some
  BufferedStores with_last(ValueNumber value) const;                       // there are some
  // What was there before this value was added: counts are one less, and what was last then is not known.
  BufferedStores before_adding(ValueNumber value) const;

  // Does whatever satisfies the other satisfy this?
  bool covers(const BufferedStores& other) const;

  friend bool operator==(const BufferedStores&, const BufferedStores&) = default;

 private:
  enum class Kind : std::uint8_t { kAny, kNone, kSome };
  struct Count {
    ValueNumber value;
    std::uint32_t least;
    friend bool operator==(const Count&, const Count&) = default;
  };

  BufferedStores() = default;
  explicit BufferedStores(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::kAny;
  ValueNumber last_ = kAnyValue;
  absl::InlinedVector<Count, 2> counts_;  // ascending values; none is 0
};

struct MultisetConfiguration {
  static constexpr std::uint32_t kAnyState = 0xFFFFFFFF;  // but none inside an atomic block
  static constexpr ValueNumber kAnyValue = BufferedStores::kAnyValue;
  static constexpr std::uint64_t kAnyHolder = ~std::uint64_t{0};

  std::vector<std::uint32_t> states;    // per thread
  std::vector<ValueNumber> memory;      // per cell
  std::vector<BufferedStores> buffers;  // per slot: a thread and a cell that it stores to
  // Who may hold the global lock: bit 0 for nobody, bit t + 1 for thread t.
  std::uint64_t holders = kAnyHolder;

  friend bool operator==(const MultisetConfiguration&, const MultisetConfiguration&) = default;
};

}  // namespace weir
