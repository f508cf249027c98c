// JSON whose parts know where they stand in the text, for located messages about it. The library does the
// parsing; while it reads, the iterator it is given keeps count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"

namespace weir {

struct LocatedJson {
  enum class Kind : std::uint8_t { kNull, kBoolean, kInteger, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  SourcePosition position;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string string;
  // The elements of an array, or the values of an object, in the order of the text; `keys` belongs to the
  // latter.
  std::vector<LocatedJson> children;
  std::vector<std::pair<std::string, SourcePosition>> keys;

  bool is(Kind wanted) const { return kind == wanted; }
  // The value of a key, or nothing.
  const LocatedJson* find(std::string_view key) const;
};

// "a number", "a list": for messages.
const char* describe(LocatedJson::Kind kind);

// The text is that of `file` in `sources`. Fails with a diagnostic; the sources of the error are left empty.
Expected<LocatedJson, Diagnostic> parse_located_json(const SourceMap& sources, FileId file);

}  // namespace weir
