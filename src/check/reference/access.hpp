// What a thread finds at an address: the section Memory of docs/semantics.md. Whether an access is allowed,
// what it sees, and private memory. What shared memory looks like is in state.hpp.
#pragma once

#include <optional>
#include <string>

#include "check/reference/state.hpp"

namespace weir {

// To which memory an address belongs. Shared is also where there is nothing at all.
enum class Region : std::uint8_t { kShared, kConstant, kPrivate };

Region region_of(const Program& program, Value address);

// A load, store or read-modify-write of one thread.
struct Access {
  ThreadId thread;
  Value address = 0;
  Type type;
  bool writes = false;
};

// Why an access cannot be made.
struct AccessProblem {
  std::string message;
  bool by_content = false;  // only what memory holds makes it fail: the block was released
  bool unsupported =
      false;  // it touches bytes between the cells of objects: nobody knows what would happen, so
              // this is no violation
};

inline constexpr const char* kCutAddress =
    "the highest bits of the address of a large block were taken away; such programs are not supported";

// The first of: address, width, status. Nothing if all is well.
std::optional<AccessProblem> find_problem(const Program& program, const ReferenceState& state,
                                          const Access& access);

// The type to which a store wraps its value. For this and what follows, there must be no problem.
Type cell_type(const Program& program, const Access& access);

// What the thread sees there, wrapped to the type of the access; nothing if that, or a part of it, is uninitialised.
std::optional<Value> visible_value(const Program& program, const ReferenceState& state, const Access& access);
// Are some of the bytes that it sees there initialised, and others not?
bool partly_initialised(const Program& program, const ReferenceState& state, const Access& access);

// Stores to private memory, or takes the initialisation of its bytes back.
void write_private(ReferenceState& state, const Access& access, std::optional<Value> value);

// Does the address, which is one of a block, point into one that was allocated?
bool is_allocated(const ReferenceState& state, Value address);
// Was the block into which the address points released, as far as the thread can see?
bool released(const Program& program, const ReferenceState& state, ThreadId thread, Value address);

}  // namespace weir
