// Registers whose value is known without executing anything, and expressions over them: for front ends that
// write programs in languages where a thread has no arguments.
#pragma once

#include <map>
#include <optional>

#include "program/program.hpp"

namespace weir {

// Registers of a function that hold one known value throughout: parameters that no instruction writes.
using KnownRegisters = std::map<RegisterId, Value>;

KnownRegisters known_registers(const Program& program, const Thread& thread);

// The value of an expression that depends on known registers only; nothing if it depends on others, fails, or
// has another type than signed 64-bit integers.
std::optional<Value> constant_value(const Program& program, ExprId expression, const KnownRegisters& known);

}  // namespace weir
