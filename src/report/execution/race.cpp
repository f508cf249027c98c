#include "report/execution/race.hpp"

#include <fmt/format.h>

#include "check/replay.hpp"
#include "report/execution/source_names.hpp"

namespace weir {

std::vector<RaceNote> race_notes(const Program& program, const Witness& witness) {
  std::vector<RaceNote> notes;
  if (witness.violation.kind != ViolationKind::kRace) return notes;
  const SourceNames names(program, witness);
  for (const RacingAccess& access : replay(program, witness).race) {
    const Edge& edge = program.edge(access.edge);
    const char* const verb = edge.instruction.op == Opcode::kLoad ? "reads" : "writes";
    const std::string variable = names.address(access.address);
    notes.push_back({names.own_position(access.edge),
                     fmt::format("thread {} {} {}", program.thread(access.thread).name, verb, variable),
                     access.thread, verb, variable});
  }
  return notes;
}

}  // namespace weir
