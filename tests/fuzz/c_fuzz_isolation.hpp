// Runs rounds in processes of their own, so that a crash ends one round and says which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace weir::fuzz {

// Counted over all processes.
struct Tally {
  std::uint64_t accepted = 0, rejected = 0;
  std::uint64_t compared = 0;      // with the processor
  std::uint64_t safe = 0;          // of these: weir proved the processor's result
  std::uint64_t given_up = 0;      // of these: weir or the processor had no answer
  std::uint64_t without_line = 0;  // rejected with a message that names the file only
  std::uint64_t spoiled = 0;       // rounds in which LLVM crashed before weir was asked
};

// What a round tells about itself while it runs.
struct Round {
  std::uint64_t number = 0;
  std::string file;  // for the input; stays if the round fails
  Tally& tally;
  std::function<void()> start_clock;  // weir is asked now, and must answer soon
};

struct Rounds {
  std::size_t count = 0;
  std::uint64_t seed = 0;
  std::string suffix;             // of the input's file
  std::size_t most_failures = 1;  // then the run ends
  unsigned seconds = 5;           // of processor time for weir's answer
};

// What is wrong with weir's answer, or nothing.
using Check = std::function<std::string(Round&)>;

// Prints failures as they come. True if there were none.
bool run_rounds(const Rounds& rounds, const Check& check, Tally& tally);

}  // namespace weir::fuzz
