// Is an unsafe state of a parameterized system reachable, for any number of processes?
//
// Which search proves a system cannot be told from its text: exact backward search is best where it ends,
// guesses where it does not, and which of several guesses is right depends on their order. So the searches
// take turns, each with as many regions as it had before times four, until one of them answers.
#pragma once

#include <string>
#include <vector>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "engine/array/backward.hpp"

namespace weir::array {

enum class Inference : std::uint8_t { kAuto, kNever, kAlways };

struct ArrayOptions {
  Inference inference = Inference::kAuto;
  SearchOrder order = SearchOrder::kSmallest;
  std::vector<std::uint32_t> instances = {2, 3};  // the numbers of processes that guesses are tested with
  std::size_t instance_states = 20'000;           // visited at most, of each
  Checkpoint* checkpoint = nullptr;               // see SearchOptions
};

struct ArrayAnswer {
  SearchResult search;
  bool guessed = false;             // the search that answered made guesses
  std::size_t instance_states = 0;  // that guesses were tested with
  std::uint64_t regions = 0;        // visited by all searches
};

ArrayAnswer check_array_system(const Vocabulary& vocabulary, const ArrayOptions& options, Context& context);

}  // namespace weir::array
