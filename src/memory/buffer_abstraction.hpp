// Coarser store buffers than those of TSO: what is proved with them holds under TSO, because every execution
// under TSO is one with them, with the same threads and the same memory at every step; what is violated with
// them may be safe under TSO. [Calin16, Section 3.2]
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "memory/buffer_rules.hpp"
#include "program/model.hpp"

namespace weir {

struct BufferAbstraction {
  enum class Kind : std::uint8_t { kMultiset, kPartialCoherence };

  Kind kind = Kind::kPartialCoherence;
  std::uint32_t queue = 0;  // partial coherence: how many stores are kept in order. With 0 it is a set

  friend bool operator==(const BufferAbstraction&, const BufferAbstraction&) = default;
};

inline constexpr BufferAbstraction kSetAbstraction{};
inline constexpr BufferAbstraction kMultisetAbstraction{BufferAbstraction::Kind::kMultiset};
constexpr BufferAbstraction partial_coherence_with(std::uint32_t queue) {
  return {BufferAbstraction::Kind::kPartialCoherence, queue};
}

// "set", "multiset", or how long the queue is; 0 is the set.
std::optional<BufferAbstraction> parse_abstraction(std::string_view text);
std::string name(const BufferAbstraction& abstraction);  // the inverse
// "the set of buffered stores", "the multiset of buffered stores", "the first 3 buffered stores and the set
// of the others"
std::string describe(const BufferAbstraction& abstraction);

// What the buffers of a model do. Only TSO has abstractions. Under SC buffers stay empty.
std::unique_ptr<const BufferRules> buffer_rules(Model model,
                                                const std::optional<BufferAbstraction>& abstraction,
                                                ShareBytes share = std::equal_to<>());

}  // namespace weir
