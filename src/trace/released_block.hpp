// What is known about the block that a witness accesses after its end: whose it was, and where it ended.
#pragma once

#include <optional>
#include <string>

#include "trace/witness.hpp"

namespace weir {

// "x, declared at f.c:3:7, ended at f.c:9:1", if the last step accesses or releases a block that was released
// before.
std::optional<std::string> describe_released_block(const Program& program, const Witness& witness);

}  // namespace weir
