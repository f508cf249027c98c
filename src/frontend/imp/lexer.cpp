#include "frontend/imp/lexer.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "frontend/text/words.hpp"

namespace weir::imp {

namespace {

constexpr CommentSyntax kComments[] = {
    {"//", "", ""}, {"/*", "*/", "expected '*/'"}, {"(*", "*)", "expected '*)'"}};

constexpr std::string_view kKeywords[] = {
    "and",     "assert",  "assume", "atomic", "begin", "do",        "else", "end", "exclusive",
    "false",   "fence",   "fi",     "if",     "local", "not",       "od",   "or",  "proc",
    "process", "program", "skip",   "then",   "true",  "variables", "while"};

constexpr std::string_view kLongSymbols[] = {":=", "==", "!=", "<>", "<=", ">=", "<<", ">>", "&&", "||"};
constexpr std::string_view kShortSymbols = ":;,.=<>+-*/%!&|^~()[]{}";

Token read_word(TextCursor& in) {
  const std::size_t size = text::word_size(in.rest());
  if (size == 0) return text::take_symbol(in, kLongSymbols, kShortSymbols);
  if (is_letter(in.peek())) return text::take_word(in, size, kKeywords);
  if (text::digits_size(in.rest()) != size) text::refuse(in, size);
  return text::take_token(in, Token::Kind::kNumber, size);
}

}  // namespace

bool is_keyword(std::string_view word) { return std::ranges::find(kKeywords, word) != std::end(kKeywords); }

bool is_name(std::string_view word) { return text::is_identifier(word) && !is_keyword(word); }

bool is_number(std::string_view word) { return !word.empty() && text::digits_size(word) == word.size(); }

TokenReader::TokenReader(FileId file, std::string_view text)
    : text::TokenReader({file, text}, kComments, read_word) {
  start();
}

void TokenReader::expect_closing(std::string_view word, std::string_view opening, SourcePosition open) {
  if (accept(word)) return;
  expect(word, fmt::format("for the '{}' at {}:{}", opening, open.line, open.column));
}

Name TokenReader::expect_name(std::string_view what) {
  if (at(Token::Kind::kKeyword))
    fail(here(), fmt::format("expected {}, but {} is a keyword", what, describe(peek())));
  return text::TokenReader::expect_name(what);
}

Value parse_integer(const Token& token, bool negative) {
  const auto value = text::integer(token.text, negative);
  if (!value) fail(token.position, fmt::format("the number {} does not fit into 64 bits", describe(token)));
  return *value;
}

}  // namespace weir::imp
