#include "verify/explore.hpp"

#include "verify/confirmation.hpp"

namespace weir::verify {

SmcAnswer explore(const Program& program, const SmcOptions& options, Context& context) {
  SmcAnswer answer = explore_executions(program, options, context);
  if (!answer.witness) return answer;
  if (auto reason = beyond_model(program, *answer.witness)) {
    answer.complete = false;
    answer.violating = 0;
    answer.reason = std::move(*reason);
    answer.witness.reset();
    return answer;
  }
  answer.witness = confirmed(program, *answer.witness, context);
  return answer;
}

}  // namespace weir::verify
