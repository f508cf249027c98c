// Several engines on one question, the first sound answer wins.
//
// The first contender starts at once and alone: most programs are small, and then the answer is always the
// same one. If it takes longer, or gives up, the others start, since each of them can be the one that closes
// where the first does not: buffers that grow for ever, or a state space that is large for reasons the
// property does not care about. As many run at a time as there are seats. If there are several seats, the first
// contender keeps one; the others take turns, in slices that grow, and each by its share, so that none that
// takes for ever keeps a quicker one from its turn, and nothing that was found is lost. Whoever decides first
// stops the rest. The verdict does not depend on who that is; the execution shown may.
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
  unsigned share = 1;  // how long its turns are, compared with others'
};

struct RaceOptions {
  std::chrono::milliseconds head_start{50};  // of the first
  unsigned seats = 2;                         // contenders that run at the same time
  // An answer that none of the others can better, although it is unknown.
  std::function<bool(const Answer&)> ends_all = [](const Answer&) { return false; };
};

// If nobody decides, the answer of the first; notes say what stopped the others. There is at least one contender.
Answer race(const std::vector<Contender>& contenders, const RaceOptions& options, Context& context);

}  // namespace weir
