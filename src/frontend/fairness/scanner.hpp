// Walks through the text of a line-oriented input of numbers and words, and says where something is wrong.
#pragma once

#include <string>

#include "base/syntax_error.hpp"
#include "base/text_cursor.hpp"

namespace weir::fairness {

class Scanner : public TextCursor {
 public:
  using TextCursor::TextCursor;

  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }

  // Blanks inside a line; blanks and line ends.
  void skip_blanks() { skip_all(" \t"); }
  void skip_space() { skip_all(" \t\n\r"); }

  void expect(char expected, std::string_view where);
  // A number below `bound`; `what` is it for the message: "a state".
  std::uint32_t number(std::string_view what, std::uint64_t bound);
  // Between quotes, the opening one still to come; a backslash protects what follows it.
  std::string quoted();
  // Up to a character of `stops` or the end of the line.
  std::string_view until(std::string_view stops);
  std::string_view rest_of_line() { return until(""); }

  [[noreturn]] void fail(std::string message) const { weir::fail(here(), std::move(message)); }

 private:
  std::string found() const;
};

// Runs a reader on a text; a SyntaxError becomes what a front end returns.
template <class T, class Read>
Expected<T> read_text(std::string path, std::string text, Read read) {
  SourceMap sources;
  const FileId file = sources.add(std::move(path), std::move(text));
  try {
    Scanner scanner(file, sources.file(file).text);
    return read(scanner);
  } catch (const SyntaxError& error) {
    return InputError{std::move(sources), {error.diagnostic}, ""};
  }
}

}  // namespace weir::fairness
