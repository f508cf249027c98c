// A cursor over the words of a text, with one of look-ahead, so that a file is read only as far as it is right. What a
// word is, the language says by a function; what comments look like, by a table.
#pragma once

#include <utility>
#include <vector>

#include "base/syntax_error.hpp"
#include "base/text_cursor.hpp"
#include "frontend/text/token.hpp"

namespace weir::text {

class TokenReader {
 public:
  // Reads the word where the cursor stands, which is neither a blank nor a comment nor the end, and goes behind it.
  // Throws SyntaxError where no word starts.
  using ReadWord = Token (*)(TextCursor&);

  TokenReader(TextCursor begin, std::span<const CommentSyntax> comments, ReadWord read_word)
      : begin_(begin), end_(begin), comments_(comments), read_word_(read_word) {}

  // Reads the first word, which may be none. The others follow from `take`; at the end there is the end token
  // again and again.
  void start() { read(); }

  const Token& peek() const { return current_; }
  SourcePosition here() const { return current_.position; }
  bool at(std::string_view word) const { return current_.is(word); }
  bool at(Token::Kind kind) const { return current_.kind == kind; }
  bool at_name(std::string_view word) const { return current_.is_name(word); }
  bool at_end() const { return at(Token::Kind::kEnd); }

  Token take();
  bool accept(std::string_view word);
  bool accept_name(std::string_view word);
  // Takes the keyword or symbol, or fails with "expected 'word' <where>, found ...".
  Token expect(std::string_view word, std::string_view where);
  // Takes a word of this kind; `what` says what it is, for the message.
  Token expect(Token::Kind kind, std::string_view what);
  Name expect_name(std::string_view what) { return expect(Token::Kind::kName, what).name(); }
  [[noreturn]] void fail_expected(std::string_view what, std::string hint = {}) const;

  // These words take the place of the current one and of all that follows; the last is an end token.
  void go_on_with(std::vector<Token> words);

  // Other comments, from the current word on.
  void set_comments(std::span<const CommentSyntax> comments);

 private:
  void read();

  TextCursor begin_, end_;  // of the current word
  std::span<const CommentSyntax> comments_;
  ReadWord read_word_;
  Token current_;
  std::vector<Token> instead_;  // what `go_on_with` was given, if it was
  std::size_t next_ = 0;        // of these
};

}  // namespace weir::text
