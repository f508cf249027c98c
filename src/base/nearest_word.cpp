#include "base/nearest_word.hpp"

#include <algorithm>

namespace weir {

namespace {

constexpr std::size_t kLongestWord = 100;  // the distance costs the product of the lengths
constexpr std::size_t kShortestStart = 3;

std::string lower_case(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Letters inserted, left out, replaced, or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  if (word.size() > kLongestWord) return best;
  const std::string plain = lower_case(word);
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    const std::string other = lower_case(candidate);
    const bool shortened = plain.size() >= kShortestStart && other.starts_with(plain);
    if (candidate.size() > word.size() + best_distance && !shortened) continue;
    const std::size_t changed = shortened ? 1 : distance(plain, other);
    if (changed >= best_distance) continue;
    best_distance = changed;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto best = nearest_word(word, candidates);
  return best ? "did you mean '" + *best + "'?" : "";
}

}  // namespace weir
