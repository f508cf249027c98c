// All executions of a program; one that violates a property was executed by the reference machine.
#pragma once

#include "base/context.hpp"
#include "engine/smc/smc.hpp"

namespace weir::verify {

SmcAnswer explore(const Program& program, const SmcOptions& options, Context& context);

}  // namespace weir::verify
