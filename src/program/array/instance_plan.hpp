// How the parts of an array system are spread over the threads of a program.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/array/system.hpp"

namespace weir::array {

struct TransitionPlan {
  bool reads_weak = false, writes_weak = false;  // as it is written
  bool fenced = false;                           // fence() is one of the conjuncts of its guard …
  bool fence_inside = false;                     // … or stands elsewhere
  std::optional<std::uint32_t> executor;  // the parameter whose thread executes it; none: a thread for all

  bool read_modify_write() const { return reads_weak && writes_weak; }
  bool ordinary() const { return !reads_weak && !writes_weak && !fenced && !fence_inside; }
};

struct InstancePlan {
  std::vector<TransitionPlan> transitions;
  std::vector<bool> is_private;  // by symbol: cell p of the array is a register of thread p
  bool common_thread = false;    // is there a thread that belongs to no process?
};

InstancePlan plan_instance(const ArraySystem& system);

// Is this case of an update one that leaves a weak cell alone (`_ : A[j]`)?
bool keeps_weak_cell(const ArraySystem& system, const Update& update, const UpdateCase& one);

}  // namespace weir::array
