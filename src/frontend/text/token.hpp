// The words that the small languages are made of, and how messages show them.
#pragma once

#include <string>
#include <string_view>

#include "base/source.hpp"

namespace weir::text {

struct Name {
  std::string text;
  SourcePosition position;

  bool empty() const { return text.empty(); }
};

struct Token {
  // No language has all of them.
  enum class Kind : std::uint8_t {
    kName,
    kCapital,   // a name that starts with a capital letter, where that makes a difference
    kRegister,  // $r, its text without the '$'
    kProcess,   // #1
    kNumber,
    kKeyword,
    kSymbol,
    kEnd
  };

  Kind kind = Kind::kEnd;
  std::string_view text;  // into the source
  SourcePosition position;

  // Is this the keyword or symbol `word`?
  bool is(std::string_view word) const {
    return (kind == Kind::kKeyword || kind == Kind::kSymbol) && text == word;
  }
  bool is_name(std::string_view word) const { return kind == Kind::kName && text == word; }
  Name name() const { return {std::string(text), position}; }
};

// A message shows only the beginning of what is long.
inline constexpr std::size_t kShown = 40;
std::string shortened(std::string_view text);
// "'text'", "the end of the text"
std::string describe(const Token& token);
std::string describe(const Name& name);

}  // namespace weir::text
