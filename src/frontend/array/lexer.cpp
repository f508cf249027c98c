// Comments are (* *) and nest. `weak` and `fence` are ordinary names here, since older files may use them so;
// the parser knows where they mean something.
#include "frontend/array/lexer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "frontend/array/syntax.hpp"

namespace weir::cub {

namespace {

constexpr std::string_view kKeywords[] = {
    "type", "init",      "transition", "invariant",    "requires",     "array",
    "var",  "const",     "unsafe",     "forall_other", "forall",       "exists",
    "case", "predicate", "if",         "let",          "exists_other", "then",
    "else", "not",       "true",       "false",        "in",           "number_procs"};

constexpr std::string_view kLongSymbols[] = {"<=>", ":=", "<>", "<=", ">=", "=>", "&&", "||"};
constexpr std::string_view kShortSymbols = "()[]{}.,;:=<>+-*/|?@_";

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// How many characters of a name or whole number the text starts with.
std::size_t word_size(std::string_view text) {
  const auto stops = [](char c) { return !is_letter(c) && !is_digit(c); };
  return static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
}

std::size_t digits_size(std::string_view text) {
  const auto stops = [](char c) { return !is_digit(c); };
  return static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
}

// "12", "1.5", "1."; 0 if a letter follows.
std::size_t number_size(std::string_view text) {
  std::size_t size = digits_size(text);
  if (size < text.size() && text[size] == '.') size += 1 + digits_size(text.substr(size + 1));
  return size < text.size() && is_letter(text[size]) ? 0 : size;
}

std::size_t symbol_size(std::string_view text) {
  for (const std::string_view symbol : kLongSymbols)
    if (text.starts_with(symbol)) return symbol.size();
  return kShortSymbols.find(text[0]) != std::string_view::npos ? 1 : 0;
}

Token::Kind kind_of_word(std::string_view word) {
  if (is_upper(word[0])) return Token::Kind::kUpper;
  const bool keyword = std::ranges::find(kKeywords, word) != std::end(kKeywords);
  return keyword ? Token::Kind::kKeyword : Token::Kind::kLower;
}

}  // namespace

Token Lexer::next() {
  skip_gap();
  Token token{.position = here()};
  if (rest().empty()) return token;
  const char first = rest()[0];
  std::size_t size = word_size(rest());
  if (is_letter(first) && first != '_') {
    token.kind = kind_of_word(rest().substr(0, size));
  } else if (is_digit(first)) {
    token.kind = Token::Kind::kNumber;
    const std::size_t number = number_size(rest());
    if (number == 0) refuse(size);
    size = number;
  } else if (first == '#') {
    token.kind = Token::Kind::kProcess;
    size = 1 + word_size(rest().substr(1));
    if (size == 1 || digits_size(rest().substr(1)) + 1 != size) refuse(size);
  } else {
    token.kind = Token::Kind::kSymbol;
    if (size > 1) refuse(size);  // _name
    size = symbol_size(rest());
    if (size == 0) refuse(1);
  }
  token.text = rest().substr(0, size);
  skip_to(at_ + size);
  return token;
}

void Lexer::skip_gap() {
  for (;;) {
    if (rest().starts_with("(*")) {
      skip_comment();
    } else if (!rest().empty() && is_blank(rest()[0])) {
      skip_to(at_ + 1);
    } else {
      return;
    }
  }
}

void Lexer::skip_comment() {
  const SourcePosition start = here();
  std::size_t depth = 0;
  do {
    const bool opens = rest().starts_with("(*"), closes = rest().starts_with("*)");
    depth += opens ? 1 : 0;
    depth -= closes ? 1 : 0;
    skip_to(at_ + (opens || closes ? 2 : 1));
    if (rest().empty() && depth > 0) fail(start, "this comment does not end", "expected '*)'; comments nest");
  } while (depth > 0);
}

void Lexer::skip_to(std::size_t end) {
  for (; at_ < end; ++at_) {
    const bool ends_line = text_[at_] == '\n';
    line_ += ends_line ? 1 : 0;
    column_ = ends_line ? 1 : column_ + 1;
  }
}

void Lexer::refuse(std::size_t size) {
  const SourcePosition position = here();
  const std::string_view refused = rest().substr(0, size);
  skip_to(at_ + size);
  const auto byte = static_cast<unsigned char>(refused[0]);
  if (byte == '#') fail(position, "expected the number of a process behind '#'", "processes are #1, #2, …");
  if (byte == '_')
    fail(position, fmt::format("'{}' is no name: names start with a letter", shortened(refused)));
  if (is_digit(refused[0]))
    fail(position, fmt::format("'{}' is neither a number nor a name", shortened(refused)));
  if (byte < 0x20 || byte >= 0x7f) fail(position, fmt::format("unexpected byte 0x{:02x}", byte));
  if (byte == '&') fail(position, "unexpected character '&'", "conjunction is written &&");
  if (byte == '!') fail(position, "unexpected character '!'", "'not' negates, and <> means different");
  fail(position, fmt::format("unexpected character '{}'", refused[0]));
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kShown = 40;
  return fmt::format("{}{}", text.substr(0, kShown), text.size() > kShown ? "..." : "");
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::kEnd) return "the end of the text";
  return fmt::format("'{}'", shortened(token.text));
}

}  // namespace weir::cub
