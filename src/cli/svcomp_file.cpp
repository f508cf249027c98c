#include "cli/svcomp_file.hpp"

#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/loading.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "frontend/c/c.hpp"
#include "program/ordering.hpp"
#include "report/svcomp/svcomp.hpp"

namespace weir::cli {

namespace {

bool is_graphml(std::string_view path) { return path.ends_with(".graphml"); }
bool is_yaml(std::string_view path) { return path.ends_with(".yml") || path.ends_with(".yaml"); }

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

}  // namespace

std::optional<UsageError> check_svcomp(const CommandLine& line) {
  const Settings& settings = line.settings;
  if (!settings.given(OptionId::kSvcompWitness)) return std::nullopt;
  const std::string_view path = settings.text(OptionId::kSvcompWitness);
  if (!is_c_program(line)) return UsageError{"--svcomp-witness is for C programs", ""};
  if (!is_graphml(path) && !is_yaml(path))
    return UsageError{fmt::format("--svcomp-witness {}: the suffix says which format", path),
                      ".yml is format 2.2, .graphml is format 1.0"};
  if (!keeps_program_order(asked_model(line)))
    return UsageError{"SV-COMP's formats know sequential consistency only",
                      "leave --model out; --witness and --sarif write executions under every model"};
  return std::nullopt;
}

std::optional<Diagnostic> write_svcomp(const CommandLine& line, const Program& program,
                                       const Answer& answer) {
  if (!line.settings.given(OptionId::kSvcompWitness) || answer.verdict == Verdict::kUnknown)
    return std::nullopt;
  auto witness = svcomp_witness(program, answer.witness ? &*answer.witness : nullptr);
  if (!witness)
    return Diagnostic{Severity::kWarning, fmt::format("no witness for SV-COMP: {}", witness.error()), {}, ""};
  witness->version = version();
  witness->time = now();
  witness->files = line.files;
  witness->narrow = is_for_narrow_machine(line.compiler_arguments);
  const std::string path(line.settings.text(OptionId::kSvcompWitness));
  return write_file(path, is_graphml(path) ? svcomp_graphml(*witness) : svcomp_yaml(*witness));
}

}  // namespace weir::cli
