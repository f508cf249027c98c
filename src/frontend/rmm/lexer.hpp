// The words of RMM, one at a time, so that a file is read only as far as it is right.
#pragma once

#include <string>
#include <string_view>

#include "base/source.hpp"

namespace weir::rmm {

struct Token {
  enum class Kind : std::uint8_t { kName, kRegister, kNumber, kKeyword, kSymbol, kEnd };

  Kind kind = Kind::kEnd;
  std::string_view text;  // into the source; of a register without its '$'
  SourcePosition position;

  // Is this the keyword or symbol `word`?
  bool is(std::string_view word) const {
    return (kind == Kind::kKeyword || kind == Kind::kSymbol) && text == word;
  }
};

// "'text'", "the end of the text": for messages.
std::string describe(const Token& token);

bool is_name(std::string_view word);  // a name that is no keyword

class Lexer {
 public:
  // The text must outlive the lexer and its tokens.
  Lexer(FileId file, std::string_view text) : file_(file), text_(text) {}

  // The next token; the end token again and again at the end. Throws SyntaxError where no token starts.
  Token next();

 private:
  void skip_gap();
  void skip_to(std::size_t end);
  std::string_view rest() const { return text_.substr(at_); }
  SourcePosition here() const { return {file_, line_, column_}; }
  [[noreturn]] void refuse() const;

  FileId file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
};

}  // namespace weir::rmm
