// The first lines of a litmus file: language, name, and lines about the test up to the initial state.
#pragma once

#include "base/text_cursor.hpp"
#include "frontend/litmus/litmus.hpp"

namespace weir::litmus {

struct Header {
  LitmusLanguage language = LitmusLanguage::kX86;
  std::string name;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Goes to the brace that opens the initial state. Throws SyntaxError.
Header read_header(TextCursor& in);

}  // namespace weir::litmus
