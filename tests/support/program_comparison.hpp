// The main function of comparisons with brute force on many generated programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir::test {

struct ProgramComparison {
  // What differs; empty if nothing does. `counts`: the comparison is to be counted.
  std::function<std::string(const Program& program, Model model, bool counts)> disagreement;
  std::function<std::size_t()> compared;  // how many comparisons were counted
};

struct ComparedPrograms {
  std::uint64_t programs = 0;
  std::uint64_t under_all = 0;  // models
};

// Arguments: COUNT [FIRST_SEED]. Nothing if a program disagrees; the smallest such program that was found is
// printed.
std::optional<ComparedPrograms> compare_programs(int argc, char** argv, const ProgramComparison& comparison);

}  // namespace weir::test
