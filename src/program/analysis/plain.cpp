#include "program/analysis/plain.hpp"

#include <algorithm>

namespace weir {

namespace {

const char* beyond_plain(const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::kAllocate:
    case Opcode::kFree: return "memory allocated at run time";
    case Opcode::kHalt: return "an end of all threads";
    case Opcode::kStop: return "the end of a thread inside a call";
    case Opcode::kRmw: return instruction.rmw > RmwOp::kCompareExchange ? "this read-modify-write" : nullptr;
    default: break;
  }
  if (instruction.waits) return "a load that waits";
  return instruction.copies ? "a copy of uninitialised memory" : nullptr;
}

const char* beyond_plain(const SharedObject& object) {
  if (object.stride != 1) return "cells of several bytes";
  if (object.constant) return "constants in memory";
  return std::ranges::find(object.initial, kUninitialised) != object.initial.end() ? "uninitialised memory"
                                                                                   : nullptr;
}

bool is_plain(const Expression& e) {
  return (e.op < ExprOp::kFloatAdd || e.op > ExprOp::kFloatToFloat) && e.op != ExprOp::kSelf &&
         e.op != ExprOp::kFrame;
}

}  // namespace

std::optional<BeyondPlain> beyond_plain(const Program& program) {
  for (const SharedObject& object : program.objects)
    if (const char* what = beyond_plain(object)) return BeyondPlain{what, object.position};
  for (const Function& function : program.functions)
    if (!function.privates.empty()) return BeyondPlain{"private memory", function.position};
  for (const Thread& thread : program.threads)
    if (thread.dormant) return BeyondPlain{"threads that are started by others", thread.position};
  for (const Edge& edge : program.edges)
    if (const char* what = beyond_plain(edge.instruction)) return BeyondPlain{what, edge.position};
  if (!std::ranges::all_of(program.expressions, is_plain))
    return BeyondPlain{"floating point, or the number of a thread", {}};
  if (program.byte_memory) return BeyondPlain{"memory made of bytes", {}};
  if (program.properties.races || program.properties.leaks) return BeyondPlain{"data races and leaks", {}};
  return std::nullopt;
}

}  // namespace weir
