#include "engine/state_table.hpp"

#include <algorithm>
#include <bit>

#include "base/archive.hpp"
#include "base/error.hpp"

namespace weir {

namespace {
constexpr std::uint32_t kFirstWidth = 8;
constexpr std::uint32_t kSpareBits = 2;
}  // namespace

StateTable::StateTable(std::size_t fields)
    : index_(std::size_t{1} << kPartBits, Part(0, Hash{this}, Equal{this})) {
  widths_.assign(fields, kFirstWidth);
  lay_out(widths_);
}

// Fields never straddle a word.
void StateTable::lay_out(const std::vector<std::uint32_t>& widths) {
  layout_.assign(widths.size(), {});
  std::uint32_t word = 0;
  std::uint32_t used = 0;
  for (std::size_t f = 0; f < widths.size(); ++f) {
    if (used + widths[f] > 64) {
      ++word;
      used = 0;
    }
    layout_[f] = {word, used, (std::uint64_t{1} << widths[f]) - 1};
    used += widths[f];
  }
  words_ = word + 1;
}

void StateTable::pack(std::span<const std::uint32_t> ids, std::uint64_t* out) const {
  std::fill_n(out, words_, 0);
  for (std::size_t f = 0; f < ids.size(); ++f) {
    WEIR_ASSERT(fits(f, ids[f]), "a field wide enough for its id");
    out[layout_[f].word] |= std::uint64_t{ids[f]} << layout_[f].shift;
  }
}

void StateTable::unpack(const std::uint64_t* packed, std::uint32_t* ids) const {
  for (std::size_t f = 0; f < layout_.size(); ++f) ids[f] = get(packed, f);
}

void StateTable::widen(std::size_t field, std::uint32_t id) {
  const std::vector<Field> old_layout = layout_;
  const std::size_t old_words = words_;
  widths_[field] = std::min<std::uint32_t>(32, static_cast<std::uint32_t>(std::bit_width(id)) + kSpareBits);
  lay_out(widths_);

  GrowingArray<std::uint64_t> old_rows;
  std::swap(old_rows, rows_);
  rows_.resize(size() * words_);
  for (std::size_t row = 0; row < size(); ++row) {
    const std::uint64_t* from = old_rows.data() + row * old_words;
    std::uint64_t* to = rows_.data() + row * words_;
    for (std::size_t f = 0; f < layout_.size(); ++f) {
      const Field& old = old_layout[f];
      to[layout_[f].word] |= (from[old.word] >> old.shift & old.mask) << layout_[f].shift;
    }
  }
  index_rows(index_capacity());
}

std::size_t StateTable::index_capacity() const {
  std::size_t capacity = 0;
  for (const Part& part : index_) capacity += part.capacity();
  return capacity;
}

void StateTable::index_rows(std::size_t buckets) {
  for (Part& part : index_) {
    part.clear();
    part.rehash(buckets / index_.size());
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const auto index = static_cast<Index>(i);
    part(hash(row(index))).insert(index);
  }
}

// What was read is as wide as it says.
void StateTable::restore(std::size_t buckets) {
  for (const std::uint32_t width : widths_)
    if (width == 0 || width > 32) throw ArchiveError("a field of a state is too wide");
  lay_out(widths_);
  if (rows_.size() != size() * words_) throw ArchiveError("there are not as many states as it says");
  index_rows(std::min(buckets, 4 * size() + 64));
}

StateTable::Inserted StateTable::insert(const std::uint64_t* packed, std::uint64_t hash, Index parent) {
  bool added = false;
  const auto entry = part(hash).lazy_emplace(Key{packed, hash}, [&](const auto& construct) {
    const std::size_t at = size();
    WEIR_CHECK(at < kNoParent, "more than four billion states");
    rows_.resize((at + 1) * words_);
    std::copy_n(packed, words_, rows_.data() + at * words_);
    parents_.push_back(parent);
    construct(static_cast<Index>(at));
    added = true;
  });
  return {*entry, added};
}

std::size_t StateTable::bytes() const {
  return rows_.size() * sizeof(std::uint64_t) + parents_.size() * sizeof(Index) +
         index_capacity() * (sizeof(Index) + 1);
}

std::size_t StateTable::next_bytes(std::size_t more) const {
  constexpr std::size_t kEighth = 8;  // that arrays grow by; and a hash set is full but for such a part
  const std::size_t more_in_part = 2 * more / index_.size();  // twice the average
  std::size_t new_parts = 0;
  for (const Part& part : index_)
    if ((part.size() + more_in_part) * kEighth >= part.capacity() * (kEighth - 1))
      new_parts += 2 * part.capacity() * (sizeof(Index) + 1);
  return bytes() / kEighth + new_parts;
}

}  // namespace weir
