#include "report/svcomp/xml.hpp"

#include <cstdint>

namespace weir {

namespace {

constexpr std::uint32_t kNone = 0;  // no character

struct Decoded {
  std::uint32_t character = kNone;
  std::size_t bytes = 1;
};

// The character at the beginning of a text that is not empty, if it is well-formed UTF-8.
Decoded first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  if (bytes == 1 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t character = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    character = character << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return character < kLeast[bytes] ? Decoded{} : Decoded{character, bytes};
}

// The production Char of XML 1.0.
bool is_allowed(std::uint32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  return character <= 0xd7ff || (character >= 0xe000 && character <= 0xfffd) ||
         (character >= 0x10000 && character <= 0x10ffff);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded next = first_character(text);
    switch (next.character) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;  // kept in attributes only as a reference
      default:
        if (next.character != kNone && is_allowed(next.character))
          out += text.substr(0, next.bytes);
        else
          out += '?';
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace weir
