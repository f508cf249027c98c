// The words of litmus files. What is a comment depends on the part of the file: (* *) around the code, /* */
// and // in C code, where (*p) is an expression.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "program/value.hpp"

namespace weir::litmus {

// How parsing stops at the first mistake; caught where it starts, never seen outside.
struct SyntaxError {
  Diagnostic diagnostic;
};

[[noreturn]] void fail(SourcePosition position, std::string message, std::string hint = {});

struct Token {
  enum class Kind : std::uint8_t { kName, kNumber, kSymbol, kEnd };

  Kind kind = Kind::kEnd;
  std::string_view text;  // into the source
  SourcePosition position;
  std::size_t offset = 0;  // of the token in the source

  bool is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == Kind::kName && text == word; }
};

std::string describe(const Token& token);  // "'text'", "the end of the text"

enum class Comments : std::uint8_t { kMl, kC };

// A cursor over the words, one of look-ahead.
class TokenReader {
 public:
  // From `begin` on.
  TokenReader(FileId file, std::string_view text, std::size_t begin = 0) : file_(file), text_(text) {
    skip_to(begin);
    current_ = next();
  }

  const Token& peek() const { return current_; }
  bool at(std::string_view symbol) const { return current_.is(symbol); }
  bool at_word(std::string_view word) const { return current_.is_word(word); }
  bool at(Token::Kind kind) const { return current_.kind == kind; }
  bool at_end() const { return at(Token::Kind::kEnd); }

  Token take() {
    const Token taken = current_;
    current_ = next();
    return taken;
  }
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  Token expect(std::string_view symbol, std::string_view where);  // where: "behind the initial state"
  Token expect_name(std::string_view what);
  Value expect_number(std::string_view what);  // may have a sign
  [[noreturn]] void fail_expected(std::string_view what) const;

  // Another kind of comments, from the current word on.
  void set_comments(Comments comments);

 private:
  Token next();
  void skip_gap();
  void skip_ml_comment();
  void skip_to(std::size_t end);
  void go_back_to(const Token& token);
  std::string_view rest() const { return text_.substr(at_); }
  SourcePosition here() const { return {file_, line_, column_}; }
  [[noreturn]] void refuse() const;

  FileId file_;
  std::string_view text_;
  Comments comments_ = Comments::kMl;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, column_ = 1;
  Token current_;
};

// The value of the digits of a number token, without a sign. Unsigned 64-bit numbers wrap.
Value number_value(const Token& token);

bool same_ignoring_case(std::string_view a, std::string_view b);

}  // namespace weir::litmus
