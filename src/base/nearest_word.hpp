// "did you mean …?": the known word that somebody most likely meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// The candidate with the fewest letters inserted, left out, replaced or swapped; nothing if none is near. A
// word of three letters or more that a candidate starts with is near. Capitals count as the letters they are.
std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string>& candidates);

// "did you mean 'word'?"; empty if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace weir
