// The C files of the runtime, which weir carries: they are compiled together with the user's program.
#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace weir::native {

std::span<const std::pair<std::string_view, std::string_view>> runtime_files();  // names and texts

}  // namespace weir::native
