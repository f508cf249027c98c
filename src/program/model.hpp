// The memory models with exact semantics. What each of them orders is in program/ordering.hpp; what programs
// mean under them, in docs/semantics.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

enum class Model : std::uint8_t { kSc, kTso, kPso };

std::span<const Model> all_models();  // the strongest first

const char* name(Model model);                            // "sc", "tso", "pso"
std::optional<Model> parse_model(std::string_view text);  // the inverse

// Of all of them: "sc,tso,pso"; "sc, tso and pso".
std::string model_names(std::string_view separator);
std::string model_names(std::string_view separator, std::string_view before_last);

}  // namespace weir
