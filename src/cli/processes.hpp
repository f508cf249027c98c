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

namespace weir::cli {

struct ProcessEnd {
  std::optional<int> exit_code;  // none if a signal ended it
  int signal = 0;
  double seconds = 0;
  std::string output, errors;
};

struct ProcessLimits {
  std::size_t at_once = 1;
  std::optional<std::chrono::milliseconds> longest;  // after this a process is killed
};

// Calls `ended` for each command when it has, in any order; not for those that were never started because the
// context was stopped. What the processes write goes through files in `folder`.
void run_processes(const std::vector<std::vector<std::string>>& commands, const ProcessLimits& limits,
                   const std::filesystem::path& folder, const Context& context,
                   const std::function<void(std::size_t, ProcessEnd)>& ended);

// Of the program that runs.
std::string own_path();

}  // namespace weir::cli
