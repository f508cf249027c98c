// The answer of `robust` as a person reads it on a terminal and as a program reads it in JSON.
#pragma once

#include "engine/robust/robust.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct RobustReport {
  const Program& program;
  const RobustAnswer& answer;  // its witnesses are confirmed
  RobustnessNotion notion = RobustnessNotion::kTraces;
  bool all = false;            // list every attack, not only the feasible ones
  bool all_witnesses = false;  // show each of them in full, not only the first
  bool any_number = false;     // of threads
  std::optional<ThreadCounts> threads;
};

const char* engine_name(RobustnessNotion notion);  // "attacks", "triangular"

// The attack that an execution shows: the store that its cycle finds delayed, and the load before which it
// should have come; in a triangular race, the latest store and the load. None for other violations.
std::optional<Attack> shown_attack(const Program& program, const Witness& witness);

// The store and the load, located like a compiler's notes.
std::string attack_notes(const Program& program, const Attack& attack, RobustnessNotion notion,
                         const Presentation& presentation);

// "NOT ROBUST against tso: …": one line with its end.
std::string robust_verdict_line(const RobustReport& report, const Presentation& presentation);

// The verdict, where, how, why SC forbids it, what it cost, and what to do next.
std::string robust_text(const RobustReport& report, const RunInfo& run, const Presentation& presentation);

std::string robust_json(const RobustReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
