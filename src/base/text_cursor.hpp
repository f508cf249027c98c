// A place in a text that moves forward and knows its line and column, for the readers of the small languages. It copies
// nothing, so it can walk through a hundred megabytes.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/source.hpp"

namespace weir {

struct CommentSyntax {
  std::string_view opening;
  std::string_view closing;  // empty: the comment ends with its line
  std::string_view hint;     // where the closing is missing
  bool nests = false;
};

class TextCursor {
 public:
  // The text must outlive the cursor.
  TextCursor(FileId file, std::string_view text) : text_(text), file_(file) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool at(std::string_view word) const { return rest().starts_with(word); }
  std::string_view rest() const { return text_.substr(at_); }
  std::size_t offset() const { return at_; }
  SourcePosition here() const { return {file_, line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)}; }

  // Goes behind that many characters, or to the end if there are fewer, and returns them.
  std::string_view take(std::size_t size) {
    const std::string_view taken = text_.substr(at_, size);
    for (const char c : taken) {
      ++at_;
      if (c != '\n') continue;
      ++line_;
      line_begin_ = at_;
    }
    return taken;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    take(word.size());
    return true;
  }
  void skip_all(std::string_view characters) {
    while (!at_end() && std::ranges::find(characters, text_[at_]) != characters.end()) take(1);
  }
  // Blanks, line ends and comments. Throws SyntaxError where a comment does not end, and stands behind it then.
  void skip_gap(std::span<const CommentSyntax> comments);
  // To another place on the same line.
  void go_to(std::size_t offset) { at_ = offset; }

 private:
  void skip_comment(const CommentSyntax& comment);

  std::string_view text_;
  FileId file_;
  std::size_t at_ = 0, line_begin_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace weir
