#include "verify/confirmation.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "check/happens_before.hpp"
#include "check/replay.hpp"
#include "trace/minimise.hpp"
#include "trace/released_block.hpp"

namespace weir::verify {

namespace {

// Does the attacker's store become visible only after the load? A triangular race is an execution under SC,
// in which the store comes before the load and the load is the last access but for the write it races with.
bool shows(const Program& program, const Attack& attack, const Witness& witness) {
  const std::vector<TraceEvent> events = trace_events(program, witness);
  if (events.empty()) return false;
  const bool race = witness.violation.kind == ViolationKind::kTriangularRace;
  const auto racing_unit = std::ranges::find(events, events.back().unit, &TraceEvent::unit);
  const auto by_attacker = [&](const TraceEvent& event, EdgeId edge) {
    return event.thread == attack.thread && event.edge == edge;
  };
  for (auto load = events.begin(); load != events.end(); ++load) {
    if (!by_attacker(*load, attack.load) || (race && load + 1 != racing_unit)) continue;
    const auto overtaken = [&](const TraceEvent& store) {
      return by_attacker(store, attack.store) && (race || load->step < store.visible);
    };
    if (std::any_of(events.begin(), load, overtaken)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> beyond_model(const Program& program, const Witness& witness) {
  return replay(program, witness).unsupported;
}

void respect_model(const Program& program, Answer& answer) {
  if (answer.verdict != Verdict::kUnsafe || !answer.witness) return;
  const auto reason = beyond_model(program, *answer.witness);
  if (!reason) return;
  answer.verdict = Verdict::kUnknown;
  answer.reason = *reason;
  answer.witness.reset();
  answer.diagnostics.push_back({Severity::kWarning,
                                answer.reason,
                                {},
                                "memory that threads may share is read with the size it is written with"});
}

void confirm(const Program& program, const Witness& witness) {
  const ReplayResult result = replay(program, witness);
  if (!result.reproduced)
    throw InternalError(
        fmt::format("the {} violation found cannot be reproduced on the reference machine: {}",
                    name(witness.violation.kind), result.failure));
}

Witness shortened(const Program& program, const Witness& witness, const Context& context) {
  Witness shortest = minimise(program, witness, [&](const Witness& candidate) {
    return !context.stopped() && replay(program, candidate).reproduced;
  });
  Violation& violation = shortest.violation;
  if (violation.kind == ViolationKind::kMemory && violation.property != kLeak)
    if (const auto block = describe_released_block(program, shortest))
      violation.message = violation.message.substr(0, violation.message.find(": ")) + ": " + *block;
  return shortest;
}

Witness confirmed(const Program& program, const Witness& witness, const Context& context) {
  confirm(program, witness);
  return shortened(program, witness, context);
}

Witness confirmed(const Program& program, const Attack& attack, const Witness& witness,
                  const Context& context) {
  confirm(program, witness);
  if (!shows(program, attack, witness))
    throw InternalError("the execution found does not delay the store that it is said to delay");
  return minimise(program, witness, [&](const Witness& candidate) {
    return !context.stopped() && replay(program, candidate).reproduced && shows(program, attack, candidate);
  });
}

}  // namespace weir::verify
