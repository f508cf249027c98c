// "did you mean …?": the known word that somebody most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir {

// "did you mean 'word'?" for the candidate with the fewest changed letters; empty if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace weir
