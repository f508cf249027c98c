// Variables by the names that reports give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"

namespace weir {

// The address that reports call `name`: x, flag[1], or [7] where memory is open.
std::optional<Value> find_address(const Program& program, std::string_view name);

// Those that can be written.
std::vector<std::string> variable_names(const Program& program);

}  // namespace weir
