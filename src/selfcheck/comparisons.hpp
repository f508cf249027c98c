// The comparisons that a program or an array system can go through: each holds one engine, or several that
// belong together, against something that was made without it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/array/system.hpp"
#include "program/program.hpp"
#include "selfcheck/ledger.hpp"

namespace weir::selfcheck {

// How much to do on one program: everything; or, where many programs are to be seen, only those ways to run
// an engine that the number draws, and brute force only on programs that are small.
struct Effort {
  std::uint64_t draw = 0;
  bool everything = false;

  std::size_t at_most(std::size_t in_general, std::size_t of_many) const {
    return everything ? in_general : of_many;
  }
};

struct ProgramComparison {
  std::string_view name;  // in --engines
  std::span<const Model> models;
  // What differs; empty if nothing does, or if there is nothing to compare, which the ledger tells. May throw
  // InternalError, which is a disagreement, too.
  std::string (*problem)(const Program& program, Model model, const Effort& effort, Ledger& ledger);
  // Commands with which a user sees the two sides; {file} and {model} stand for these.
  std::vector<std::string_view> commands;
};

struct ArrayComparison {
  std::string_view name;
  std::string (*problem)(const array::ArraySystem& system, const Effort& effort, Ledger& ledger);
  std::vector<std::string_view> commands;
};

std::span<const ProgramComparison> program_comparisons();
std::span<const ArrayComparison> array_comparisons();

// The names of all of them.
std::vector<std::string> comparison_names();

// As `problem` says, with what was thrown as the problem.
std::string problem_of(const ProgramComparison& comparison, const Program& program, Model model,
                       const Effort& effort, Ledger& ledger);
std::string problem_of(const ArrayComparison& comparison, const array::ArraySystem& system,
                       const Effort& effort, Ledger& ledger);

}  // namespace weir::selfcheck
