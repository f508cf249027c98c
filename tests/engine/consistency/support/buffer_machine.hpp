// Store buffers as a textbook draws them, for instances: the judge of all algorithms. States are copied,
// nothing is clever.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/consistency/instance.hpp"
#include "program/model.hpp"

namespace weir::consistency::test {

struct MachineState {
  struct Entry {
    int event;  // -1: a store fence
    int variable;
  };
  std::vector<int> positions;
  std::vector<std::vector<Entry>> buffers;
  std::vector<int> memory;  // per variable the event whose store is there; -1: the initial write

  std::string text() const;
};

// A step and the state after it; `read` is the event whose write a read saw, -1 for the initial one.
struct MachineStep {
  Step step;
  MachineState after;
  std::optional<int> read;
};

MachineState initial_state(const Instance& instance);
std::vector<MachineStep> possible_steps(const Instance& instance, Model model, const MachineState& state);

// Is there an execution in which every read reads one of its sources? By trying all.
bool consistent_by_brute_force(const Instance& instance, Model model);

}  // namespace weir::consistency::test
