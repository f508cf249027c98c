// The words in which the checker of certificates speaks: configurations of TSO with load buffers, as far as
// they are known. What stands for what is in dual_certificate.hpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/dual/certificate.hpp"

namespace weir::certificates {

using Cells = std::map<Value, Value>;  // address to value
using Message = DualCertificate::Message;
using Buffer = std::vector<Message>;  // oldest first; at most one own message for each address
using Member = DualCertificate::Member;
using StateIndex = std::uint32_t;  // among the states of the certificate

struct Configuration {
  Cells memory;
  std::vector<Member> threads;
};

inline Message own_message(Value address, std::optional<Value> value = std::nullopt) {
  return {.address = address, .value = value, .own = true};
}

// The own message for the address; null if there is none.
inline const Message* own_message_in(const Buffer& buffer, Value address) {
  for (const Message& message : buffer)
    if (message.own && message.address == address) return &message;
  return nullptr;
}

// "P at l3 (r = 1) with own x = 1, y = 0 in its buffer; x = 1".
std::string describe(const Program& program, const DualCertificate& certificate,
                     const Configuration& configuration);
std::string describe(const Program& program, const DualCertificate::LocalState& state);

}  // namespace weir::certificates
