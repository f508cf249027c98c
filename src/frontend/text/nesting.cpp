#include "frontend/text/nesting.hpp"

#include <fmt/format.h>

#include "base/syntax_error.hpp"

namespace weir::text {

void nested_too_deeply(SourcePosition position, std::string_view what, std::uint32_t limit) {
  fail(position, fmt::format("{}{}nested too deeply; the limit is {}", what, what.empty() ? "" : " ", limit));
}

}  // namespace weir::text
