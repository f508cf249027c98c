// Litmus tests that were made from cycles, through the search and the axioms under every model.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/statistics.hpp"
#include "program/model.hpp"

namespace weir::selfcheck {

struct CrossCheck {
  std::uint64_t tests = 0;
  std::map<Model, std::uint64_t> allowed;  // tests whose condition the model allows
  std::uint64_t states = 0, candidates = 0;

  CrossCheck();
};

// Adds what the test has; the caller counts it. A difference is an internal error. A test takes a moment, so nothing is
// asked about limits meanwhile, and no progress told.
void cross_check(const std::string& name, std::string text, CrossCheck& totals);

std::string cross_check_text(const CrossCheck& totals, double seconds);
Statistics statistics(const CrossCheck& totals);

}  // namespace weir::selfcheck
