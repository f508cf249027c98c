// What the lexers of the small languages have in common: each is a function that reads one word, made of these.
#pragma once

#include <optional>
#include <span>

#include "base/text_cursor.hpp"
#include "frontend/text/token.hpp"
#include "program/value.hpp"

namespace weir::text {

// How many letters, underscores and digits the text starts with; how many digits.
std::size_t word_size(std::string_view text);
std::size_t digits_size(std::string_view text);
bool is_identifier(std::string_view text);

// A keyword or a name, whose size is known.
Token take_word(TextCursor& in, std::size_t size, std::span<const std::string_view> keywords);
// A number, a symbol or something else of which the kind and the size are known.
Token take_token(TextCursor& in, Token::Kind kind, std::size_t size);
// One of the long symbols if it can be, otherwise a character of `short_symbols`, or a refusal.
Token take_symbol(TextCursor& in, std::span<const std::string_view> long_symbols,
                  std::string_view short_symbols);
// No word starts here. Goes behind `size` characters before it throws, so that the reader may go on.
[[noreturn]] void refuse(TextCursor& in, std::size_t size);

// The value of these digits behind a minus, if there is one; nothing if 64 bits cannot hold it.
std::optional<Value> integer(std::string_view digits, bool negative);

}  // namespace weir::text
