#include "cli/proof.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "check/dual/certificate.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "engine/coverability/dual/certify.hpp"
#include "trace/certificate_file.hpp"

namespace weir::cli {

std::optional<Diagnostic> write_proof(const Program& program, bool any_number, const ValueLimits& values,
                                      const Settings& settings, Context& context) {
  const DualOptions options{.model = parse_model(settings.text(OptionId::kModel)).value(),
                            .any_number = any_number,
                            .local_steps = settings.number(OptionId::kLocalSteps).value(),
                            .values = values,
                            .jobs = jobs(settings)};
  const DualProof proof = certify_dual(program, options, context);
  if (!proof.certificate)
    return Diagnostic{Severity::kWarning, fmt::format("there is no certificate: {}", proof.reason), {}, ""};
  const std::string mistake = certificate_mistake(program, *proof.certificate);
  if (!mistake.empty()) throw InternalError("the certificate is wrong: " + mistake);
  return write_file(std::string(settings.text(OptionId::kCertificate)),
                    write_certificate(program, *proof.certificate, version()));
}

}  // namespace weir::cli
