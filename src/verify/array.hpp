// Is an unsafe state of an array system reachable, for any number of processes? An unsafe answer has a run of
// an instance that was executed by the machine of `check`.
#pragma once

#include <optional>
#include <string>

#include "base/context.hpp"
#include "engine/array/array_check.hpp"
#include "engine/array/verdict.hpp"
#include "program/array/system.hpp"

namespace weir::verify {

struct ArrayQuestion {
  array::Inference inference = array::Inference::kAuto;
  std::optional<array::SearchOrder> order;
  bool axiomatic = false;    // the other search, which is there to check the first
  bool certificate = false;  // if the system is safe
  Checkpoint* checkpoint = nullptr;
};

struct ArrayResult {
  ArrayVerdict verdict;
  std::string certificate;  // SMT-LIB; empty if none was asked for, or if there is none
};

ArrayResult check_array(const array::ArraySystem& system, const ArrayQuestion& question, Context& context);

}  // namespace weir::verify
