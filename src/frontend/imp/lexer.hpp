// The words of IMP, one at a time, so that a file is read only as far as it is right.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/source.hpp"

namespace weir::imp {

struct Token {
  enum class Kind : std::uint8_t { kName, kNumber, kKeyword, kSymbol, kEnd };

  Kind kind = Kind::kEnd;
  std::string_view text;  // into the source
  SourcePosition position;

  // Is this the keyword or symbol `word`?
  bool is(std::string_view word) const {
    return (kind == Kind::kKeyword || kind == Kind::kSymbol) && text == word;
  }
};

bool is_keyword(std::string_view word);
bool is_name(std::string_view word);    // a name that is no keyword
bool is_number(std::string_view word);  // digits only

// "'fi'", "the end of the text": for messages.
std::string describe(const Token& token);

class Lexer {
 public:
  // The text must outlive the lexer and its tokens.
  Lexer(FileId file, std::string_view text);
  ~Lexer();

  // The next token; the end token again and again at the end. Throws SyntaxError where no token starts.
  Token next();

 private:
  struct Input;

  FileId file_;
  std::unique_ptr<Input> input_;
};

}  // namespace weir::imp
