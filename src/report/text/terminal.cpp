#include "report/text/terminal.hpp"

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

// How many bytes of the text's start are one control character; 0 if it starts with none.
std::size_t control_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;  // C1
  if (byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) return 3;
  if (byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9) return 3;
  return 0;
}

// How many bytes of the text's start are one change of colour.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
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
  while (!text.empty()) {
    const std::size_t length = control_length(text);
    if (length == 0) out += text[0];
    for (std::size_t i = 0; i < length; ++i)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string printable_lines(std::string_view text, bool colour) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = text[0] == '\n' || text[0] == '\t' ? 1 : colour ? colour_length(text) : 0;
    if (length > 0) {
      out += text.substr(0, length);
    } else {
      length = std::max<std::size_t>(control_length(text), 1);
      out += printable(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace weir
