#include "frontend/fairness/scanner.hpp"

#include <fmt/format.h>

namespace weir::fairness {

char Scanner::take() {
  const char c = text_[position_++];
  if (c == '\n') {
    ++line_;
    line_start_ = position_;
  }
  return c;
}

void Scanner::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++position_;
}

void Scanner::skip_space() {
  while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) take();
}

bool Scanner::take_if(char expected) {
  if (at_end() || peek() != expected) return false;
  take();
  return true;
}

bool Scanner::take_if(std::string_view word) {
  if (!text_.substr(position_).starts_with(word)) return false;
  position_ += word.size();
  return true;
}

void Scanner::expect(char expected, std::string_view where) {
  if (!take_if(expected)) fail(fmt::format("expected '{}' {}, found {}", expected, where, found()));
}

std::uint32_t Scanner::number(std::string_view what, std::uint64_t bound) {
  const SourcePosition start = here();
  if (peek() < '0' || peek() > '9') fail(fmt::format("expected the number of {}, found {}", what, found()));
  std::uint64_t value = 0;
  while (peek() >= '0' && peek() <= '9') {
    value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
    if (value >= bound) {
      fail_at(start, bound == 0 ? fmt::format("no number of {} is possible here", what)
                                : fmt::format("the number of {} is at most {}", what, bound - 1));
    }
    ++position_;
  }
  return static_cast<std::uint32_t>(value);
}

std::string Scanner::quoted() {
  expect('"', "here");
  std::string word;
  while (peek() != '"') {
    if (at_line_end()) fail("the quote is not closed on this line");
    if (peek() == '\\' && position_ + 1 < text_.size() && text_[position_ + 1] != '\n') ++position_;
    word += text_[position_++];
  }
  ++position_;
  return word;
}

std::string_view Scanner::until(std::string_view stops) {
  const std::size_t begin = position_;
  while (!at_line_end() && stops.find(peek()) == std::string_view::npos) ++position_;
  return text_.substr(begin, position_ - begin);
}

std::string_view Scanner::rest_of_line() { return until(""); }

void Scanner::go_back(std::size_t position) { position_ = position; }

SourcePosition Scanner::here() const {
  return {file_, line_, static_cast<std::uint32_t>(position_ - line_start_ + 1)};
}

void Scanner::fail(std::string message, std::string hint) const {
  fail_at(here(), std::move(message), std::move(hint));
}

void Scanner::fail_at(SourcePosition position, std::string message, std::string hint) const {
  throw ReadError{{Severity::kError, std::move(message), position, std::move(hint)}};
}

std::string Scanner::found() const {
  if (at_end()) return "the end of the file";
  if (at_line_end()) return "the end of the line";
  const unsigned char c = static_cast<unsigned char>(peek());
  return c > 32 && c < 127 ? fmt::format("'{}'", peek()) : "something else";
}

}  // namespace weir::fairness
