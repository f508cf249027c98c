// The answer of `weir fair` about a system, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "program/arena.hpp"
#include "report/answer_report.hpp"
#include "trace/play.hpp"

namespace weir {

struct FairnessReport {
  const Arena& arena;
  std::string algorithm;       // "basic", "improved"
  std::string stopped;         // why the answer is unknown; empty if it is known
  bool chance = false;         // an MDP
  std::vector<bool> winning;   // per vertex
  std::optional<Lasso> lasso;  // from the initial vertex, if it wins
  std::optional<RandomStrategy> strategy;
  bool list = false;  // name the winning vertices
  Statistics statistics;

  bool fair() const { return winning[arena.initial]; }
};

// One line with its end.
std::string fairness_verdict_line(const FairnessReport& report, const Presentation& presentation);
std::string fairness_text(const FairnessReport& report, const RunInfo& run, const Presentation& presentation);
std::string fairness_json(const FairnessReport& report, const RunInfo& run);

}  // namespace weir
