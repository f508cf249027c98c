// Registers that are never alive at the same time become one, if they have the same type: each register is a
// word in every state of every activation.
#pragma once

#include "base/context.hpp"
#include "frontend/c/lowering/graph.hpp"
#include "program/program.hpp"

namespace weir::c {

// Parameters stay where they are. `first` is the first of the program's expressions that belong to this
// function: those from it on are changed to read the shared registers.
// When the context, if there is one, is stopped, NotWanted is thrown.
void share_registers(Graph& graph, Program& program, std::size_t first, const Context* context);

}  // namespace weir::c
