// A proof that no violation is reachable under TSO or SC: a set of configurations of TSO with load buffers,
// each of which stands for all that are above it. What makes it a proof is in check/dual/certificate.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/model.hpp"
#include "program/program.hpp"

namespace weir {

struct DualCertificate {
  // A local state of a thread, before one of its instructions or after its last.
  struct LocalState {
    ThreadId thread;      // the first thread, or template, with this code and these arguments
    LocationId location;  // none if it has returned or stopped
    std::vector<Value> registers;
  };
  struct Message {
    Value address = 0;
    std::optional<Value> value;  // plain messages always have one
    bool own = false;
  };
  struct Member {
    std::uint32_t state = 0;      // among `states`
    std::vector<Message> buffer;  // oldest first
  };
  struct Element {
    std::vector<std::pair<Value, Value>> memory;  // address and value
    std::vector<Member> threads;
  };

  Model model = Model::kTso;  // or kSc: then buffers are empty, and loads and stores act on memory
  bool any_number = false;    // every thread is a template
  std::vector<std::pair<Value, std::vector<Value>>> values;  // of each address that threads access
  std::vector<LocalState> states;
  std::vector<Element> elements;
};

}  // namespace weir
