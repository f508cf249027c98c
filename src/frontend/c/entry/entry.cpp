// The one function of the module libweir_c.so. The caller owns the result.
#include "frontend/c/c.hpp"

extern "C" __attribute__((visibility("default"))) weir::Expected<weir::Program>* weir_load_c(
    const std::vector<std::string>& paths, const weir::COptions& options) {
  return new weir::Expected<weir::Program>(weir::load_c(paths, options));
}
