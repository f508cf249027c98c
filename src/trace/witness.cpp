#include "trace/witness.hpp"

#include <array>
#include <utility>

namespace weir {

namespace {

constexpr std::array kViolations = {std::pair{ViolationKind::kAssertion, "assertion"},
                                    std::pair{ViolationKind::kDeadlock, "deadlock"},
                                    std::pair{ViolationKind::kRace, "race"},
                                    std::pair{ViolationKind::kMemory, "memory"},
                                    std::pair{ViolationKind::kGoal, "goal"},
                                    std::pair{ViolationKind::kForbidden, "forbidden"},
                                    std::pair{ViolationKind::kUnsafe, "unsafe"},
                                    std::pair{ViolationKind::kRobustness, "robustness"},
                                    std::pair{ViolationKind::kTriangularRace, "triangular-race"},
                                    std::pair{ViolationKind::kStarvation, "starvation"}};

}  // namespace

const char* name(ViolationKind kind) {
  for (const auto& [value, text] : kViolations)
    if (value == kind) return text;
  return "?";
}

std::optional<ViolationKind> parse_violation_kind(std::string_view wanted) {
  for (const auto& [value, text] : kViolations)
    if (wanted == text) return value;
  return std::nullopt;
}

}  // namespace weir
