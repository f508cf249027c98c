// What an exploration left out besides what it was asked to, and how its answer says so: such an answer is
// `unknown`.
#pragma once

#include <optional>

#include "engine/answer.hpp"
#include "engine/explicit/monitor.hpp"

namespace weir {

// What the search itself noticed; the rest is known to the system and the monitor.
struct LeftOut {
  bool bounded = false;               // a store was left out because of the buffer bound
  std::optional<ThreadLocation> cut;  // a local run was cut here
};

bool left_out_something(System& system, Monitor& monitor, const LeftOut& noticed);

// Sets reason, bound and warnings. Something must have been left out.
void explain_left_out(System& system, Monitor& monitor, const LeftOut& noticed, Answer& answer);

}  // namespace weir
