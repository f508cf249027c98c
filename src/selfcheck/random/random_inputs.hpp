// What the self-check feeds the engines: the input of a number depends on the seed, the number and the
// options, and on nothing else.
//
// Programs come in families. Each suits some comparisons: programs small enough for all executions by brute
// force are too small for others, and what has loops has too many executions. So each family has its share of
// the numbers, and each comparison is made on a share of a family's programs, which is small where it is
// expensive or finds little.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/array/system.hpp"
#include "selfcheck/random/genome.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

enum class Family : std::uint8_t {
  kGeneral,      // everything, with properties; some with loops, some with what C programs need
  kExecutions,   // few accesses; loops of two rounds
  kRobust,       // no loops, no properties
  kLazy,         // the same with properties, calls and loops
  kDelay,        // two threads that see each other too late if they delay a store
  kBackward,     // loops in which buffers grow
  kAbstraction,  // many stores
  kObserver,     // a thread that stores, and one that observes the order
  kOverlaps,     // accesses of several sizes to the same bytes
  kOutcomes,     // no locks, blocks, calls or assertions
  kArray,        // array systems
  kPointers,     // as delay, past calls, accesses whose addresses are computed, and loads that wait
  kOwnCells,     // loops that store where no other thread looks
};

inline constexpr std::size_t kFamilies = static_cast<std::size_t>(Family::kOwnCells) + 1;

// What the user wants programs to be made of.
struct InputOptions {
  std::optional<std::uint8_t> threads, variables, values, instructions;  // at most
  std::optional<std::vector<std::string>> features;                      // none: all

  bool any() const { return threads || variables || values || instructions || features; }
};

// "loops", "atomics", …
std::vector<std::string> feature_names();

using Input = std::variant<Genome, array::ArraySystem>;

struct RandomInput {
  Family family = Family::kGeneral;
  std::uint64_t draw = 0;  // for what else is chosen at random
  Input input;
};

class RandomInputs {
 public:
  // Only inputs that some of the named comparisons look at; all comparisons if there are no names.
  RandomInputs(std::uint64_t seed, InputOptions options, std::vector<std::string> comparisons);

  RandomInput input(std::uint64_t number) const;

  // Is the comparison one of those wanted, and is it made on this input? Comparisons that the user named are
  // made on all inputs that suit them.
  bool compares(std::string_view comparison, const RandomInput& input) const;

 private:
  bool wanted(std::string_view comparison) const;
  bool suits(Family family) const;  // one of those wanted
  Family relative_of(Family family) const;

  std::uint64_t seed_;
  InputOptions options_;
  std::vector<std::string> comparisons_;
  std::vector<Family> families_;  // as often as their shares
};

}  // namespace weir::selfcheck
