#include "program/variables.hpp"

#include <charconv>

namespace weir {

std::optional<Value> find_address(const Program& program, std::string_view name) {
  for (const SharedObject& object : program.objects)
    for (std::size_t i = 0; i < object.initial.size(); ++i)
      if (const Value address = object.base + static_cast<Value>(i); program.address_name(address) == name)
        return address;
  if (!program.open_memory || !name.starts_with('[') || !name.ends_with(']')) return std::nullopt;
  Value address = 0;
  const char* const end = name.data() + name.size() - 1;
  const auto [stop, error] = std::from_chars(name.data() + 1, end, address);
  if (error != std::errc() || stop != end) return std::nullopt;
  return address;
}

std::vector<std::string> variable_names(const Program& program) {
  std::vector<std::string> names;
  for (const SharedObject& object : program.objects)
    if (!object.constant) names.push_back(object.name);
  return names;
}

}  // namespace weir
