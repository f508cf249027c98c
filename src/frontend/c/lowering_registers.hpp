// Registers that are never alive at the same time become one, if they have the same type: each register is a
// word in every state of every activation.
#pragma once

#include "frontend/c/lowering_graph.hpp"
#include "program/program.hpp"

namespace weir::c {

// Parameters stay where they are. `first` is the first of the program's expressions that belong to this
// function: those from it on are changed to read the shared registers.
void share_registers(Graph& graph, Program& program, std::size_t first);

}  // namespace weir::c
