// Who takes part in `auto` under which model, the one that begins first, and how long the turns of each are. Written by
// bench/auto/derive.py from what was measured (bench/auto/*.json), and not by hand.
#pragma once

#include <string_view>

namespace weir::verify {

struct Entrant {
  std::string_view engine;
  unsigned share;
};

inline constexpr Entrant kUnderSc[] = {{"explicit", 3}, {"smc", 2}, {"dual", 1}};
inline constexpr Entrant kUnderTso[] = {
    {"explicit", 3}, {"lazy", 3}, {"smc", 2}, {"dual", 1}, {"abstraction", 1}};
inline constexpr Entrant kUnderPso[] = {{"explicit", 3}, {"smc", 2}};

}  // namespace weir::verify
