// Proofs of safety that were checked.
#pragma once

#include <optional>
#include <string>

#include "base/context.hpp"
#include "trace/dual_certificate.hpp"
#include "verify/question.hpp"

namespace weir::verify {

struct Proof {
  std::optional<DualCertificate> certificate;
  std::string reason;  // why there is none
};

// A certificate of a program that is safe, for any number of threads or for those it has. One that turns out
// wrong is an internal error.
Proof prove(const Program& program, const Question& question, Context& context);

}  // namespace weir::verify
