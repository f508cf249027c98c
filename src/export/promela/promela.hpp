// A program in Promela, for checking Weir against SPIN under sequential consistency.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// The Promela text, or what in the program Promela cannot express (calls, types other than i64 and i32,
// addresses that name no object).
Expected<std::string, std::vector<Diagnostic>> promela(const Program& program);

}  // namespace weir
