// Names may contain dots and start with an underscore; a number is decimal or hexadecimal, without a sign.
#include "frontend/litmus/lexer.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "base/characters.hpp"

namespace weir::litmus {

namespace {

constexpr std::string_view kLongSymbols[] = {"/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&",
                                             "||",  "<<",  ">>", "++", "--", "+=", "-="};
constexpr std::string_view kShortSymbols = "{}()[];|,:=~!&*+-<>^/%$\"\\?#@'.";
constexpr std::size_t kShown = 40;

std::size_t word_size(std::string_view text) {
  const auto stops = [](char c) { return !is_letter(c) && !is_digit(c) && c != '.'; };
  return static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
}

std::size_t symbol_size(std::string_view text) {
  for (const std::string_view symbol : kLongSymbols)
    if (text.starts_with(symbol)) return symbol.size();
  return kShortSymbols.find(text[0]) != std::string_view::npos ? 1 : 0;
}

bool is_number(std::string_view word) {
  if (word.starts_with("0x") || word.starts_with("0X"))
    return word.size() > 2 &&
           std::ranges::all_of(word.substr(2), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return std::ranges::all_of(word, is_digit);
}

}  // namespace

void fail(SourcePosition position, std::string message, std::string hint) {
  throw SyntaxError{{Severity::kError, std::move(message), position, std::move(hint)}};
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::kEnd) return "the end of the text";
  return fmt::format("'{}{}'", token.text.substr(0, kShown), token.text.size() > kShown ? "..." : "");
}

Token TokenReader::next() {
  skip_gap();
  Token token{.position = here(), .offset = at_};
  if (rest().empty()) return token;
  std::size_t size = word_size(rest());
  if (size > 0 && is_letter(rest()[0])) {
    token.kind = Token::Kind::kName;
  } else if (size > 0 && is_digit(rest()[0])) {
    if (!is_number(rest().substr(0, size))) refuse();
    token.kind = Token::Kind::kNumber;
  } else {
    token.kind = Token::Kind::kSymbol;
    size = symbol_size(rest());
    if (size == 0) refuse();
  }
  token.text = rest().substr(0, size);
  skip_to(at_ + size);
  return token;
}

bool TokenReader::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  take();
  return true;
}

bool TokenReader::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

Token TokenReader::expect(std::string_view symbol, std::string_view where) {
  if (!at(symbol)) fail_expected(fmt::format("'{}' {}", symbol, where));
  return take();
}

Token TokenReader::expect_name(std::string_view what) {
  if (!at(Token::Kind::kName)) fail_expected(what);
  return take();
}

Value TokenReader::expect_number(std::string_view what) {
  const bool negative = accept("-");
  if (!at(Token::Kind::kNumber)) fail_expected(what);
  const auto value = static_cast<std::uint64_t>(number_value(take()));
  return static_cast<Value>(negative ? 0 - value : value);
}

void TokenReader::fail_expected(std::string_view what) const {
  fail(current_.position, fmt::format("expected {}, found {}", what, describe(current_)));
}

void TokenReader::set_comments(Comments comments) {
  comments_ = comments;
  go_back_to(current_);
  current_ = next();
}

void TokenReader::go_back_to(const Token& token) {
  at_ = token.offset;
  line_ = token.position.line;
  column_ = token.position.column;
}

void TokenReader::skip_gap() {
  for (;;) {
    if (comments_ == Comments::kMl && rest().starts_with("(*")) {
      skip_ml_comment();
    } else if (comments_ == Comments::kC && rest().starts_with("//")) {
      skip_to(std::min(text_.find('\n', at_), text_.size()));
    } else if (comments_ == Comments::kC && rest().starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail(here(), "this comment does not end", "expected '*/'");
      skip_to(end + 2);
    } else if (!rest().empty() && is_blank(rest()[0])) {
      skip_to(at_ + 1);
    } else {
      return;
    }
  }
}

// These nest.
void TokenReader::skip_ml_comment() {
  const SourcePosition begin = here();
  std::size_t depth = 0;
  do {
    if (rest().empty()) fail(begin, "this comment does not end", "expected '*)'");
    const bool opens = rest().starts_with("(*"), closes = rest().starts_with("*)");
    if (opens) ++depth;
    if (closes) --depth;
    skip_to(at_ + (opens || closes ? 2 : 1));
  } while (depth > 0);
}

void TokenReader::skip_to(std::size_t end) {
  for (; at_ < end; ++at_) {
    const bool ends_line = text_[at_] == '\n';
    line_ += ends_line ? 1 : 0;
    column_ = ends_line ? 1 : column_ + 1;
  }
}

void TokenReader::refuse() const {
  const auto byte = static_cast<unsigned char>(rest()[0]);
  if (is_digit(rest()[0]))
    fail(here(), fmt::format("'{}' is neither a number nor a name",
                             rest().substr(0, std::min(word_size(rest()), kShown))));
  if (byte < 0x20 || byte >= 0x7f) fail(here(), fmt::format("unexpected byte 0x{:02x}", byte));
  fail(here(), fmt::format("unexpected character '{}'", rest()[0]));
}

Value number_value(const Token& token) {
  const bool hexadecimal = token.text.starts_with("0x") || token.text.starts_with("0X");
  const std::string_view digits = token.text.substr(hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(token.position, fmt::format("{} does not fit into 64 bits", describe(token)));
  return static_cast<Value>(value);
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

}  // namespace weir::litmus
