// A witness told for people: every step with what it did to registers, buffers and memory, in words. Follows
// the witness with the simplest possible bookkeeping (what was last written where) and trusts its values;
// whether the steps are possible is the business of `check`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/execution/synchronisation.hpp"
#include "trace/witness.hpp"

namespace weir {

struct StoryEvent {
  std::size_t step = 0;  // index in the witness
  ThreadId thread;
  const char* action = "";  // as in the JSON answer: "load", "store", "flush", …
  std::string text;         // "read x = 0 (memory)"
  bool local = false;       // nothing that another thread could notice
  bool buffered = false;    // a store that enters the buffer
  bool library = false;     // of a library, and tells the user nothing; local, too
  bool setup = false;       // before there is a second thread
  std::optional<SyncAction> sync;  // of a block of a library
  std::optional<Value> address;
  std::string name;         // of the cell, as the user calls it
  std::optional<Value> value;
  Type type = kInt64;   // of the value
  std::string change;   // what memory it changes: "x: 0 -> 1"
  std::string arrival;  // the label reached, if a property names it
  SourcePosition position;  // in the user's own code
};

struct Storyline {
  std::vector<StoryEvent> events;
  std::vector<std::string> location;  // per thread: where it is in its outermost function at the end
};

Storyline tell(const Program& program, const Witness& witness);

// A value of a type as people write it (unsigned 64-bit values are not negative).
std::string value_text(Value value, Type type);

}  // namespace weir
