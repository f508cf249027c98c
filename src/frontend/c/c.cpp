#include "frontend/c/c.hpp"

#include "frontend/c/module.hpp"

namespace weir {

Expected<Program> load_c(const std::vector<std::string>& paths, const COptions& options) {
  auto prepared = c::prepare_module(paths, options);
  if (!prepared) return std::move(prepared.error());
  return c::lower_module(*prepared, paths.front(), options);
}

}  // namespace weir
