// What a program leaves out of what the user wrote (`Program::restrictions`): an answer for it is no proof.
#pragma once

#include "engine/answer.hpp"
#include "engine/robust/robust.hpp"
#include "program/program.hpp"

namespace weir::verify {

// `safe` and `robust` become `unknown`, with the restrictions as the reason.
void respect_restrictions(const Program& program, Answer& answer);
void respect_restrictions(const Program& program, RobustAnswer& answer);

// As a warning, where the answer itself is not about all executions; none if there are no restrictions.
std::vector<Diagnostic> restriction_warnings(const Program& program);

}  // namespace weir::verify
