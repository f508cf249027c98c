#include "frontend/litmus/variables.hpp"

#include <fmt/format.h>

namespace weir::litmus {

namespace {

constexpr Value kFirstAddress = 0x1000'0000;
constexpr Value kAlignment = 0x100;

Type type_of(const Declaration& declaration, const std::map<std::string, Type>& types, Type fallback) {
  if (declaration.type) return *declaration.type;
  const auto known = types.find(declaration.name.text);
  return known == types.end() ? fallback : known->second;
}

}  // namespace

void Variables::declare(const std::vector<Declaration>& initial_state) {
  for (const Declaration& declaration : initial_state) {
    if (declaration.thread) continue;
    if (objects_.contains(declaration.name.text))
      fail(declaration.name.position, fmt::format("a second initial value of '{}'", declaration.name.text));
    add(declaration.name, type_of(declaration, types_, fallback_), declaration.cells.value_or(1));
  }
  for (const Declaration& declaration : initial_state)
    if (!declaration.thread) set_values(declaration);
}

void Variables::set_values(const Declaration& declaration) {
  for (std::size_t k = 0; k < declaration.values.size(); ++k) {
    const Value number = value(declaration.values[k]);  // may add a variable
    SharedObject& object = program_.objects[objects_.at(declaration.name.text).index()];
    object.initial[k] = wrap(static_cast<std::uint64_t>(number), object.type);
  }
}

const SharedObject& Variables::get(const Name& name) {
  const auto found = objects_.find(name.text);
  if (found != objects_.end()) return program_.object(found->second);
  const auto known = types_.find(name.text);
  return program_.object(add(name, known == types_.end() ? fallback_ : known->second, 1));
}

std::optional<Value> Variables::address(const std::string& name) const {
  const auto found = objects_.find(name);
  if (found == objects_.end()) return std::nullopt;
  return program_.object(found->second).base;
}

Value Variables::value(const InitialValue& value) {
  return value.symbol.empty() ? value.number : get({value.symbol, value.position}).base;
}

ObjectId Variables::add(const Name& name, Type type, std::size_t cells) {
  Value base = kFirstAddress;
  if (!program_.objects.empty()) {
    const SharedObject& last = program_.objects.back();
    const Value end = last.base + last.stride * static_cast<Value>(last.initial.size());
    base = (end + kAlignment - 1) / kAlignment * kAlignment;
  }
  program_.objects.push_back({.name = name.text,
                              .base = base,
                              .type = type,
                              .initial = std::vector<Value>(cells, 0),
                              .position = name.position,
                              .stride = type.bits / 8});
  const ObjectId id(program_.objects.size() - 1);
  objects_.emplace(name.text, id);
  return id;
}

}  // namespace weir::litmus
