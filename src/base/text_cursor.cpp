#include "base/text_cursor.hpp"

#include <algorithm>

#include "base/syntax_error.hpp"

namespace weir {

void TextCursor::skip_gap(std::span<const CommentSyntax> comments) {
  for (;;) {
    skip_all(" \t\n\v\f\r");
    const auto comment =
        std::ranges::find_if(comments, [this](const CommentSyntax& syntax) { return at(syntax.opening); });
    if (comment == comments.end()) return;
    skip_comment(*comment);
  }
}

void TextCursor::skip_comment(const CommentSyntax& comment) {
  if (comment.closing.empty()) {
    take(rest().find('\n'));
    return;
  }
  const SourcePosition begin = here();
  std::size_t depth = 0;
  do {
    if (at_end()) fail(begin, "this comment does not end", std::string(comment.hint));
    const bool opens = (depth == 0 || comment.nests) && at(comment.opening), closes = at(comment.closing);
    depth += opens ? 1 : 0;
    depth -= closes ? 1 : 0;
    take(opens ? comment.opening.size() : closes ? comment.closing.size() : 1);
  } while (depth > 0);
}

}  // namespace weir
