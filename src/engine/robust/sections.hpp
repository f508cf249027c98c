// Where a thread may be outside every atomic block and lock section, and where inside one, by control flow
// alone. A store can be delayed only outside. (Within a section nobody else touches memory, and it ends with
// an empty buffer.)
#pragma once

#include <vector>

#include "program/program.hpp"

namespace weir {

class Sections {
 public:
  explicit Sections(const Program& program);

  bool may_be_outside(LocationId location) const { return outside_[location.index()]; }
  bool may_be_inside(LocationId location) const { return inside_[location.index()]; }

 private:
  std::vector<bool> outside_, inside_;
};

// Whether what a section does, or whether it can be executed at all, depends on what it reads: it has a
// condition, a choice, a load that waits or a computed address, and accesses more than one address.
bool has_conditional_section(const Program& program);

}  // namespace weir
