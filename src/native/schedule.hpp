// A witness as the native runtime reads it (runtime/guide.c): the places of the executable where the runtime
// is called, and of the witness's steps those that have such a place, in their order.
#pragma once

#include <string>

#include "native/line_table.hpp"
#include "trace/witness.hpp"

namespace weir::native {

// `directory` is where relative paths of the program's sources begin.
std::string schedule_text(const Program& program, const Witness& witness, const LineTable& table,
                          const std::string& directory);

}  // namespace weir::native
