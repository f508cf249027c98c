#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/litmus/x86_syntax.hpp"

namespace weir::litmus {

namespace {

struct Family {
  std::string_view whole, half, quarter, eighth;  // 64, 32, 16 and 8 bits
};

constexpr std::array kFamilies = {
    Family{"rax", "eax", "ax", "al"},      Family{"rbx", "ebx", "bx", "bl"},
    Family{"rcx", "ecx", "cx", "cl"},      Family{"rdx", "edx", "dx", "dl"},
    Family{"rsi", "esi", "si", "sil"},     Family{"rdi", "edi", "di", "dil"},
    Family{"rbp", "ebp", "bp", "bpl"},     Family{"rsp", "esp", "sp", "spl"},
    Family{"r8", "r8d", "r8w", "r8b"},     Family{"r9", "r9d", "r9w", "r9b"},
    Family{"r10", "r10d", "r10w", "r10b"}, Family{"r11", "r11d", "r11w", "r11b"},
    Family{"r12", "r12d", "r12w", "r12b"}, Family{"r13", "r13d", "r13w", "r13b"},
    Family{"r14", "r14d", "r14w", "r14b"}, Family{"r15", "r15d", "r15w", "r15b"}};

// 32-bit registers are written in capitals, 64-bit ones are not.
std::string shown(std::string_view name, bool wide) {
  std::string result(name);
  std::ranges::transform(result, result.begin(), [&](unsigned char c) {
    return static_cast<char>(wide ? std::tolower(c) : std::toupper(c));
  });
  return result;
}

}  // namespace

std::optional<X86Register> x86_register(LitmusLanguage language, std::string_view name) {
  const bool wide = language == LitmusLanguage::kX86_64;
  for (const Family& family : kFamilies) {
    const std::pair<std::string_view, std::uint8_t> parts[] = {
        {family.whole, 64}, {family.half, 32}, {family.quarter, 16}, {family.eighth, 8}};
    for (const auto& [part, bits] : parts) {
      if (!same_ignoring_case(part, name)) continue;
      if (!wide && (bits == 64 || family.whole[1] < 'a')) return std::nullopt;
      return X86Register{shown(wide ? family.whole : family.half, wide), shown(part, wide), bits};
    }
  }
  return std::nullopt;
}

Type x86_register_type(LitmusLanguage language) {
  return {static_cast<std::uint8_t>(language == LitmusLanguage::kX86_64 ? 64 : 32), true};
}

}  // namespace weir::litmus
