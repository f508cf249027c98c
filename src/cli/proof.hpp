// Proofs of safety that were checked, for --certificate.
#pragma once

#include <optional>

#include "base/context.hpp"
#include "base/diagnostic.hpp"
#include "cli/options/options.hpp"
#include "program/program.hpp"
#include "verify/question.hpp"

namespace weir::cli {

// Writes a certificate of a program that is safe. What to say if there is none.
std::optional<Diagnostic> write_proof(const Program& program, const verify::Question& question,
                                      const Settings& settings, Context& context);

}  // namespace weir::cli
