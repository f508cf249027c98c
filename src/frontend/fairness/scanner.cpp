#include "frontend/fairness/scanner.hpp"

#include <fmt/format.h>

#include "base/characters.hpp"

namespace weir::fairness {

void Scanner::expect(char expected, std::string_view where) {
  if (at_end() || peek() != expected)
    fail(fmt::format("expected '{}' {}, found {}", expected, where, found()));
  go_to(offset() + 1);
}

std::uint32_t Scanner::number(std::string_view what, std::uint64_t bound) {
  if (!is_digit(peek())) fail(fmt::format("expected the number of {}, found {}", what, found()));
  const std::string_view text = rest();
  std::uint64_t value = 0;
  std::size_t size = 0;
  for (; size < text.size() && is_digit(text[size]); ++size) {
    value = value * 10 + static_cast<std::uint64_t>(text[size] - '0');
    if (value >= bound)
      fail(bound == 0 ? fmt::format("no number of {} is possible here", what)
                      : fmt::format("the number of {} is at most {}", what, bound - 1));
  }
  go_to(offset() + size);
  return static_cast<std::uint32_t>(value);
}

std::string Scanner::quoted() {
  expect('"', "here");
  std::string word;
  while (peek() != '"') {
    if (at_line_end()) fail("the quote is not closed on this line");
    if (peek() == '\\' && rest().size() > 1 && rest()[1] != '\n') take(1);
    word += take(1);
  }
  take(1);
  return word;
}

std::string_view Scanner::until(std::string_view stops) {
  const std::string_view text = rest();
  std::size_t size = 0;
  while (size < text.size() && text[size] != '\n' && text[size] != '\r' &&
         stops.find(text[size]) == std::string_view::npos)
    ++size;
  go_to(offset() + size);
  return text.substr(0, size);
}

std::string Scanner::found() const {
  if (at_end()) return "the end of the file";
  if (at_line_end()) return "the end of the line";
  const unsigned char c = static_cast<unsigned char>(peek());
  return c > 32 && c < 127 ? fmt::format("'{}'", peek()) : "something else";
}

}  // namespace weir::fairness
