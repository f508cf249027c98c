// Floating point on the bits of numbers: IEEE 754 with 32 or 64 bits, rounding to nearest. A result that is
// no number is always the same one, the quiet one with a sign, which x86 gives where no operand was one.
#pragma once

#include "program/program.hpp"

namespace weir {

// kFloatAdd to kFloatRem; operands and result have type `type`.
Value float_arithmetic(ExprOp op, Value a, Value b, Type type);

// kFloatEq to kFloatUnordered; the operands have type `type`.
bool float_comparison(ExprOp op, Value a, Value b, Type type);

Value float_to_int(Value a, Type from, Type to);
Value int_to_float(Value a, Type from, Type to);
Value float_to_float(Value a, Type from, Type to);

}  // namespace weir
