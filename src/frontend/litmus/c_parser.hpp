// C code of litmus tests: functions P0, P1, … whose parameters name the shared variables, straight to a
// Program. It is a small part of C: integers, if, while, C11 atomics, plain accesses through the parameters,
// and the most common words of the Linux kernel for the same.
#pragma once

#include "frontend/litmus/variables.hpp"

namespace weir::litmus {

// The types of shared variables, from the parameters of all functions that follow.
std::map<std::string, Type> c_parameter_types(TokenReader tokens);

// Adds one thread to the program for each function, up to the question.
void lower_c(TokenReader& tokens, Variables& variables, Program& program);

}  // namespace weir::litmus
