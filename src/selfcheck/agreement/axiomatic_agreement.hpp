// Whether the axiomatic search for array systems, the schedule-based one and the reference machine say the
// same.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "program/array/system.hpp"
#include "selfcheck/random/array_generator.hpp"

namespace weir::selfcheck {

struct AxiomaticComparisons {
  std::uint64_t safe = 0, unsafe = 0;  // answers of the axiomatic search
  std::uint64_t undecided = 0;         // it gave up, or had no time left
  std::uint64_t compared = 0;          // with an answer of the schedule-based search
  std::uint64_t approximations = 0;    // of these, different ones that weakened guards explain
  std::uint64_t explored = 0;          // safe answers held against all states of an instance with 2 processes
  std::uint64_t confirmed = 0;         // unsafe answers for which the reference machine has a run
};

struct AxiomaticEffort {
  std::chrono::milliseconds search{1000};  // for each search
  std::size_t states = 20'000;             // of the reference machine
};

// The system of a seed: of four, one without universal guards and with little else, one without universal
// guards, one with everything, one with shared ordinary symbols; one of three has numbers.
array::ArraySystem axiomatic_system(std::uint64_t seed);

// What is wrong; empty if nothing is.
std::string axiomatic_disagreement(const array::ArraySystem& system, AxiomaticComparisons& made,
                                   const AxiomaticEffort& effort = {});

}  // namespace weir::selfcheck
