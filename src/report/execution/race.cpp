#include "report/execution/race.hpp"

#include <fmt/format.h>

#include "check/replay.hpp"

namespace weir {

std::vector<RaceNote> race_notes(const Program& program, const Witness& witness) {
  std::vector<RaceNote> notes;
  if (witness.violation.kind != ViolationKind::kRace) return notes;
  for (const RacingAccess& access : replay(program, witness).race) {
    const Edge& edge = program.edge(access.edge);
    const char* const verb = edge.instruction.op == Opcode::kLoad ? "reads" : "writes";
    const std::string variable = program.address_name(access.address);
    notes.push_back({edge.position,
                     fmt::format("thread {} {} {}", program.thread(access.thread).name, verb, variable),
                     access.thread, verb, variable});
  }
  return notes;
}

}  // namespace weir
