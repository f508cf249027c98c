// The words of an array system, one at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/source.hpp"

namespace weir::cub {

struct Token {
  enum class Kind : std::uint8_t {
    kUpper,    // a variable, an array or a constructor
    kLower,    // a process, a type, a transition or a predicate
    kProcess,  // #1
    kNumber,   // 12, 1.5
    kKeyword,
    kSymbol,
    kEnd
  };

  Kind kind = Kind::kEnd;
  std::string_view text;  // into the source
  SourcePosition position;

  // Is this the keyword or symbol `word`?
  bool is(std::string_view word) const {
    return (kind == Kind::kKeyword || kind == Kind::kSymbol) && text == word;
  }
};

// "'text'", "the end of the text": for messages.
std::string describe(const Token& token);
std::string shortened(std::string_view text);

class Lexer {
 public:
  // The text must outlive the lexer and its tokens.
  Lexer(FileId file, std::string_view text) : file_(file), text_(text) {}

  // The next token; the end token again and again at the end. Throws SyntaxError where no token starts; the
  // call after that goes on behind what was refused.
  Token next();

 private:
  void skip_gap();
  void skip_comment();
  void skip_to(std::size_t end);
  std::string_view rest() const { return text_.substr(at_); }
  SourcePosition here() const { return {file_, line_, column_}; }
  [[noreturn]] void refuse(std::size_t size);

  FileId file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
};

}  // namespace weir::cub
