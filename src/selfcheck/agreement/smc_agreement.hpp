// Compares stateless model checking with brute force on one program, for each equivalence: as many executions
// that end, and as many that block, as there are classes, and none of them twice; as many with a violation,
// and the witness of one of these replays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/smc/smc.hpp"
#include "program/model.hpp"
#include "selfcheck/brute_force/maximal_executions.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

struct SmcComparisons {
  std::size_t compared = 0;   // programs under one model, for all equivalences
  std::size_t too_large = 0;  // for brute force
  std::size_t given_up = 0;   // explorations that the engine does not finish, and says so
  std::size_t blocking = 0;   // of those compared: some execution blocks
  std::size_t classes = 0;    // in all of those compared
};

// Programs with more executions than this allows are not compared.
inline constexpr ExecutionLimits kComparedExecutions{.states = 20'000, .steps = 150};

// Empty if the two agree, otherwise what differs. Programs that cannot be compared count as agreeing.
std::string smc_disagreement(const Program& program, Model model, SmcComparisons* made = nullptr,
                             const ExecutionLimits& limits = kComparedExecutions);

// Two or three threads of a few accesses each, with branches, read-modify-writes, fences, atomic blocks; in
// some there are waiting loads, loops of two rounds, or other things that C programs need.
Genome smc_genome(std::uint64_t seed);
GeneratorShape smc_shape_for(std::uint64_t seed);
Genome smc_genome(std::uint64_t seed, const GeneratorShape& shape);

}  // namespace weir::selfcheck
