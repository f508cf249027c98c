#include "base/nearest_word.hpp"

#include <algorithm>

namespace weir {

namespace {

constexpr std::size_t kLongestWord = 100;  // the distance costs the product of the lengths

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein's distance, one row at a time; capitals count as the letters they are.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower_case(a[i - 1]) == lower_case(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestWord) return "";
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > word.size() + best_distance) continue;
    const std::size_t changed = distance(word, candidate);
    if (changed >= best_distance) continue;
    best_distance = changed;
    best = &candidate;
  }
  return best == nullptr ? "" : "did you mean '" + *best + "'?";
}

}  // namespace weir
