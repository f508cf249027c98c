#include "check/dual/configuration.hpp"

#include <fmt/format.h>

namespace weir::certificates {

namespace {

std::string cell_text(const Program& program, Value address, std::optional<Value> value) {
  std::string name = program.address_name(address);
  if (!value) return name;
  if (*value == kUninitialised) return name + " uninitialised";
  return fmt::format("{} = {}", name, *value);
}

std::string buffer_text(const Program& program, const Buffer& buffer) {
  std::string text;
  for (const Message& message : buffer)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", message.own ? "own " : "",
                        cell_text(program, message.address, message.value));
  return text;
}

}  // namespace

std::string describe(const Program& program, const DualCertificate::LocalState& state) {
  const Thread& thread = program.thread(state.thread);
  const std::vector<Register>& registers = program.function(thread.function).registers;
  std::string values;
  for (std::size_t i = 0; i < state.registers.size(); ++i)
    values += fmt::format("{}{} = {}", i == 0 ? " (" : ", ", registers[i].name, state.registers[i]);
  if (!values.empty()) values += ")";
  if (!state.location) return fmt::format("{} at its end{}", thread.name, values);
  return fmt::format("{} at {}{}", thread.name, program.location_name(state.location), values);
}

std::string describe(const Program& program, const DualCertificate& certificate,
                     const Configuration& configuration) {
  std::vector<std::string> parts;
  for (const Member& member : configuration.threads) {
    parts.push_back(describe(program, certificate.states[member.state]));
    if (!member.buffer.empty())
      parts.back() += fmt::format(" with {} in its buffer", buffer_text(program, member.buffer));
  }
  for (const auto& [address, value] : configuration.memory)
    parts.push_back(cell_text(program, address, value));
  return parts.empty() ? "any configuration" : fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace weir::certificates
