// What the characters of a text are, for the readers of the small languages: plain ASCII, whatever the
// locale.
#pragma once

namespace weir {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// An underscore is a letter in every language here.
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace weir
