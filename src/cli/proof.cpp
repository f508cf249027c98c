#include "cli/proof.hpp"

#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/outputs.hpp"
#include "trace/certificate_file.hpp"
#include "verify/proof.hpp"

namespace weir::cli {

std::optional<Diagnostic> write_proof(const Program& program, const verify::Question& question,
                                      const Settings& settings, Context& context) {
  const verify::Proof proof = verify::prove(program, question, context);
  if (!proof.certificate)
    return Diagnostic{Severity::kWarning, fmt::format("there is no certificate: {}", proof.reason), {}, ""};
  return write_file(std::string(settings.text(OptionId::kCertificate)),
                    write_certificate(program, *proof.certificate, version()));
}

}  // namespace weir::cli
