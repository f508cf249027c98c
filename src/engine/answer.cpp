#include "engine/answer.hpp"

#include "trace/data_race.hpp"

namespace weir {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe: return "safe";
    case Verdict::kUnsafe: return "unsafe";
    case Verdict::kUnknown: return "unknown";
  }
  return "?";
}

void respect_unordered_atomics(const Program& program, Answer& answer) {
  if (answer.verdict != Verdict::kSafe || !program.properties.races || !has_unordered_atomics(program))
    return;
  answer.verdict = Verdict::kUnknown;
  answer.reason =
      "no two accesses race at the same time, but relaxed atomic accesses order nothing, and which accesses "
      "happen before others is not seen in states; --engine smc sees it";
}

}  // namespace weir
