// Strong 32-bit identifiers. Everything stored by the million is named by an id into a table, never by a
// pointer; the tag keeps ids of different tables from being mixed up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace weir {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}

  // The id that names nothing.
  static constexpr Id none() { return Id(); }

  constexpr std::uint32_t index() const { return index_; }
  constexpr bool valid() const { return index_ != kNone; }
  constexpr explicit operator bool() const { return valid(); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = kNone;
};

}  // namespace weir

template <class Tag>
struct std::hash<weir::Id<Tag>> {
  std::size_t operator()(weir::Id<Tag> id) const noexcept { return id.index() * 0x9E3779B97F4A7C15ull; }
};
