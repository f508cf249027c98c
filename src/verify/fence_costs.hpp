// What a fence costs, per location of a program.
#pragma once

#include <string>
#include <vector>

#include "verify/load.hpp"

namespace weir::verify {

// `choice`: "size", "frequency", or a file with lines "LABEL COST" and "THREAD:LABEL COST". Infinite where
// the language of the program cannot say a fence.
Expected<std::vector<double>> fence_costs(const Loaded& loaded, const std::string& choice);

}  // namespace weir::verify
