// What -n asks for.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/options/command_line.hpp"

namespace weir::cli {

// Nothing, a number of copies of each thread, or any number.
struct Instances {
  bool any = false;
  std::optional<std::uint32_t> number;
};

Expected<Instances, UsageError> instances(const CommandLine& line);

}  // namespace weir::cli
