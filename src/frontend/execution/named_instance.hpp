// An instance of consistency verification with the names and values that people gave it, and the file
// format that it is read from; docs/consistency.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "engine/consistency/instance.hpp"
#include "program/model.hpp"

namespace weir {

struct NamedEvent {
  std::string operation;  // as in the file: "read", "lock", …
  std::string name;       // the id in the file; empty if it has none
  std::optional<std::int64_t> read, written;
  SourcePosition position;
  bool hidden = false;  // the fence that belongs to a failed compare-and-swap or to an unlock
};

struct NamedInstance {
  consistency::Instance instance;
  std::vector<NamedEvent> events;  // by number
  std::vector<std::string> threads, variables;
  std::vector<std::int64_t> initial;  // per variable
  SourceMap sources;
};

Expected<NamedInstance> read_instance(std::string path, std::string text);

// Fails if the model needs one source per read and a read has several.
std::optional<Diagnostic> check_sources(const NamedInstance& named, Model model);

}  // namespace weir
