#include "program/text/edit.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir {

std::string apply_edits(std::string_view text, std::vector<TextEdit> edits) {
  std::ranges::stable_sort(edits, {}, &TextEdit::begin);
  std::string out;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    WEIR_CHECK(at <= edit.begin && edit.begin <= edit.end && edit.end <= text.size(),
               "edits of a text are within it and do not overlap");
    out += text.substr(at, edit.begin - at);
    out += edit.replacement;
    at = edit.end;
  }
  return out += text.substr(at);
}

LineTable::LineTable(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

std::size_t LineTable::offset(SourcePosition position) const {
  WEIR_CHECK(position.known() && position.line <= starts_.size(), "the position is in this text");
  return starts_[position.line - 1] + position.column - 1;
}

std::size_t LineTable::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin()) - 1;
}

std::string_view LineTable::before(std::size_t offset) const {
  const std::size_t start = starts_[line_of(offset)];
  return text_.substr(start, offset - start);
}

std::string_view LineTable::line_end(std::size_t offset) const {
  const std::size_t end = text_.find('\n', offset);
  const bool carriage_return = end != std::string_view::npos && end > 0 && text_[end - 1] == '\r';
  return carriage_return ? "\r\n" : "\n";
}

}  // namespace weir
