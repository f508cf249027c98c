// One execution as a graph: its accesses to shared memory, thread by thread, and program order, reads-from,
// coherence and from-read between them.
#pragma once

#include <string>

#include "check/happens_before.hpp"
#include "report/execution/source_names.hpp"

namespace weir {

// "R x=0", "W x=1", "U x=0->1"
std::string event_label(const Program& program, const SourceNames& names, const TraceEvent& event);

// For Graphviz; threads are clusters.
std::string execution_dot(const Program& program, const Witness& witness);

// A picture; threads are columns.
std::string execution_svg(const Program& program, const Witness& witness);

}  // namespace weir
