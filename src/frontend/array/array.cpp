#include "frontend/array/array.hpp"

#include "frontend/array/syntax.hpp"

namespace weir {

Expected<array::ArraySystem> parse_array_system(std::string path, std::string text) {
  array::ArraySystem system;
  system.name = path;
  const FileId file = system.sources.add(std::move(path), std::move(text));
  std::vector<Diagnostic> diagnostics;
  const cub::SystemSyntax syntax = cub::parse(file, system.sources.file(file).text, diagnostics);
  if (diagnostics.empty()) cub::resolve(syntax, system, diagnostics);
  if (!diagnostics.empty()) return InputError{std::move(system.sources), std::move(diagnostics)};
  return system;
}

}  // namespace weir
