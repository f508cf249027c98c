#include "trace/witness.hpp"

#include <array>
#include <utility>

namespace weir {

namespace {

constexpr std::array kModels = {std::pair{Model::kSc, "sc"}, std::pair{Model::kTso, "tso"},
                                std::pair{Model::kPso, "pso"}};

constexpr std::array kViolations = {
    std::pair{ViolationKind::kAssertion, "assertion"}, std::pair{ViolationKind::kDeadlock, "deadlock"},
    std::pair{ViolationKind::kRace, "race"},           std::pair{ViolationKind::kMemory, "memory"},
    std::pair{ViolationKind::kGoal, "goal"},           std::pair{ViolationKind::kForbidden, "forbidden"},
    std::pair{ViolationKind::kUnsafe, "unsafe"}};

template <class Table, class Key>
const char* text_of(const Table& table, Key key) {
  for (const auto& [value, text] : table)
    if (value == key) return text;
  return "?";
}

template <class Table>
auto value_of(const Table& table, std::string_view wanted) -> std::optional<decltype(table[0].first)> {
  for (const auto& [value, text] : table)
    if (wanted == text) return value;
  return std::nullopt;
}

}  // namespace

const char* name(Model model) { return text_of(kModels, model); }
std::optional<Model> parse_model(std::string_view text) { return value_of(kModels, text); }

const char* name(ViolationKind kind) { return text_of(kViolations, kind); }
std::optional<ViolationKind> parse_violation_kind(std::string_view text) { return value_of(kViolations, text); }

}  // namespace weir
