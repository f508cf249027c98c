// Programs whose threads are templates: instances with so many copies of each.
#pragma once

#include <cstdint>
#include <span>

#include "program/program.hpp"

namespace weir {

// The program with `counts[t]` copies of thread t, in the order of the threads; the second copy of `P` is
// called `P.2`. Functions, locations and edges keep their ids.
//
// Copies are interchangeable, so that what properties say about a thread they say about its first copy: a
// goal then asks for one copy of each. Mutual exclusion is asked of all copies. A goal or an invariant that
// names a thread without copies is dropped.
Program with_instances(const Program& program, std::span<const std::uint32_t> counts);

// The program with so many copies of each thread that is not `single`.
Program with_instances(const Program& program, std::uint32_t copies);

}  // namespace weir
