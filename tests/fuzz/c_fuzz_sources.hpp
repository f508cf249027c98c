// Changes of C texts.
#pragma once

#include <string>
#include <vector>

#include "fuzz/c_fuzz_random.hpp"
#include "fuzz/c_fuzz_seeds.hpp"

namespace weir::fuzz {

std::string mutated_source(const std::vector<SourceSeed>& seeds, Random& random);

}  // namespace weir::fuzz
