// What Trencher's language can say: expressions in prefix notation, and addresses that are known numbers
// where memory is not open.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace weir::trencher {

// Registers of a function that hold one known value throughout: parameters that no instruction writes.
using KnownRegisters = std::map<RegisterId, Value>;

KnownRegisters known_registers(const Program& program, const Thread& thread);

// The value of an expression that depends on known registers only; nothing if it depends on others or fails.
std::optional<Value> constant_value(const Program& program, ExprId expression, const KnownRegisters& known);

struct PrefixText {
  std::string text;
  std::string problem;  // why there is no text; empty if there is one
};

// `names` has one name per register of the function.
PrefixText prefix_text(const Program& program, ExprId expression, const KnownRegisters& known,
                       const std::vector<std::string>& names);

}  // namespace weir::trencher
