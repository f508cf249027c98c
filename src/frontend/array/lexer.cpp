// Comments are (* *) and nest. `weak` and `fence` are ordinary names here, since older files may use them so;
// the parser knows where they mean something.
#include "frontend/array/lexer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "frontend/array/syntax.hpp"
#include "frontend/text/words.hpp"

namespace weir::cub {

namespace {

constexpr CommentSyntax kComments[] = {{"(*", "*)", "expected '*)'; comments nest", true}};

constexpr std::string_view kKeywords[] = {
    "type", "init",      "transition", "invariant",    "requires",     "array",
    "var",  "const",     "unsafe",     "forall_other", "forall",       "exists",
    "case", "predicate", "if",         "let",          "exists_other", "then",
    "else", "not",       "true",       "false",        "in",           "number_procs"};

constexpr std::string_view kLongSymbols[] = {"<=>", ":=", "<>", "<=", ">=", "=>", "&&", "||"};
constexpr std::string_view kShortSymbols = "()[]{}.,;:=<>+-*/|?@_";

// Goes on behind what was refused.
[[noreturn]] void refuse(TextCursor& in, std::size_t size, std::string message, std::string hint = {}) {
  const SourcePosition position = in.here();
  in.take(size);
  fail(position, std::move(message), std::move(hint));
}

[[noreturn]] void refuse_word(TextCursor& in, std::string_view why) {
  const std::size_t size = text::word_size(in.rest());
  refuse(in, size, fmt::format("'{}' is {}", shortened(in.rest().substr(0, size)), why));
}

// "12", "1.5", "1."; no letter may follow.
Token read_number(TextCursor& in) {
  std::size_t size = text::digits_size(in.rest());
  if (size < in.rest().size() && in.rest()[size] == '.')
    size += 1 + text::digits_size(in.rest().substr(size + 1));
  if (size < in.rest().size() && is_letter(in.rest()[size])) refuse_word(in, "neither a number nor a name");
  return text::take_token(in, Token::Kind::kNumber, size);
}

Token read_process(TextCursor& in) {
  const std::size_t digits = text::digits_size(in.rest().substr(1));
  const std::size_t size = text::word_size(in.rest().substr(1));
  if (digits == 0 || digits != size)
    refuse(in, 1 + size, "expected the number of a process behind '#'", "processes are #1, #2, …");
  return text::take_token(in, Token::Kind::kProcess, 1 + size);
}

Token read_word(TextCursor& in) {
  const std::size_t size = text::word_size(in.rest());
  const char first = in.peek();
  if (first >= 'A' && first <= 'Z') return text::take_token(in, Token::Kind::kCapital, size);
  if (first >= 'a' && first <= 'z') return text::take_word(in, size, kKeywords);
  if (is_digit(first)) return read_number(in);
  if (first == '#') return read_process(in);
  if (size > 1) refuse_word(in, "no name: names start with a letter");
  if (first == '&' && !in.at("&&")) refuse(in, 1, "unexpected character '&'", "conjunction is written &&");
  if (first == '!') refuse(in, 1, "unexpected character '!'", "'not' negates, and <> means different");
  return text::take_symbol(in, kLongSymbols, kShortSymbols);
}

}  // namespace

TokenReader::TokenReader(FileId file, std::string_view text)
    : text::TokenReader({file, text}, kComments, read_word) {}

Name TokenReader::expect_name(Token::Kind kind, std::string_view what) {
  const bool capital = kind == Token::Kind::kCapital;
  const bool other_case =
      (capital && at(Token::Kind::kName)) || (kind == Token::Kind::kName && at(Token::Kind::kCapital));
  if (!at(kind))
    fail_expected(what, !other_case ? ""
                        : capital   ? "variables, arrays and constructors start with a capital letter"
                                    : "processes, types and predicates start with a small letter");
  return take().name();
}

bool TokenReader::at_term_in_parentheses() const {
  TokenReader ahead = *this;
  std::size_t depth = 0;
  try {
    do {
      const Token token = ahead.take();
      depth += token.is("(") ? 1 : 0;
      depth -= token.is(")") ? 1 : 0;
      if (depth > kMaximalNesting || token.kind == Token::Kind::kEnd) return false;  // refused either way
    } while (depth > 0);
  } catch (const SyntaxError&) {
    return false;  // reading on will meet this again
  }
  static constexpr std::string_view kBehindTerms[] = {"+", "-", "*", "=", "<>", "<", ">", "<=", ">="};
  return std::ranges::any_of(kBehindTerms, [&](std::string_view word) { return ahead.at(word); });
}

}  // namespace weir::cub
