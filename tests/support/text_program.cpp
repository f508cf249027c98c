#include "support/text_program.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::test {

namespace {

constexpr const char* kRegisters =
    "  register p : u64\n  register q : u64\n  register r\n  register s\n  register f : u32\n"
    "  register g : u32\n  register c : u8\n";

}  // namespace

TextProgram& TextProgram::function(const std::string& name, const std::vector<std::string>& code,
                                   const std::string& locals) {
  text_ += fmt::format("function {}()\n{}{}", name, kRegisters, locals);
  for (std::size_t i = 0; i < code.size(); ++i)
    text_ += fmt::format("  at{}:\n    {} -> at{}\n", i, code[i], i + 1);
  text_ += fmt::format("  at{}:\nend\n", code.size());
  return *this;
}

TextProgram& TextProgram::thread(const std::string& name, const std::vector<std::string>& code,
                                 const std::string& locals) {
  return function(name, code, locals).declare(fmt::format("thread {} = {}()", name, name));
}

TextProgram& TextProgram::dormant_thread(const std::string& name, const std::vector<std::string>& code) {
  return function(name, code).declare(fmt::format("dormant thread {} = {}()", name, name));
}

TextProgram& TextProgram::declare(const std::string& line) {
  text_ += line + "\n";
  return *this;
}

Program TextProgram::program() const {
  Expected<Program> parsed = parse_program_text("test.weir", "weir 1\n" + text_);
  if (!parsed) throw InternalError(render(parsed.error().diagnostics[0], parsed.error().sources));
  const std::vector<Diagnostic> mistakes = validate(*parsed);
  if (!mistakes.empty()) throw InternalError(render(mistakes[0], parsed->sources));
  return std::move(*parsed);
}

std::set<ViolationKey> violations(const Program& program, Model model) {
  const ReferenceExploration exploration = explore_all(program, model);
  WEIR_CHECK(exploration.complete, "the program is small");
  return exploration.violations;
}

std::string first_violation(const Program& program, Model model) {
  const std::optional<Witness> witness = shortest_witness(program, model);
  if (!witness) return "";
  const ReplayResult replayed = replay(program, *witness);
  return replayed.reproduced ? witness->violation.message : "does not replay: " + replayed.failure;
}

}  // namespace weir::test
