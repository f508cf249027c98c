#include "frontend/rmm/lexer.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "frontend/rmm/macros.hpp"
#include "frontend/text/words.hpp"

namespace weir::rmm {

namespace {

constexpr CommentSyntax kComments[] = {{"//", "", ""}, {"/*", "*/", "expected '*/'"}};

constexpr std::string_view kKeywords[] = {
    "forbidden", "predicates", "data",   "process", "registers", "text",  "nop",  "read", "write",
    "syncwr",    "locked",     "cas",    "fence",   "assume",    "if",    "then", "else", "while",
    "do",        "goto",       "either", "or",      "true",      "false", "not"};

constexpr std::string_view kLongSymbols[] = {":=", "!=", "<=", ">=", "&&", "||"};
constexpr std::string_view kShortSymbols = ":;,=<>+-*()[]{}";

Token read_register(TextCursor& in) {
  const SourcePosition position = in.here();
  in.take(1);
  if (!is_letter(in.peek()))
    fail(position, "expected the name of a register behind '$'", "registers are written $r, without a blank");
  return {Token::Kind::kRegister, in.take(text::word_size(in.rest())), position};
}

Token read_word(TextCursor& in) {
  if (in.at("$")) return read_register(in);
  const std::size_t size = text::word_size(in.rest());
  if (size == 0) return text::take_symbol(in, kLongSymbols, kShortSymbols);
  if (is_letter(in.peek())) return text::take_word(in, size, kKeywords);
  if (text::digits_size(in.rest()) != size) text::refuse(in, size);
  return text::take_token(in, Token::Kind::kNumber, size);
}

}  // namespace

bool is_name(std::string_view word) {
  return text::is_identifier(word) && std::ranges::find(kKeywords, word) == std::end(kKeywords);
}

TokenReader::TokenReader(FileId file, std::string_view text)
    : text::TokenReader({file, text}, kComments, read_word) {
  start();
  if (text.find("macro") != std::string_view::npos) go_on_with(expanded(*this));
}

Value TokenReader::expect_number(std::string_view what, bool negative) {
  const Token token = expect(Token::Kind::kNumber, what);
  const auto value = text::integer(token.text, negative);
  if (!value) fail(token.position, "this number does not fit into 64 bits");
  return *value;
}

}  // namespace weir::rmm
