#include "report/execution/c_places.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "program/text/edit.hpp"

namespace weir {

namespace {

// Comments and strings become blanks, so that brackets in them mean nothing; places stay where they are.
std::string code_only(std::string_view text) {
  std::string out(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i)
      if (out[i] != '\n') out[i] = ' ';
    return std::min(to, out.size());
  };
  for (std::size_t i = 0; i < out.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("//")) {
      i = blank(i, std::min(text.find('\n', i), text.size()));
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text.find("*/", i + 2);
      i = blank(i, end == std::string_view::npos ? text.size() : end + 2);
    } else if (text[i] == '"' || text[i] == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      i = blank(i + 1, end) + 1;
    } else {
      ++i;
    }
  }
  return out;
}

std::optional<std::size_t> offset_of(std::string_view text, SourcePosition position) {
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
  if (!position.known() || position.column == 0 || position.line > lines) return std::nullopt;
  const std::size_t offset = LineTable(text).offset(position);
  return offset < text.size() ? std::optional(offset) : std::nullopt;
}

SourcePosition position_of(std::string_view text, FileId file, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return {file, static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1,
          static_cast<std::uint32_t>(offset - start + 1)};
}

// Is there a parenthesis before this place, in its block, that is not closed before it?
bool inside_parentheses(std::string_view code, std::size_t offset) {
  int depth = 0;
  for (std::size_t i = offset; i-- > 0 && code[i] != '{' && code[i] != '}';) {
    if (code[i] == ')') ++depth;
    if (code[i] == '(' && --depth < 0) return true;
  }
  return false;
}

// Behind the semicolon or brace that ends what is before the statement. Semicolons in `for (...)` end none.
std::size_t behind_previous_statement(std::string_view code, std::size_t offset) {
  for (std::size_t i = offset; i-- > 0;) {
    if (code[i] == '{' || code[i] == '}') return i + 1;
    if (code[i] == ';' && !inside_parentheses(code, i)) return i + 1;
  }
  return 0;
}

// Does this word stand here?
bool has_word(std::string_view code, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  return code.substr(at, word.size()) == word && (end >= code.size() || !is_word(code[end]));
}

// The parenthesis that closes the first one at or behind the offset.
std::optional<std::size_t> closing_parenthesis(std::string_view code, std::size_t offset) {
  int depth = 0;
  for (std::size_t i = code.find('(', offset); i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i;
  }
  return std::nullopt;
}

std::size_t skip_blanks(std::string_view code, std::size_t at) {
  return std::min(code.find_first_not_of(" \t\r\n", at), code.size());
}

// Behind `if (...)`, `else` and the like at the beginning of a statement, as far as that is not behind the
// offset: what they control is a statement of its own.
std::size_t innermost_statement(std::string_view code, std::size_t start, std::size_t offset) {
  while (true) {
    std::size_t inner = start;
    for (const std::string_view word : {"if", "while", "for", "switch"})
      if (has_word(code, start, word))
        if (const auto closing = closing_parenthesis(code, start)) inner = skip_blanks(code, *closing + 1);
    for (const std::string_view word : {"else", "do"})
      if (has_word(code, start, word)) inner = skip_blanks(code, start + word.size());
    if (inner == start || inner > offset) return start;
    start = inner;
  }
}

}  // namespace

SourcePosition statement_start(const SourceMap& sources, SourcePosition position) {
  if (!position.file) return position;
  const std::string code = code_only(sources.file(position.file).text);
  const auto offset = offset_of(code, position);
  if (!offset) return position;
  const std::size_t start = std::min(skip_blanks(code, behind_previous_statement(code, *offset)), *offset);
  return position_of(code, position.file, innermost_statement(code, start, *offset));
}

std::optional<CallPlace> call_at(const SourceMap& sources, SourcePosition position) {
  if (!position.file) return std::nullopt;
  const std::string code = code_only(sources.file(position.file).text);
  const auto offset = offset_of(code, position);
  if (!offset) return std::nullopt;
  std::size_t end = *offset;
  while (end < code.size() && is_word(code[end])) ++end;
  const std::size_t bracket = code.find_first_not_of(" \t\r\n", end);
  if (end == *offset || bracket == std::string::npos || code[bracket] != '(') return std::nullopt;
  const auto closing = closing_parenthesis(code, bracket);
  if (!closing) return std::nullopt;
  return CallPlace{code.substr(*offset, end - *offset), position_of(code, position.file, *closing)};
}

std::optional<SourcePosition> next_call(const SourceMap& sources, SourcePosition position,
                                        std::string_view function) {
  if (!position.file) return std::nullopt;
  const std::string code = code_only(sources.file(position.file).text);
  const auto offset = offset_of(code, position);
  if (!offset) return std::nullopt;
  for (std::size_t at = code.find(function, *offset); at != std::string::npos;
       at = code.find(function, at + 1)) {
    const std::size_t end = at + function.size();
    const bool whole = (at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]));
    if (whole && code.find_first_not_of(" \t\r\n", end) == code.find('(', end))
      return position_of(code, position.file, at);
  }
  return std::nullopt;
}

}  // namespace weir
