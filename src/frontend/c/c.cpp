#include "frontend/c/c.hpp"

#include "frontend/c/module.hpp"
#include "frontend/c/stopping.hpp"

namespace weir {

Expected<Program> load_c(const std::vector<std::string>& paths, const COptions& options) {
  try {
    auto prepared = c::prepare_module(paths, options);
    if (!prepared) return std::move(prepared.error());
    return c::lower_module(*prepared, paths.front(), options);
  } catch (const c::NotWanted&) {
    return InputError{{}, {{Severity::kError, describe(options.context->stop_reason()), {}, ""}}, ""};
  }
}

}  // namespace weir
