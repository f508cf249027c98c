// Safety under TSO or SC with a certificate that others can check: see check/dual/certificate.hpp.
//
// The search is that of the textbook, instruction by instruction and with nothing left out, so it is slower
// than the one that finds the answer, by orders of magnitude where buffers matter.
#pragma once

#include "engine/coverability/dual/check.hpp"
#include "trace/dual_certificate.hpp"

namespace weir {

struct DualProof {
  std::optional<DualCertificate> certificate;
  std::string reason;  // why there is none
};

// Of `options`, `textbook` is ignored.
DualProof certify_dual(const Program& program, const DualOptions& options, Context& context);

}  // namespace weir
