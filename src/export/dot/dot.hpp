// A program as a graph for Graphviz: one cluster per thread, and one per function that is only called.
#pragma once

#include <string>

#include "trace/witness.hpp"

namespace weir {

// Edges that the witness takes, if there is one, are highlighted and numbered by step.
std::string dot_graph(const Program& program, const Witness* witness = nullptr);

}  // namespace weir
