#include "base/error.hpp"

#include <fmt/format.h>

namespace weir {

void invariant_broken(const char* condition, const char* reason, const char* file, int line) {
  throw InternalError(fmt::format("{}:{}: {} ({})", file, line, reason, condition));
}

}  // namespace weir
