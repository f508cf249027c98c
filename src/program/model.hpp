// The memory models with exact semantics. What they mean is in docs/semantics.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

enum class Model : std::uint8_t { kSc, kTso, kPso };

const char* name(Model model);                            // "sc", "tso", "pso"
std::optional<Model> parse_model(std::string_view text);  // the inverse

}  // namespace weir
