#include "program/text/words.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/characters.hpp"

namespace weir::text_form {

namespace {

constexpr std::array<std::string_view, 30> kReserved = {
    "weir",   "program", "sources", "open",  "shared", "function", "register", "entry", "end",    "thread",
    "goal",   "at",      "load",    "store", "rmw",    "fence",    "choose",   "call",  "return", "assume",
    "assert", "as",      "private", "plain", "copies", "allocate", "free",     "renew", "self",   "failing"};

constexpr std::array<std::string_view, 5> kProperties = {"exclusive", "invariant", "deadlock",
                                                         "partial_deadlock", "memory"};

template <class Table>
bool contains(const Table& table, std::string_view name) {
  return std::any_of(table.begin(), table.end(), [&](const auto& word) { return word.text == name; });
}

bool is_reserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end() ||
         std::find(kProperties.begin(), kProperties.end(), name) != kProperties.end() ||
         contains(kOrders, name) || contains(kRmwOps, name) || contains(kFences, name) ||
         contains(kBareInstructions, name);
}

}  // namespace

std::optional<Type> parse_type(std::string_view text) {
  if (text.size() < 2 || text.size() > 3 || (text[0] != 'i' && text[0] != 'u') || text[1] == '0')
    return std::nullopt;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), bits);
  if (error != std::errc() || end != text.data() + text.size() || bits > 99) return std::nullopt;
  return Type{static_cast<std::uint8_t>(bits), text[0] == 'i'};
}

std::string type_name(Type type) { return fmt::format("{}{}", type.is_signed ? 'i' : 'u', type.bits); }

bool is_plain_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); }))
    return false;
  return !is_reserved(name) && !parse_type(name);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace weir::text_form
