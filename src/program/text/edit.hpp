// Changes to a source text, which leave the rest of it as its author wrote it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"

namespace weir {

// Replaces the bytes from `begin` up to `end`; inserts before `begin` where the two are equal.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string replacement;

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

// All edits at once: positions are those in the unchanged text. They do not overlap; insertions at the same
// place come in the order given.
std::string apply_edits(std::string_view text, std::vector<TextEdit> edits);

// One file and what to change in it.
struct FileEdits {
  std::string path;
  std::string before;  // its text now
  std::vector<TextEdit> edits;

  std::string after() const { return apply_edits(before, edits); }
};

// From lines and columns to bytes.
class LineTable {
 public:
  // The text must outlive the table.
  explicit LineTable(std::string_view text);

  std::size_t offset(SourcePosition position) const;
  // The text of its line before a position, and the line's end ("\n" or "\r\n").
  std::string_view before(std::size_t offset) const;
  std::string_view line_end(std::size_t offset) const;

 private:
  std::size_t line_of(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> starts_;  // of lines
};

}  // namespace weir
