// What an answer is about: which mistakes were looked for, and which were not although the program could have them.
#pragma once

#include <string>
#include <vector>

#include "engine/answer.hpp"
#include "report/answer_report.hpp"

namespace weir {

struct NotChecked {
  std::string what;    // "data races"
  std::string option;  // that asks for it: "--races"
};

struct Scope {
  std::vector<std::string> checked;
  std::vector<NotChecked> not_checked;
};

Scope scope_of(const Program& program);

// "Checked: assertions and deadlocks, with 3 threads." and "Not checked: data races (--races).", a line each.
std::string scope_text(const Program& program, const Answer& answer, const RunInfo& run);

// Of an answer about requests and grants.
std::string fairness_scope_text(const Program& program, const RunInfo& run);

// Of an answer about robustness, which says nothing about what the program does under sequential consistency.
std::string robustness_scope_text(const Program& program, const RunInfo& run);

}  // namespace weir
