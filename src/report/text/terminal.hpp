// What reports need to know about the terminal: how wide text is on it, colours, and what must not reach it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

struct Presentation {
  std::size_t width = 100;  // columns
  bool colour = false;
  bool terminal = false;     // somebody looks at it: lines that are too long would be broken
  bool local_steps = false;  // show steps that no other thread could notice, too
  bool all_frames = false;   // show the calls that each step is deep in, headers of libraries included
  std::vector<std::string> focus = {};  // threads and variables whose steps are shown; empty: all
};

enum class Tint { kGood, kBad, kUnsure, kDim, kChange, kNote, kStrong };

// The text in a colour, if colours are wanted.
std::string tinted(std::string_view text, Tint tint, const Presentation& presentation);

// Columns that a text takes, counting one per UTF-8 character.
std::size_t display_width(std::string_view text);

// The text followed by blanks up to a width.
std::string padded(std::string_view text, std::size_t width);

// The text, cut so that it takes at most so many columns.
std::string fitted(std::string_view text, std::size_t width);

// The text with control characters, which names in hostile inputs may contain, made visible, as in \x1b; so
// are those of Unicode that change the direction of writing.
std::string printable(std::string_view text);

// The same for a text of several lines; colours stay if they are wanted.
std::string printable_lines(std::string_view text, bool colour);

}  // namespace weir
