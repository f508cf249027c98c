// Names may contain dots and start with an underscore; a number is decimal or hexadecimal, without a sign.
#include "frontend/litmus/lexer.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "frontend/text/words.hpp"

namespace weir::litmus {

namespace {

constexpr std::string_view kLongSymbols[] = {"/\\", "\\/", "=>", "==", "!=", "<=", ">=", "&&",
                                             "||",  "<<",  ">>", "++", "--", "+=", "-="};
constexpr std::string_view kShortSymbols = "{}()[];|,:=~!&*+-<>^/%$\"\\?#@'.";

std::size_t word_size(std::string_view text) {
  const auto stops = [](char c) { return !is_word(c) && c != '.'; };
  return static_cast<std::size_t>(std::ranges::find_if(text, stops) - text.begin());
}

bool is_number(std::string_view word) {
  if (word.starts_with("0x") || word.starts_with("0X"))
    return word.size() > 2 &&
           std::ranges::all_of(word.substr(2), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return std::ranges::all_of(word, is_digit);
}

Token read_word(TextCursor& in) {
  if (!is_word(in.peek())) return text::take_symbol(in, kLongSymbols, kShortSymbols);
  const std::size_t size = word_size(in.rest());
  if (is_letter(in.peek())) return text::take_token(in, Token::Kind::kName, size);
  if (!is_number(in.rest().substr(0, size))) text::refuse(in, size);
  return text::take_token(in, Token::Kind::kNumber, size);
}

}  // namespace

TokenReader::TokenReader(TextCursor begin) : text::TokenReader(begin, kMlComments, read_word) { start(); }

Value TokenReader::expect_number(std::string_view what) {
  const bool negative = accept("-");
  const auto value = static_cast<std::uint64_t>(number_value(expect(Token::Kind::kNumber, what)));
  return static_cast<Value>(negative ? 0 - value : value);
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
