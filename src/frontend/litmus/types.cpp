#include <algorithm>
#include <array>
#include <utility>

#include "frontend/litmus/syntax.hpp"

namespace weir::litmus {

namespace {

constexpr std::array kTypes = {
    std::pair{std::string_view("int"), Type{32, true}},
    std::pair{std::string_view("uint"), Type{32, false}},
    std::pair{std::string_view("atomic_t"), Type{32, true}},
    std::pair{std::string_view("char"), Type{8, true}},
    std::pair{std::string_view("schar"), Type{8, true}},
    std::pair{std::string_view("uchar"), Type{8, false}},
    std::pair{std::string_view("short"), Type{16, true}},
    std::pair{std::string_view("ushort"), Type{16, false}},
    std::pair{std::string_view("long"), Type{64, true}},
    std::pair{std::string_view("ulong"), Type{64, false}},
    std::pair{std::string_view("llong"), Type{64, true}},
    std::pair{std::string_view("ullong"), Type{64, false}},
    std::pair{std::string_view("bool"), Type{8, false}},
    std::pair{std::string_view("_Bool"), Type{8, false}},
    std::pair{std::string_view("int8_t"), Type{8, true}},
    std::pair{std::string_view("uint8_t"), Type{8, false}},
    std::pair{std::string_view("int16_t"), Type{16, true}},
    std::pair{std::string_view("uint16_t"), Type{16, false}},
    std::pair{std::string_view("int32_t"), Type{32, true}},
    std::pair{std::string_view("uint32_t"), Type{32, false}},
    std::pair{std::string_view("int64_t"), Type{64, true}},
    std::pair{std::string_view("uint64_t"), Type{64, false}},
    std::pair{std::string_view("intptr_t"), Type{64, true}},
    std::pair{std::string_view("uintptr_t"), Type{64, false}},
    std::pair{std::string_view("size_t"), Type{64, false}},
    std::pair{std::string_view("u8"), Type{8, false}},
    std::pair{std::string_view("u16"), Type{16, false}},
    std::pair{std::string_view("u32"), Type{32, false}},
    std::pair{std::string_view("u64"), Type{64, false}},
};

constexpr std::array kQualifiers = {std::string_view("volatile"), std::string_view("const"),
                                    std::string_view("_Atomic"),  std::string_view("signed"),
                                    std::string_view("unsigned"), std::string_view("atomic")};

}  // namespace

std::optional<Type> type_named(std::string_view word) {
  constexpr std::string_view kAtomic = "atomic_";
  if (word.starts_with(kAtomic) && word != "atomic_t") word.remove_prefix(kAtomic.size());
  const auto found = std::ranges::find(kTypes, word, [](const auto& entry) { return entry.first; });
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

bool is_type_qualifier(std::string_view word) {
  return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

}  // namespace weir::litmus
