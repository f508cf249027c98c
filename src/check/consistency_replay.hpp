// Checks a witness of `weir consistent`: executes it step by step on plain store buffers and confirms that
// it is a whole execution of the memory model in which every read reads a write that it was said to read.
// Shares nothing with the engine that found the witness, not even the description of the events.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "program/model.hpp"

namespace weir {

// An event by its thread and its place in it.
struct ClaimedPlace {
  std::size_t thread = 0, index = 0;

  friend bool operator==(const ClaimedPlace&, const ClaimedPlace&) = default;
};

struct ClaimedEvent {
  enum class Kind { kRead, kWrite, kUpdate, kFence, kStoreFence };
  Kind kind = Kind::kFence;
  std::size_t variable = 0;                          // of a read, a write or an update
  std::vector<std::optional<ClaimedPlace>> sources;  // what it may read; nothing stands for the initial write
};

struct ClaimedStep {
  ClaimedPlace event;
  bool commit = false;  // its store leaves the buffer
};

struct ExecutionClaim {
  Model model = Model::kSc;
  std::vector<std::vector<ClaimedEvent>> threads;
  std::vector<ClaimedStep> steps;
};

// What is wrong with the claim, as in "step 3: …"; empty if it is right.
std::string replay_execution(const ExecutionClaim& claim);

}  // namespace weir
