// Source texts and positions in them. A `SourceMap` owns the texts of a program's files, so that every later
// message can show the line it speaks of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"

namespace weir {

using FileId = Id<struct FileTag>;

// Line and column count from 1; line 0 means that the position is not known.
struct SourcePosition {
  FileId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return line != 0; }
  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

struct SourceFile {
  std::string path;
  std::string text;

  // The text of line `number` (from 1) without its end-of-line; empty if there is no such line.
  std::string_view line(std::uint32_t number) const;
};

class SourceMap {
 public:
  FileId add(std::string path, std::string text);
  const SourceFile& file(FileId id) const { return files_.at(id.index()); }
  std::size_t size() const { return files_.size(); }

  // "dekker.imp:12:3", or the path alone where the line is unknown, or "" where the file is.
  std::string describe(SourcePosition position) const;

 private:
  std::vector<SourceFile> files_;
};

}  // namespace weir
