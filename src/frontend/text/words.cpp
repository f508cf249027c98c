#include "frontend/text/words.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "base/syntax_error.hpp"

namespace weir::text {

std::string shortened(std::string_view text) {
  return fmt::format("{}{}", text.substr(0, kShown), text.size() > kShown ? "..." : "");
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::kEnd) return "the end of the text";
  return fmt::format("'{}{}'", token.kind == Token::Kind::kRegister ? "$" : "", shortened(token.text));
}

std::string describe(const Name& name) { return fmt::format("'{}'", shortened(name.text)); }

std::size_t word_size(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin());
}

std::size_t digits_size(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && word_size(text) == text.size();
}

Token take_token(TextCursor& in, Token::Kind kind, std::size_t size) {
  const SourcePosition position = in.here();
  return {kind, in.take(size), position};
}

Token take_word(TextCursor& in, std::size_t size, std::span<const std::string_view> keywords) {
  Token token = take_token(in, Token::Kind::kName, size);
  if (std::ranges::find(keywords, token.text) != keywords.end()) token.kind = Token::Kind::kKeyword;
  return token;
}

Token take_symbol(TextCursor& in, std::span<const std::string_view> long_symbols,
                  std::string_view short_symbols) {
  for (const std::string_view symbol : long_symbols)
    if (in.at(symbol)) return take_token(in, Token::Kind::kSymbol, symbol.size());
  if (short_symbols.find(in.peek()) == std::string_view::npos) refuse(in, 1);
  return take_token(in, Token::Kind::kSymbol, 1);
}

void refuse(TextCursor& in, std::size_t size) {
  const SourcePosition position = in.here();
  const std::string_view refused = in.take(size);
  const auto byte = static_cast<unsigned char>(refused[0]);
  if (is_digit(refused[0]))
    fail(position, fmt::format("'{}' is neither a number nor a name", refused.substr(0, kShown)));
  if (byte < 0x20 || byte >= 0x7f) fail(position, fmt::format("unexpected byte 0x{:02x}", byte));
  fail(position, fmt::format("unexpected character '{}'", refused[0]));
}

std::optional<Value> integer(std::string_view digits, bool negative) {
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
  if (error != std::errc() || magnitude > limit) return std::nullopt;
  return static_cast<Value>(negative ? std::uint64_t{0} - magnitude : magnitude);
}

}  // namespace weir::text
