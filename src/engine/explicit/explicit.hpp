// The explicit engine: visits global states one by one and remembers them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/context.hpp"
#include "engine/answer.hpp"

namespace weir {

enum class Search : std::uint8_t { kBreadthFirst, kDepthFirst };

enum class Reduction : std::uint8_t {
  kAuto,        // local runs fused into the action before them; every interleaving of the rest
  kNone,        // every instruction is a step of its own; every interleaving
  kLocalFirst,  // a thread that starts on local instructions goes on alone until it touches memory
  kPersistent,  // a thread that can only do local steps moves alone
  kDynamic,     // backtracking only where accesses met during the search conflict
  kCartesian,   // threads run as far as they stay independent of each other, then switch
};

const char* name(Reduction reduction);
std::optional<Reduction> parse_reduction(std::string_view text);

struct ExplicitOptions {
  Model model = Model::kSc;
  Search search = Search::kBreadthFirst;
  Reduction reduction = Reduction::kAuto;
  bool symmetry = true;                  // threads with the same code are interchangeable
  bool live_variables = true;            // registers that will not be read again do not distinguish states
  std::optional<std::uint32_t> buffer;   // at most so many stores in a thread's buffer
  std::uint64_t local_steps = 1'000'000; // instructions a thread may execute between two visible actions
};

// Is a violation of the program's properties (or a failing assertion) reachable? The witness is minimised but
// not yet replayed: that is the caller's duty.
Answer check_explicit(const Program& program, const ExplicitOptions& options, Context& context);

}  // namespace weir
