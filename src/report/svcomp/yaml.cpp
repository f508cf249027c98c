// YAML, format 2.2: a violation is a sequence of segments with one waypoint to follow each, and the last
// segment has the target, or both of a race. A waypoint without a condition of its own assumes 1.
#include <fmt/format.h>

#include "base/sha256.hpp"
#include "report/svcomp/svcomp.hpp"

namespace weir {

namespace {

// A scalar in double quotes, in which YAML and JSON agree.
std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

// The entry is told by its content, so the same witness has the same name.
std::string name_of(std::string_view content) {
  std::string digits = sha256(content).substr(0, 32);
  digits[12] = '5';
  digits[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20, 12));
}

std::string metadata(const SvcompWitness& witness, std::string_view content) {
  std::string files, hashes;
  for (const std::string& file : witness.files) {
    files += fmt::format("      - {}\n", yaml_text(file));
    hashes += fmt::format("        {}: {}\n", yaml_text(file), sha256(source_text(witness, file)));
  }
  return fmt::format(
      "  metadata:\n"
      "    format_version: \"2.2\"\n"
      "    uuid: {}\n"
      "    creation_time: \"{}\"\n"
      "    producer:\n"
      "      name: weir\n"
      "      version: {}\n"
      "    task:\n"
      "      input_files:\n{}"
      "      input_file_hashes:\n{}"
      "      specification: {}\n"
      "      data_model: {}\n"
      "      language: C\n",
      name_of(std::string(content) + hashes), witness.time, yaml_text(witness.version), files, hashes,
      yaml_text(witness.specification), witness.narrow ? "ILP32" : "LP64");
}

std::string waypoint(const SvcompWitness& witness, const SvcompStep& step) {
  const bool target = step.kind == SvcompStep::Kind::kTarget;
  const bool choice = step.kind == SvcompStep::Kind::kChoice;
  std::string out = fmt::format(
      "    - waypoint:\n"
      "        type: {}\n"
      "        action: follow\n"
      "        thread_id: {}\n",
      target   ? "target"
      : choice ? "function_return"
               : "assumption",
      step.thread);
  if (choice)
    out += fmt::format("        constraint:\n          value: {}\n          format: acsl_expression\n",
                       yaml_text(fmt::format("\\result == {}", step.value)));
  else if (!target)
    out += "        constraint:\n          value: \"1\"\n          format: c_expression\n";
  return out +
         fmt::format("        location:\n          file_name: {}\n          line: {}\n          column: {}\n",
                     yaml_text(witness.sources->file(step.position.file).path), step.position.line,
                     step.position.column);
}

std::string violation_content(const SvcompWitness& witness) {
  std::string out = "  content:\n";
  bool in_targets = false;
  for (const SvcompStep& step : witness.steps) {
    const bool target = step.kind == SvcompStep::Kind::kTarget;
    if (step.kind == SvcompStep::Kind::kEnter || !step.position.file) continue;
    if (!in_targets) out += "  - segment:\n";
    in_targets = target;
    out += waypoint(witness, step);
  }
  return out;
}

}  // namespace

std::string svcomp_yaml(const SvcompWitness& witness) {
  const std::string content = witness.violation ? violation_content(witness) : "  content: []\n";
  return fmt::format("- entry_type: {}\n{}{}", witness.violation ? "violation_sequence" : "invariant_set",
                     metadata(witness, content), content);
}

}  // namespace weir
