// How many writes an execution can have, in programs whose threads have no loops.
#pragma once

#include <cstdint>
#include <optional>

#include "program/program.hpp"

namespace weir {

// The most stores, read-modify-writes and releases of blocks on any way through each thread, added up. None
// if a thread can come back to where it was, or calls itself.
std::optional<std::uint64_t> most_writes(const Program& program);

}  // namespace weir
