#include "frontend/rmm/rmm.hpp"

#include "frontend/rmm/syntax.hpp"

namespace weir {

Expected<Program> parse_rmm(std::string path, std::string text, OutsideRange outside) {
  Program program;
  program.name = path;
  const FileId file = program.sources.add(std::move(path), std::move(text));
  try {
    rmm::lower(rmm::parse(file, program.sources.file(file).text), outside, program);
  } catch (SyntaxError& error) {
    return InputError{std::move(program.sources), {std::move(error.diagnostic)}};
  }
  return program;
}

}  // namespace weir
