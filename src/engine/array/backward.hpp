// Backward reachability on regions (Ghilardi and Ranise; Algorithm 1 of the TSO paper), with guessed
// invariants as in BRAB (Conchon, Goel, Krstic, Mebsout, Zaidi, "Invariants for Finite Instances and
// Beyond").
//
// Regions from which the unsafe cubes can be reached are kept in a queue, by default smallest first. One that
// lies within those visited is dropped; otherwise it is visited, and its predecessors join the queue. The
// search ends when a region has an initial state (unsafe: the transitions that led to it are the trace) or
// the queue is empty (safe: the visited regions are a set that holds the unsafe states, is closed under
// predecessors and holds no initial state).
//
// Guesses. Before a region is put into the queue, parts of it that no state of a small instance satisfies are
// tried in its place; being larger, they end the search sooner or make it end at all. A guess is wrong if the
// search finds an initial state before it; then it is remembered as bad and the search starts again. So every
// safe answer rests on a set of regions that passed all the tests, whoever guessed them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "engine/array/predecessors.hpp"
#include "engine/array/region.hpp"
#include "trace/array_run.hpp"

namespace weir::array {

// What leads from an initial state to an unsafe one: transitions and the processes of their parameters. In a
// system with weak symbols the firings of one process come in this order, those of several may be interleaved
// in another.
struct Trace {
  std::uint32_t processes = 0;  // how many there are
  std::uint32_t unsafe = 0;     // the index of the unsafe cube reached
  std::vector<ArrayFiring> steps;
  std::vector<Rational> numbers;  // with which it may begin, where init leaves a choice
};

enum class SearchOutcome : std::uint8_t {
  kSafe,
  kUnsafe,
  kGaveUp,
  kLimit,  // as many regions as were allowed have been visited
};

struct SearchResult {
  SearchOutcome outcome = SearchOutcome::kGaveUp;
  std::string reason;  // kGaveUp
  Trace trace;         // kUnsafe
  std::optional<std::uint32_t>
      false_claim;              // kUnsafe: the index of the invariant of the file that does not hold
  std::vector<Region> visited;  // kSafe: the set described above
  bool approximate = false;     // kUnsafe: something was weakened on the way
  std::uint64_t regions = 0;    // visited, over all searches
  std::uint64_t predecessors = 0;
  std::uint64_t covered = 0;
  std::uint64_t guesses = 0;
  std::uint64_t restarts = 0;
};

// Proposes larger regions; see guesses.hpp.
using Guesser = std::function<std::optional<Region>(const Region& region, const std::vector<Region>& bad)>;

// Which region is next: the one with the fewest processes and constraints, or the first or last found.
enum class SearchOrder : std::uint8_t { kSmallest, kBreadthFirst, kDepthFirst };

// Which search of several it is, for those who go on with a checkpoint.
struct TurnReached {
  std::uint64_t turn = 0;     // the number of the search
  std::uint64_t regions = 0;  // visited by those before

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("turn");
    archive(turn, regions);
  }
};

struct SearchOptions {
  SearchOrder order = SearchOrder::kSmallest;
  std::uint64_t most_regions = ~std::uint64_t{0};
  // If set, what is known is saved there now and then, and what was saved is where the search begins.
  Checkpoint* checkpoint = nullptr;
  TurnReached turn = {};
};

SearchResult search_backward(const Vocabulary& vocabulary, const Guesser& guess, Context& context,
                             const SearchOptions& options = {});

}  // namespace weir::array
