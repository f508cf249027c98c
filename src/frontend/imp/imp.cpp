#include "frontend/imp/imp.hpp"

#include <fmt/format.h>

#include "frontend/imp/recover.hpp"
#include "frontend/imp/syntax.hpp"
#include "program/analysis/plain.hpp"

namespace weir {

Expected<Program> parse_imp(std::string path, std::string text) {
  Program program;
  const FileId file = program.sources.add(std::move(path), std::move(text));
  try {
    imp::lower(imp::parse(file, program.sources.file(file).text), program);
  } catch (SyntaxError& error) {
    return InputError{std::move(program.sources), {std::move(error.diagnostic)}};
  }
  return program;
}

Expected<std::string, std::vector<Diagnostic>> print_imp(const Program& program) {
  if (const auto found = beyond_plain(program))
    return std::vector<Diagnostic>{
        {Severity::kError, fmt::format("IMP cannot express {}", found->what), found->position, ""}};
  auto syntax = imp::recover(program);
  if (!syntax) return std::move(syntax.error());
  return imp::print(*syntax);
}

}  // namespace weir
