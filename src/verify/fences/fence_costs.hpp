// What a fence costs, per location of a program.
#pragma once

#include <string>
#include <vector>

#include "engine/robust/fences/fence.hpp"
#include "verify/load.hpp"

namespace weir::verify {

struct FenceCosts {
  std::vector<double> per_location;  // infinite where the language of the program cannot say a fence
  std::string basis;  // how frequencies came about, in a sentence; empty: they are not asked for
};

// `choice`: "size", "frequency", or a file with a place and a cost on each line. Of `options` counts how many
// copies of each thread run.
Expected<FenceCosts> fence_costs(const Loaded& loaded, const std::string& choice, const FenceOptions& options,
                                 Context& context);

}  // namespace weir::verify
