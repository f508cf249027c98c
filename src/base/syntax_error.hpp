// How a reader of text stops at a mistake: thrown where the mistake is found, caught where the text was given to the
// reader, and never seen outside of the room that reads.
#pragma once

#include <string>
#include <utility>

#include "base/diagnostic.hpp"

namespace weir {

struct SyntaxError {
  Diagnostic diagnostic;
};

[[noreturn]] inline void fail(SourcePosition position, std::string message, std::string hint = {}) {
  throw SyntaxError{{Severity::kError, std::move(message), position, std::move(hint)}};
}

}  // namespace weir
