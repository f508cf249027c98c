// What expressions evaluate to. The caller says what the leaves other than constants stand for, because these
// belong to one activation of a thread in an instruction, but to a whole state in an invariant.
#pragma once

#include <functional>
#include <optional>

#include "program/program.hpp"

namespace weir {

// The value of a `kRegister`, `kSelf`, `kFrame`, `kSharedCell` or `kThreadRegister`.
using LeafReader = std::function<Value(const Expression&)>;

// Nothing if the evaluation divides by zero.
std::optional<Value> evaluate(const Program& program, ExprId id, const LeafReader& read_leaf);

// The value that a read-modify-write other than compare-exchange leaves behind, in the type `type`.
Value modify(RmwOp op, Value old_value, Value operand, Type type);

}  // namespace weir
