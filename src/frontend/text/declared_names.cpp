#include "frontend/text/declared_names.hpp"

#include <fmt/format.h>

#include "base/syntax_error.hpp"

namespace weir::text {

void DeclaredNames::add(const Name& name, std::string_view what) {
  const auto [first, is_new] = first_.emplace(name.text, name.position);
  if (!is_new)
    fail(name.position,
         fmt::format("a second {} named '{}'; the first is on line {}", what, name.text, first->second.line));
}

}  // namespace weir::text
