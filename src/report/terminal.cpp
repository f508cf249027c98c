#include "report/terminal.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

namespace {

const char* code(Tint tint) {
  switch (tint) {
    case Tint::kGood: return "1;32";
    case Tint::kBad: return "1;31";
    case Tint::kUnsure: return "1;33";
    case Tint::kDim: return "2";
    case Tint::kChange: return "36";
    case Tint::kNote: return "1;36";
    case Tint::kStrong: return "1";
  }
  return "0";
}

}  // namespace

std::string tinted(std::string_view text, Tint tint, const Presentation& presentation) {
  if (!presentation.colour) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code(tint), text);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string fitted(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  for (const char c : text) {
    const bool starts = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (starts && display_width(out) + 1 >= width) break;
    out += c;
  }
  return out + "…";
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return out;
}

}  // namespace weir
