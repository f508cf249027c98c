#include "base/fault.hpp"

#ifdef WEIR_FAULTS

#include <cstdlib>
#include <string>

namespace weir {

bool fault(std::string_view name) {
  static const std::string chosen = [] {
    const char* value = std::getenv("WEIR_FAULT");
    return std::string(value == nullptr ? "" : value);
  }();
  return name == chosen;
}

}  // namespace weir

#endif
