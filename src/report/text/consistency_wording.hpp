// The words in which `weir consistent` speaks about an instance.
#pragma once

#include <string>
#include <vector>

#include "engine/consistency/verifier.hpp"
#include "frontend/execution/named_instance.hpp"

namespace weir {

class ConsistencyWording {
 public:
  ConsistencyWording(const NamedInstance& named, Model model) : named_(named), model_(model) {}

  std::string thread(consistency::EventId event) const;
  std::string variable(consistency::EventId event) const;
  // "write x = 1", "read y = 0", "rmw x: 0 to 1", "fence"
  std::string action(consistency::EventId id) const;
  // "P0: write x = 1 (a)"
  std::string event(consistency::EventId id) const;
  std::string step(const consistency::Step& step) const;
  // What a step does beyond its action: "enters the buffer", "reads P0: write x = 1"; may be empty.
  std::string note(const consistency::Step& step) const;
  // What a read reads in the witness, if the instance says so.
  std::string source(consistency::EventId read) const;
  std::string why(const consistency::CycleEdge& edge) const;
  std::string contradiction(const consistency::Contradiction& found) const;

  Model model() const { return model_; }

 private:
  std::string source_or(consistency::EventId read, const char* otherwise) const;

  const NamedInstance& named_;
  Model model_;
};

const char* name(consistency::Reason reason);  // as in the JSON answer

// The word of the other commands' witnesses.
std::string json_action(const NamedEvent& event, bool commit);

// Several steps of program order in a row are one.
std::vector<consistency::CycleEdge> shortened(const std::vector<consistency::CycleEdge>& cycle);

}  // namespace weir
