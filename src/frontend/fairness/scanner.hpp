// Walks through the text of a line-oriented input of numbers and words, and says where something is wrong.
// Made for files of a hundred megabytes: nothing is copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.hpp"

namespace weir::fairness {

// Ends the reading of a file; each reader catches it and returns its diagnostic.
struct ReadError {
  Diagnostic diagnostic;
};

class Scanner {
 public:
  Scanner(std::string_view text, FileId file) : text_(text), file_(file) {}

  bool at_end() const { return position_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  char take();
  bool at_line_end() const { return at_end() || peek() == '\n' || peek() == '\r'; }

  // Blanks inside a line; blanks and line ends.
  void skip_blanks();
  void skip_space();

  bool take_if(char expected);
  bool take_if(std::string_view word);
  void expect(char expected, std::string_view where);
  // A number below `bound`; `what` is it for the message: "a state".
  std::uint32_t number(std::string_view what, std::uint64_t bound);
  // Between quotes, the opening one still to come; a backslash protects what follows it.
  std::string quoted();
  // Up to a character of `stops` or the end of the line.
  std::string_view until(std::string_view stops);
  std::string_view rest_of_line();

  std::size_t position() const { return position_; }
  void go_back(std::size_t position);
  SourcePosition here() const;
  [[noreturn]] void fail(std::string message, std::string hint = {}) const;
  [[noreturn]] void fail_at(SourcePosition position, std::string message, std::string hint = {}) const;

 private:
  std::string found() const;

  std::string_view text_;
  FileId file_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

// Runs a reader on a text; a ReadError becomes what a front end returns.
template <class T, class Read>
Expected<T> read_text(std::string path, std::string text, Read read) {
  SourceMap sources;
  const FileId file = sources.add(std::move(path), std::move(text));
  try {
    Scanner scanner(sources.file(file).text, file);
    return read(scanner);
  } catch (const ReadError& error) {
    return InputError{std::move(sources), {error.diagnostic}, ""};
  }
}

}  // namespace weir::fairness
