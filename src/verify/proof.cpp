#include "verify/proof.hpp"

#include "base/error.hpp"
#include "check/dual/certificate.hpp"
#include "engine/coverability/dual/certify.hpp"
#include "verify/engine_options.hpp"

namespace weir::verify {

Proof prove(const Program& program, const Question& question, Context& context) {
  DualOptions options = dual_options(question);
  options.checkpoint = nullptr;  // that of the search that found the answer
  DualProof proof = certify_dual(program, options, context);
  if (!proof.certificate) return {.certificate = {}, .reason = std::move(proof.reason)};
  const std::string mistake = certificate_mistake(program, *proof.certificate);
  if (!mistake.empty()) throw InternalError("the certificate is wrong: " + mistake);
  return {.certificate = std::move(proof.certificate), .reason = {}};
}

}  // namespace weir::verify
