// Proofs of safety that were checked, for --certificate.
#pragma once

#include <optional>

#include "base/context.hpp"
#include "base/diagnostic.hpp"
#include "cli/options/options.hpp"
#include "program/program.hpp"
#include "program/value_limits.hpp"

namespace weir::cli {

// Writes a certificate of a program that is safe, for any number of threads or for those it has. What to say
// if there is none. A certificate that turns out wrong is an internal error.
std::optional<Diagnostic> write_proof(const Program& program, bool any_number, const ValueLimits& values,
                                      const Settings& settings, Context& context);

}  // namespace weir::cli
