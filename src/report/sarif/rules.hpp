// The rules of SARIF logs: one for each kind of violation, with what it means and what to do about it.
#pragma once

#include <span>
#include <string_view>

#include "trace/witness.hpp"

namespace weir {

struct SarifRule {
  ViolationKind kind;
  std::string_view title;  // in CamelCase
  std::string_view level;  // "error", "warning"
  std::string_view summary;
  std::string_view help;
};

std::span<const SarifRule> sarif_rules();

// Its place in the list.
std::size_t sarif_rule_index(ViolationKind kind);

}  // namespace weir
