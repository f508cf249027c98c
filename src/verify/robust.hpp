// Does TSO add behaviour over SC? Every attack that is reported was executed by the reference machine.
#pragma once

#include "base/context.hpp"
#include "engine/robust/robust.hpp"
#include "verify/question.hpp"

namespace weir::verify {

struct RobustResult {
  RobustAnswer answer;
  std::optional<ThreadCounts> threads;  // for any number of threads: how many an attack takes

  // Of the first attack that was found; null if there is none.
  const Witness* witness() const;
};

// For any number of threads, an attack is one on an instance, which takes the place of the program.
RobustResult check_robust(Program& program, bool any_number, const RobustOptions& options, Context& context,
                          const Observer& observer = {});

}  // namespace weir::verify
