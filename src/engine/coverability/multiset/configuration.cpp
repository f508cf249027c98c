#include "engine/coverability/multiset/configuration.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir {

std::uint32_t BufferedStores::least(ValueNumber value) const {
  const auto found = std::ranges::find(counts_, value, &Count::value);
  return found == counts_.end() ? 0 : found->least;
}

std::uint32_t BufferedStores::copies() const {
  std::uint32_t sum = 0;
  for (const Count& count : counts_) sum += count.least;
  return sum;
}

BufferedStores BufferedStores::with(ValueNumber value, std::uint32_t copies) const {
  BufferedStores result = *this;
  result.kind_ = Kind::kSome;
  const auto at = std::ranges::lower_bound(result.counts_, value, {}, &Count::value);
  if (at != result.counts_.end() && at->value == value)
    at->least += copies;
  else
    result.counts_.insert(at, Count{value, copies});
  return result;
}

BufferedStores BufferedStores::with_last(ValueNumber value) const {
  WEIR_CHECK(last_ == kAnyValue || last_ == value, "one store is the last");
  BufferedStores result = least(value) == 0 ? with(value) : *this;
  result.last_ = value;
  return result;
}

BufferedStores BufferedStores::before_adding(ValueNumber value) const {
  WEIR_CHECK(!is_none() && (last_ == kAnyValue || last_ == value), "it can be the one added last");
  BufferedStores result = *this;
  result.last_ = kAnyValue;
  const auto added = std::ranges::find(result.counts_, value, &Count::value);
  if (added != result.counts_.end() && --added->least == 0) result.counts_.erase(added);
  return result.counts_.empty() ? any() : result;
}

bool BufferedStores::covers(const BufferedStores& other) const {
  if (is_any()) return true;
  if (kind_ != other.kind_) return false;
  if (last_ != kAnyValue && last_ != other.last_) return false;
  return std::ranges::all_of(counts_,
                             [&](const Count& count) { return count.least <= other.least(count.value); });
}

}  // namespace weir
