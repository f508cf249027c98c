#include "selfcheck/agreement/race_agreement.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "check/explore.hpp"
#include "check/replay.hpp"
#include "engine/smc/smc.hpp"
#include "trace/data_race.hpp"

namespace weir::selfcheck {

namespace {

// The global lock keeps other threads from accessing memory at all, and a load that waits is not offered
// until another thread has written: a race with such an access shows in no state.
bool shows_in_no_state(const Instruction& instruction) {
  return instruction.op == Opcode::kLock || (instruction.op == Opcode::kLoad && instruction.waits);
}

bool is_comparable(const Program& program) {
  return program.properties.races && smc_obstacle(program).empty() && !has_unordered_atomics(program) &&
         std::ranges::none_of(program.edges,
                              [](const Edge& edge) { return shows_in_no_state(edge.instruction); });
}

}  // namespace

std::string race_disagreement(const Program& program, Model model, RaceComparisons& made,
                              std::size_t most_states) {
  if (!is_comparable(program)) return ++made.refused, "";
  const ReferenceExploration reference = explore_all(program, model, {.states = most_states});
  if (!reference.complete) return ++made.too_large, "";
  Context context;
  const Answer answer = check_smc(program, {.model = model}, context);
  if (answer.verdict == Verdict::kUnknown) return ++made.refused, "";
  ++made.compared;
  made.racing += reference.violations.empty() ? 0 : 1;
  if ((answer.verdict == Verdict::kUnsafe) == reference.violations.empty())
    return fmt::format("executions under {} are {}, but states are not", name(model), name(answer.verdict));
  if (answer.verdict == Verdict::kSafe) return "";
  const ReplayResult replayed = replay(program, *answer.witness);
  return replayed.reproduced ? "" : "the witness is not reproduced: " + replayed.failure;
}

}  // namespace weir::selfcheck
