// Runs another program, without a shell, and takes what it writes; or tries what may crash.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir {

struct ProcessResult {
  int status = 0;  // the exit code, or 128 + the signal that ended the program
  std::string output;
  std::string errors;
};

// Nothing if there is no such program; it is searched for on the PATH. The program has an empty input.
std::optional<ProcessResult> run_process(const std::vector<std::string>& command);

// What the action returns. It is tried in a copy of this process, so that it may crash, or need more than two
// minutes or a few gigabytes; then nothing.
std::optional<std::string> result_if_survived(const std::function<std::string()>& action);

}  // namespace weir
