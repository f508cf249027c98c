// The names of one kind that a program has declared, each once.
#pragma once

#include <string_view>
#include <unordered_map>

#include "frontend/text/token.hpp"

namespace weir::text {

class DeclaredNames {
 public:
  // `what` says what is named, for the message about a second one, which throws SyntaxError.
  void add(const Name& name, std::string_view what);
  void clear() { first_.clear(); }

 private:
  std::unordered_map<std::string, SourcePosition> first_;
};

}  // namespace weir::text
