#include "trace/certificate_file.hpp"

#include <nlohmann/json.hpp>

#include "program/text/text.hpp"

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

Json state_to_json(const Program& program, const DualCertificate::LocalState& state) {
  const Thread& thread = program.thread(state.thread);
  Json out{{"thread", thread.name},
           {"location", state.location ? program.location_name(state.location) : ""},
           {"registers", Json::object()}};
  const Function& function = program.function(thread.function);
  for (std::size_t r = 0; r < state.registers.size(); ++r)
    out["registers"][function.registers[r].name] = state.registers[r];
  return out;
}

Json message_to_json(const Program& program, const DualCertificate::Message& message) {
  Json out{{"address", program.address_name(message.address)}};
  if (message.value) out["value"] = *message.value;
  if (message.own) out["own"] = true;
  return out;
}

Json element_to_json(const Program& program, const DualCertificate::Element& element) {
  Json out{{"memory", Json::object()}, {"threads", Json::array()}};
  for (const auto& [address, value] : element.memory) out["memory"][program.address_name(address)] = value;
  for (const DualCertificate::Member& member : element.threads) {
    Json buffer = Json::array();
    for (const DualCertificate::Message& message : member.buffer)
      buffer.push_back(message_to_json(program, message));
    out["threads"].push_back({{"state", member.state}, {"buffer", std::move(buffer)}});
  }
  return out;
}

}  // namespace

std::string write_certificate(const Program& program, const DualCertificate& certificate,
                              std::string_view version) {
  Json out{{"schema", 1},
           {"tool", "weir"},
           {"version", version},
           {"kind", "certificate"},
           {"model", name(certificate.model)},
           {"any_number", certificate.any_number},
           {"program", print(program)},
           {"values", Json::object()},
           {"states", Json::array()},
           {"basis", Json::array()}};
  for (const auto& [address, values] : certificate.values)
    out["values"][program.address_name(address)] = values;
  for (const auto& state : certificate.states) out["states"].push_back(state_to_json(program, state));
  for (const auto& element : certificate.elements) out["basis"].push_back(element_to_json(program, element));
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
