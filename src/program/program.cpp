#include "program/program.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "program/address.hpp"

namespace weir {

ExprId Program::add_expression(Expression expression) {
  expressions.push_back(expression);
  return ExprId(expressions.size() - 1);
}

ExprId Program::constant(Value value, Type type) {
  return add_expression({.op = ExprOp::kConstant, .type = type, .constant = value});
}

ExprId Program::register_value(RegisterId reg, Type type) {
  return add_expression({.op = ExprOp::kRegister, .type = type, .reg = reg});
}

ExprId Program::unary(ExprOp op, ExprId a, Type type) {
  return add_expression({.op = op, .type = type, .a = a});
}

ExprId Program::binary(ExprOp op, ExprId a, ExprId b, Type type) {
  return add_expression({.op = op, .type = type, .a = a, .b = b});
}

FunctionId Program::add_function(std::string function_name, SourcePosition position) {
  functions.push_back({.name = std::move(function_name), .position = position});
  return FunctionId(functions.size() - 1);
}

RegisterId Program::add_register(FunctionId function, std::string register_name, Type type, Value initial) {
  auto& registers = functions.at(function.index()).registers;
  registers.push_back({std::move(register_name), type, initial});
  return RegisterId(registers.size() - 1);
}

LocationId Program::add_location(FunctionId function, std::string label, SourcePosition position) {
  locations.push_back({.function = function, .label = std::move(label), .position = position});
  return LocationId(locations.size() - 1);
}

EdgeId Program::add_edge(LocationId source, LocationId target, Instruction instruction,
                         SourcePosition position) {
  WEIR_CHECK(source.index() < locations.size() && target.index() < locations.size(),
             "edge between locations");
  edges.push_back({source, target, std::move(instruction), position});
  const EdgeId id(edges.size() - 1);
  locations[source.index()].edges.push_back(id);
  return id;
}

ThreadId Program::add_thread(std::string thread_name, FunctionId function, SourcePosition position) {
  threads.push_back({.name = std::move(thread_name), .function = function, .position = position});
  return ThreadId(threads.size() - 1);
}

std::optional<ThreadId> Program::find_thread(std::string_view wanted) const {
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].name == wanted) return ThreadId(i);
  return std::nullopt;
}

std::optional<LocationId> Program::find_label(FunctionId function, std::string_view label) const {
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (locations[i].function == function && locations[i].label == label) return LocationId(i);
  return std::nullopt;
}

std::optional<RegisterId> Program::find_register(FunctionId id, std::string_view wanted) const {
  const auto& registers = function(id).registers;
  for (std::size_t i = 0; i < registers.size(); ++i)
    if (registers[i].name == wanted) return RegisterId(i);
  return std::nullopt;
}

std::optional<ObjectId> Program::find_object(std::string_view wanted) const {
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (objects[i].name == wanted) return ObjectId(i);
  return std::nullopt;
}

std::optional<ObjectId> Program::object_at(Value address) const {
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::uint64_t offset =
        static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(objects[i].base);
    const auto stride = static_cast<std::uint64_t>(objects[i].stride);
    if (offset % stride == 0 && offset / stride < objects[i].initial.size()) return ObjectId(i);
  }
  return std::nullopt;
}

std::string Program::address_name(Value address) const {
  if (const auto id = object_at(address)) {
    const SharedObject& found = object(*id);
    if (found.initial.size() == 1) return found.name;
    return fmt::format("{}[{}]", found.name, (address - found.base) / found.stride);
  }
  const AddressKind kind = open_memory ? AddressKind::kOrdinary : address_kind(address);
  switch (kind) {
    case AddressKind::kBlock:
    case AddressKind::kStatus: {
      const BlockAddress block =
          kind == AddressKind::kStatus ? decode_status(address) : decode_block(address);
      const bool known = block.thread < threads.size();
      const std::string owner = known ? threads[block.thread].name : fmt::format("t{}", block.thread);
      const char* where = block.kind == BlockKind::kStack ? "stack" : "heap";
      const std::string text = fmt::format("{}.{}{}", owner, where, block.number);
      if (kind == AddressKind::kStatus) return text + ".status";
      return block.offset == 0 ? text : fmt::format("{}{:+}", text, block.offset);
    }
    case AddressKind::kPrivate: {
      const PrivateAddress place = decode_private(address);
      return fmt::format("private[{}:{}]", place.activation, place.offset);
    }
    case AddressKind::kOrdinary: break;
  }
  return fmt::format("[{}]", address);
}

std::string Program::location_name(LocationId id) const {
  const std::string& label = location(id).label;
  return label.empty() ? fmt::format("L{}", id.index()) : label;
}

}  // namespace weir
