#include "engine/access_step.hpp"

#include "machine/evaluate.hpp"

namespace weir {

void describe_access(const Action& action, Value returned, SharedMemory& shared, MemoryId memory,
                     WitnessStep& step) {
  // Private accesses are described by the automaton; those of locked instructions are fences to others.
  if (action.kind == ActionKind::kInternal || action.kind == ActionKind::kFence) return;
  step.address = action.address;
  switch (action.kind) {
    case ActionKind::kLoad: step.value = returned; break;
    case ActionKind::kStore: step.value = action.value; break;
    case ActionKind::kRmw: {
      const CellId cell = shared.cell(action.address, action.type);
      const Value old = shared.read(memory, cell);
      step.value = returned;
      step.stored = action.rmw != RmwOp::kCompareExchange || old == action.expected;
      if (step.stored) step.written = apply_rmw(action.rmw, old, action.value, shared.type(cell));
      break;
    }
    default: break;
  }
}

}  // namespace weir
