// Random small programs by seed, and how to make one smaller.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "selfcheck/random/genome.hpp"

namespace weir::selfcheck {

// What C programs need besides, each to be switched on by itself. Genomes without them are what they were
// before there was any of this, seed by seed.
struct ExtraFeatures {
  bool private_memory = false;    // bytes of the thread with computed addresses
  bool blocks = false;            // allocated and used
  bool frees = false;             // blocks are freed, and perhaps used after that
  bool published_blocks = false;  // addresses in a shared cell
  bool copies = false;            // of what may be uninitialised, in variables and in what else is there
  bool uninitialised = false;     // variables without a value
  bool constants = false;
  bool strides = false;  // variables in the gaps of others
  bool waiting_loads = false;
  bool awaited_values = false;
  bool halts = false;
  bool stops = false;  // inside calls, too
  bool self = false;
  bool dormant_threads = false;
  bool more_updates = false;  // nand, minimum, maximum
  bool floats = false;
  bool plain = false;  // accesses that may race
  bool races = false;  // the property
  bool leaks = false;  // the property

  friend bool operator==(const ExtraFeatures&, const ExtraFeatures&) = default;
};

ExtraFeatures all_features();
// Separated by blanks: "blocks frees".
std::string describe(const ExtraFeatures& features);
// The inverse; words that are no features are ignored.
ExtraFeatures features_named(std::string_view words);
// Some of them, each with a chance of one in three; the same for the same seed.
ExtraFeatures some_features(std::uint64_t seed);

// What generated programs are made of. Loads and stores of constants are always in.
struct GeneratorShape {
  std::uint8_t min_threads = 2;
  std::uint8_t max_threads = 3;
  std::uint8_t max_instructions = 5;  // per thread
  std::uint8_t max_variables = 3;
  std::uint8_t max_value = 2;

  bool register_stores = true;
  bool fences = true;
  bool ordered_stores = true;  // release and sequentially consistent stores
  bool locks = true;           // in pairs, and sometimes not
  bool atomic_blocks = true;
  bool read_modify_writes = true;
  bool branches = true;
  bool loops = false;  // with stores in a loop, buffers grow without bound
  bool assignments = true;
  bool assumptions = true;
  bool assertions = true;
  bool nondeterminism = true;  // several executable edges
  bool choices = true;
  bool calls = true;
  bool failures = false;     // divisions, and addresses from registers
  bool open_memory = false;  // sometimes; makes values 64 bits wide
  bool overlaps = false;     // accesses of several sizes to the same bytes

  bool goals = true;
  bool several_goals = false;
  bool exclusives = true;
  bool invariants = true;
  bool deadlocks = true;

  ExtraFeatures extra;
};

// Only loads, stores and full fences, and no properties.
GeneratorShape plain_accesses();

// The same genome for the same seed, on every platform.
Genome random_genome(std::uint64_t seed, const GeneratorShape& shape = {});

// Genomes that are one small step simpler, the boldest first. Following them always ends.
std::vector<Genome> simplifications(const Genome& genome);

// A genome that fails while none of its simplifications does. `genome` must fail.
Genome shrink_failing(Genome genome, const std::function<bool(const Genome&)>& fails);

}  // namespace weir::selfcheck
