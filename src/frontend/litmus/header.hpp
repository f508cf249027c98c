// The first lines of a litmus file: language, name, and lines about the test up to the initial state.
#pragma once

#include "frontend/litmus/litmus.hpp"

namespace weir::litmus {

struct Header {
  LitmusLanguage language = LitmusLanguage::kX86;
  std::string name;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::size_t end = 0;  // the offset of the brace that opens the initial state
};

// Throws SyntaxError.
Header read_header(FileId file, std::string_view text);

}  // namespace weir::litmus
