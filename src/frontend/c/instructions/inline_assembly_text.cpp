#include "frontend/c/instructions/inline_assembly_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace weir::c {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// "$(a$|b$)" offers the first form to assemblers that take AT&T syntax.
std::string first_alternatives(std::string_view text) {
  std::string out;
  int alternative = -1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view pair = text.substr(i, 2);
    if (pair == "$(") {
      alternative = 0;
      ++i;
    } else if (pair == "$|" && alternative >= 0) {
      ++alternative;
      ++i;
    } else if (pair == "$)") {
      alternative = -1;
      ++i;
    } else if (alternative <= 0) {
      out += text[i];
    }
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i < text.size() && (depth > 0 || separators.find(text[i]) == std::string_view::npos)) continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  return parts;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  const bool negative = text.starts_with("-");
  if (negative) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? -number : number);
}

unsigned modifier_bits(char modifier) {
  switch (modifier) {
    case 'b': return 8;
    case 'w': return 16;
    case 'k': return 32;
    case 'q': return 64;
    default: return 0;
  }
}

// "$0" and "${0:b}".
std::optional<AssemblyOperand> parse_placeholder(std::string_view text) {
  if (!text.starts_with("$") || text.starts_with("$$")) return std::nullopt;
  text.remove_prefix(1);
  AssemblyOperand operand;
  if (text.starts_with("{")) {
    if (!text.ends_with("}")) return std::nullopt;
    text = text.substr(1, text.size() - 2);
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
      if (colon + 2 == text.size()) operand.bits = modifier_bits(text[colon + 1]);
      text = text.substr(0, colon);
    }
  }
  const auto number = parse_number(text);
  if (!number || *number < 0) return std::nullopt;
  operand.number = static_cast<unsigned>(*number);
  return operand;
}

std::optional<AssemblyOperand> parse_indirect(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(")")) return std::nullopt;
  AssemblyOperand operand{.kind = AssemblyOperand::Kind::kIndirect};
  if (open > 0) {
    const auto displacement = parse_number(text.substr(0, open));
    if (!displacement) return std::nullopt;
    operand.value = *displacement;
  }
  const std::string_view inner = trimmed(text.substr(open + 1, text.size() - open - 2));
  if (const auto placeholder = parse_placeholder(inner)) {
    operand.number = placeholder->number;
    return operand;
  }
  if (!inner.starts_with("%")) return std::nullopt;
  const auto reg = parse_register(inner.substr(1));
  if (!reg) return std::nullopt;
  operand.reg = reg->name;
  return operand;
}

std::optional<AssemblyOperand> parse_operand(std::string_view text) {
  if (const auto placeholder = parse_placeholder(text)) return placeholder;
  if (text.starts_with("$$")) {
    const auto number = parse_number(text.substr(2));
    if (!number) return std::nullopt;
    return AssemblyOperand{.kind = AssemblyOperand::Kind::kImmediate, .value = *number};
  }
  if (text.starts_with("%")) {
    const auto reg = parse_register(text.substr(1));
    if (!reg) return std::nullopt;
    return AssemblyOperand{.kind = AssemblyOperand::Kind::kRegister, .reg = reg->name, .bits = reg->bits};
  }
  return parse_indirect(text);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// The first word, which is taken off the text.
std::string take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  std::string word = lower_case(text.substr(0, end));
  text = trimmed(text.substr(end));
  return word;
}

}  // namespace

std::optional<RegisterName> parse_register(std::string_view text) {
  struct Row {
    std::string_view name, low, word, half, full;
  };
  constexpr Row kRows[] = {{"a", "al", "ax", "eax", "rax"},   {"b", "bl", "bx", "ebx", "rbx"},
                           {"c", "cl", "cx", "ecx", "rcx"},   {"d", "dl", "dx", "edx", "rdx"},
                           {"si", "sil", "si", "esi", "rsi"}, {"di", "dil", "di", "edi", "rdi"},
                           {"sp", "spl", "sp", "esp", "rsp"}};
  for (const Row& row : kRows) {
    if (text == row.low) return RegisterName{std::string(row.name), 8};
    if (text == row.word) return RegisterName{std::string(row.name), 16};
    if (text == row.half) return RegisterName{std::string(row.name), 32};
    if (text == row.full) return RegisterName{std::string(row.name), 64};
  }
  return std::nullopt;
}

std::optional<std::vector<AssemblyStatement>> parse_assembly(std::string_view source) {
  const std::string text = first_alternatives(source);
  std::vector<AssemblyStatement> statements;
  bool locked = false;
  for (std::string_view line : split(text, ";\n")) {
    if (line.empty() || line.starts_with("#")) continue;
    std::string word = take_word(line);
    while (word == "lock" || word == "rep" || word == "repz") {
      locked |= word == "lock";
      if (line.empty()) break;
      word = take_word(line);
    }
    if (word == "lock" || word == "rep" || word == "repz") continue;  // a prefix of the next statement
    AssemblyStatement statement{locked, word, {}};
    locked = false;
    if (!line.empty())
      for (const std::string_view part : split(line, ",")) {
        const auto operand = parse_operand(part);
        if (!operand) return std::nullopt;
        statement.operands.push_back(*operand);
      }
    statements.push_back(std::move(statement));
  }
  if (locked) return std::nullopt;
  return statements;
}

}  // namespace weir::c
