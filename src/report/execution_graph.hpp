// One execution as a graph: its accesses to shared memory, thread by thread, and program order, reads-from,
// coherence and from-read between them.
#pragma once

#include <string>

#include "trace/witness.hpp"

namespace weir {

// For Graphviz; threads are clusters.
std::string execution_dot(const Program& program, const Witness& witness);

// A picture; threads are columns.
std::string execution_svg(const Program& program, const Witness& witness);

}  // namespace weir
