// The self-check: random inputs through every engine that applies, until one disagrees with another.
//
// Inputs are numbered, and what happens to one depends on its number alone; so several threads can take
// numbers in turn. A disagreement is reported for the smallest number that has one: numbers below it are
// finished first. It is then shrunk as long as the same comparison disagrees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "selfcheck/comparisons.hpp"
#include "selfcheck/random/random_inputs.hpp"

namespace weir::selfcheck {

struct SelfcheckOptions {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;             // number
  std::optional<std::uint64_t> count;  // none: until stopped
  std::size_t jobs = 1;
  std::vector<std::string> comparisons;  // by name; empty: all
  std::vector<Model> models{all_models().begin(), all_models().end()};
  InputOptions inputs;
};

struct Disagreement {
  std::uint64_t number = 0;  // of the input it was found with
  std::string comparison;
  Model model = Model::kTso;
  std::string problem;                // with the smallest input
  std::string text;                   // that input; can be loaded again
  std::string suffix;                 // of its format: ".weir", ".cub"
  std::vector<std::string> commands;  // that show it, with {file} for the file
};

struct SelfcheckResult {
  std::uint64_t inputs = 0;  // that went through all their comparisons
  Ledger ledger;
  std::optional<Disagreement> disagreement;
};

SelfcheckResult run_selfcheck(const SelfcheckOptions& options, Context& context);

// One program or system of the user's through every comparison, in all ways.
SelfcheckResult selfcheck_program(const Program& program, const SelfcheckOptions& options);
SelfcheckResult selfcheck_system(const array::ArraySystem& system, const SelfcheckOptions& options);

}  // namespace weir::selfcheck
