// Runs commands at the same time, each as a process of its own, so that none can take another down with it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/process/process.hpp"

namespace weir {

struct CommandEnd {
  ProcessEnd how;
  bool cut = false;  // it was killed for its time was over, or the context was stopped
  double seconds = 0;
  std::string output, errors;
};

struct ProcessLimits {
  std::size_t at_once = 1;
  std::optional<std::chrono::milliseconds> longest;  // after this a process is killed
};

// Calls `ended` for each command when it has, in any order; not for those without a word, nor for those that were
// never started because the context was stopped. Those that run then are asked to end, and soon killed. What the processes write goes
// through files in `folder`, which is also their folder for temporary files; nothing that they started
// outlives this call.
void run_processes(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
                   const std::filesystem::path& folder, const Context& context,
                   const std::function<void(std::size_t, CommandEnd)>& ended);

// How long a process may run whose --timeout is so many seconds: it ends by itself, and that takes a moment.
std::chrono::milliseconds longest_run(double seconds);

// Of the program that runs.
std::string own_path();

}  // namespace weir
