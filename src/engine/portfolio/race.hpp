// Several engines on one question, the first sound answer wins.
//
// The first contender starts at once and alone: most programs are small, and then the answer is always the
// same one. If it takes longer, the others start, one after the other in a second thread, since each of them
// can be the one that closes where the first does not: buffers that grow for ever, or a state space that is
// large for reasons the property does not care about. Whoever decides first stops the rest. The verdict does
// not depend on who that is; the execution shown may.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/answer.hpp"

namespace weir {

struct Contender {
  std::string name;
  std::function<Answer(Context&)> run;
};

struct RaceOptions {
  std::chrono::milliseconds head_start{1000};  // of the first
};

// If nobody decides, the answer of the first. There is at least one contender.
Answer race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context);

}  // namespace weir
