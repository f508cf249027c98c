// Small languages have cells, threads and integers. What a program has beyond that (the memory of C, threads
// that know who they are, floating point) they cannot express; this finds it.
#pragma once

#include <optional>
#include <string>

#include "program/program.hpp"

namespace weir {

struct BeyondPlain {
  std::string what;  // "private memory"
  SourcePosition position;
};

// Something in the program that makes it more than plain; nothing if it is plain.
std::optional<BeyondPlain> beyond_plain(const Program& program);

}  // namespace weir
