// Places in the text of a C program that are near a given one. The text is read as characters, brackets and
// comments, no more.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/source.hpp"

namespace weir {

// The first character of the statement around a position.
SourcePosition statement_start(const SourceMap& sources, SourcePosition position);

struct CallPlace {
  std::string function;
  SourcePosition end;  // the closing parenthesis
};

// The call whose name starts at the position.
std::optional<CallPlace> call_at(const SourceMap& sources, SourcePosition position);

// The first call of a function behind a position.
std::optional<SourcePosition> next_call(const SourceMap& sources, SourcePosition position,
                                        std::string_view function);

}  // namespace weir
