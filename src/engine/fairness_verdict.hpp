// What is answered about a system with a Streett objective. It knows no decision diagrams, so that whoever
// shows it need not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "trace/play.hpp"

namespace weir {

struct FairnessVerdict {
  std::string algorithm;                   // "basic", "improved"
  std::string stopped;                     // why the answer is unknown; empty if it is known
  bool chance = false;                     // an MDP
  bool fair = false;                       // the initial vertex wins
  std::vector<bool> winning;               // per vertex
  std::optional<Lasso> lasso;              // from the initial vertex, if it wins in a graph; confirmed
  std::optional<RandomStrategy> strategy;  // of an MDP; confirmed
  Statistics statistics;
};

}  // namespace weir
