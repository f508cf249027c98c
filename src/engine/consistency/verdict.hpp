// What is answered about an instance of consistency verification.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/statistics.hpp"
#include "engine/consistency/verifier.hpp"

namespace weir::consistency {

struct ConsistencyVerdict {
  Outcome outcome = Outcome::kUnknown;
  std::string engine;         // "verify", "naive"
  std::string stopped;        // why the answer is unknown
  std::vector<Step> witness;  // consistent; confirmed
  // Inconsistent: at most one of these says why, see Verifier.
  std::optional<Contradiction> contradiction;
  std::vector<CycleEdge> cycle;
  EventId without_source;
  Statistics statistics;
};

}  // namespace weir::consistency
