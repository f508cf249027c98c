#include "frontend/text/token_reader.hpp"

#include <fmt/format.h>

namespace weir::text {

void TokenReader::read() {
  if (!instead_.empty()) {
    current_ = instead_[next_];
    if (next_ + 1 < instead_.size()) ++next_;
    return;
  }
  end_.skip_gap(comments_);
  begin_ = end_;
  current_ = begin_.at_end() ? Token{.position = begin_.here()} : read_word_(end_);
}

Token TokenReader::take() {
  // What stands here if there is no word: neither the end nor anything that a parser asks for.
  const Token nothing{.kind = Token::Kind::kSymbol, .position = current_.position};
  const Token taken = std::exchange(current_, nothing);
  read();
  return taken;
}

bool TokenReader::accept(std::string_view word) {
  if (!at(word)) return false;
  take();
  return true;
}

bool TokenReader::accept_name(std::string_view word) {
  if (!at_name(word)) return false;
  take();
  return true;
}

Token TokenReader::expect(std::string_view word, std::string_view where) {
  if (!at(word)) fail_expected(fmt::format("'{}' {}", word, where));
  return take();
}

Token TokenReader::expect(Token::Kind kind, std::string_view what) {
  if (!at(kind)) fail_expected(what);
  return take();
}

void TokenReader::fail_expected(std::string_view what, std::string hint) const {
  fail(here(), fmt::format("expected {}, found {}", what, describe(current_)), std::move(hint));
}

void TokenReader::go_on_with(std::vector<Token> words) {
  instead_ = std::move(words);
  read();
}

void TokenReader::set_comments(std::span<const CommentSyntax> comments) {
  comments_ = comments;
  end_ = begin_;
  read();
}

}  // namespace weir::text
