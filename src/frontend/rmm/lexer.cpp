// Comments are /* */ and //. A register is '$' and a name, without a blank between them.
#include "frontend/rmm/lexer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "frontend/rmm/syntax.hpp"

namespace weir::rmm {

namespace {

constexpr std::string_view kKeywords[] = {
    "forbidden", "predicates", "data",   "process", "registers", "text",  "nop",  "read", "write",
    "syncwr",    "locked",     "cas",    "fence",   "assume",    "if",    "then", "else", "while",
    "do",        "goto",       "either", "or",      "true",      "false", "not"};

constexpr std::string_view kLongSymbols[] = {":=", "!=", "<=", ">=", "&&", "||"};
constexpr std::string_view kShortSymbols = ":;,=<>+-*()[]{}";

// How many characters of a name or number the text starts with.
std::size_t word_size(std::string_view text) {
  const auto stops = [](char c) { return !is_letter(c) && !is_digit(c); };
  return static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
}

std::size_t symbol_size(std::string_view text) {
  for (const std::string_view symbol : kLongSymbols)
    if (text.starts_with(symbol)) return symbol.size();
  return kShortSymbols.find(text[0]) != std::string_view::npos ? 1 : 0;
}

bool is_keyword(std::string_view word) { return std::ranges::find(kKeywords, word) != std::end(kKeywords); }

}  // namespace

Token Lexer::next() {
  skip_gap();
  Token token{.position = here()};
  if (rest().empty()) return token;
  const bool is_register = rest()[0] == '$';
  const std::string_view word = rest().substr(is_register ? 1 : 0);
  std::size_t size = word_size(word);
  if (size > 0 && is_letter(word[0])) {
    token.kind = is_register                        ? Token::Kind::kRegister
                 : is_keyword(word.substr(0, size)) ? Token::Kind::kKeyword
                                                    : Token::Kind::kName;
  } else if (size > 0 && !is_register && std::ranges::all_of(word.substr(0, size), is_digit)) {
    token.kind = Token::Kind::kNumber;
  } else {
    token.kind = Token::Kind::kSymbol;
    size = is_register ? 0 : symbol_size(word);
    if (size == 0) refuse();
  }
  token.text = word.substr(0, size);
  skip_to(at_ + size + (is_register ? 1 : 0));
  return token;
}

void Lexer::skip_gap() {
  for (;;) {
    if (rest().starts_with("//")) {
      skip_to(std::min(text_.find('\n', at_), text_.size()));
    } else if (rest().starts_with("/*")) {
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

void Lexer::skip_to(std::size_t end) {
  for (; at_ < end; ++at_) {
    const bool ends_line = text_[at_] == '\n';
    line_ += ends_line ? 1 : 0;
    column_ = ends_line ? 1 : column_ + 1;
  }
}

void Lexer::refuse() const {
  constexpr std::size_t kShown = 40;
  const auto byte = static_cast<unsigned char>(rest()[0]);
  if (byte == '$')
    fail(here(), "expected the name of a register behind '$'", "registers are written $r, without a blank");
  if (is_digit(rest()[0]))
    fail(here(), fmt::format("'{}' is neither a number nor a name",
                             rest().substr(0, std::min(word_size(rest()), kShown))));
  if (byte < 0x20 || byte >= 0x7f) fail(here(), fmt::format("unexpected byte 0x{:02x}", byte));
  fail(here(), fmt::format("unexpected character '{}'", rest()[0]));
}

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word[0]) && word_size(word) == word.size() && !is_keyword(word);
}

std::string describe(const Token& token) {
  constexpr std::size_t kShown = 40;
  if (token.kind == Token::Kind::kEnd) return "the end of the text";
  return fmt::format("'{}{}{}'", token.kind == Token::Kind::kRegister ? "$" : "",
                     token.text.substr(0, kShown), token.text.size() > kShown ? "..." : "");
}

}  // namespace weir::rmm
