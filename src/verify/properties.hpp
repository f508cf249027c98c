// What is to hold besides what the program states itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir::verify {

struct PropertyRequest {
  std::vector<std::string> goal;        // "P0:cs": all of these together are not to be reached
  std::vector<std::string> exclusive;   // "cs" or "P0:cs, P1:cs": at most one thread is there
  std::vector<std::string> invariants;  // "x == y || done"
  std::optional<bool> deadlock;         // looked for or not; nothing: as the program has it
  bool races = false;
  bool leaks = false;
};

// Adds them to the program; says what does not fit it, beginning with the name of the property.
std::optional<Diagnostic> add_properties(Program& program, const PropertyRequest& request);

// The places that "cs", in every thread that has this label, or "P0:cs" names.
Expected<std::vector<ThreadLocation>, Diagnostic> find_places(const Program& program, std::string_view text);

// Is there anything but wrong memory accesses and divisions by zero that could be violated?
bool states_a_property(const Program& program);

}  // namespace weir::verify
