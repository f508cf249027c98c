#include "program/text/lexer.hpp"

#include <array>
#include <fmt/format.h>

#include "base/characters.hpp"

namespace weir::text_form {

namespace {

constexpr std::array<std::string_view, 11> kLongSymbols = {
    ":=", "->", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||"};
constexpr std::string_view kSymbols = "+-*/%&|^~!<>()[],:?=@#.";

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) return token(Token::Kind::kEnd, 0);
  const char c = text_[at_];
  if (c == '\n') {
    Token result = token(Token::Kind::kNewline, 1);
    ++line_;
    line_begin_ = at_;
    return result;
  }
  if (c == '"') return string_token();
  if (is_word(c)) {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return token(is_digit(c) ? Token::Kind::kNumber : Token::Kind::kName, end - at_);
  }
  for (const auto symbol : kLongSymbols)
    if (text_.substr(at_, symbol.size()) == symbol) return token(Token::Kind::kSymbol, symbol.size());
  if (kSymbols.find(c) != std::string_view::npos) return token(Token::Kind::kSymbol, 1);
  const auto byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7f) fail_at(at_, fmt::format("the character '{}' has no meaning here", c));
  fail_at(at_, fmt::format("the byte 0x{:02x} has no meaning here", byte));
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

Token Lexer::token(Token::Kind kind, std::size_t length) {
  Token result{.kind = kind, .text = text_.substr(at_, length), .line = line_};
  result.column = static_cast<std::uint32_t>(at_ - line_begin_ + 1);
  at_ += length;
  return result;
}

Token Lexer::string_token() {
  std::string content;
  std::size_t at = at_ + 1;
  while (true) {
    if (at >= text_.size() || text_[at] == '\n') fail_at(at_, "this string has no closing quote on its line");
    if (text_[at] == '"') break;
    content += text_[at] == '\\' ? escape(at) : text_[at];
    ++at;
  }
  Token result = token(Token::Kind::kString, at + 1 - at_);
  result.content = std::move(content);
  return result;
}

// `at` is at the backslash, and afterwards at the last character of the escape.
char Lexer::escape(std::size_t& at) const {
  const std::size_t begin = at++;
  const char c = at < text_.size() ? text_[at] : '\n';
  if (c == '"' || c == '\\') return c;
  if (c == 'n') return '\n';
  if (c == 'x' && at + 2 < text_.size()) {
    const int high = hex_digit(text_[at + 1]), low = hex_digit(text_[at + 2]);
    at += 2;
    if (high >= 0 && low >= 0) return static_cast<char>(high * 16 + low);
  }
  fail_at(begin, R"(unknown escape; known are \" \\ \n and \xHH)");
}

void Lexer::fail_at(std::size_t at, std::string message) const {
  throw SyntaxError{line_, static_cast<std::uint32_t>(at - line_begin_ + 1), std::move(message), ""};
}

}  // namespace weir::text_form
