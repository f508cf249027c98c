// The store-buffering program and an execution of it under TSO, long-winded on purpose: for tests of
// everything that handles witnesses.
#pragma once

#include <gtest/gtest.h>

#include "program/text/text.hpp"
#include "trace/witness.hpp"

namespace weir::test {

inline Program store_buffering() {
  auto result = parse_program_text("sb.weir", R"(weir 1
shared x
shared y
function left()
  register r
  s:
    store x := 1 -> a
  a:
    r := load y -> b
  b:
    assume r == 0 -> cs
    assume r != 0 -> out
  cs:
    nop -> out
  out:
end
function right()
  register r
  s:
    store y := 1 -> a
  a:
    r := load x -> b
  b:
    assume r == 0 -> cs
    assume r != 0 -> out
  cs:
  out:
end
thread P0 = left()
thread P1 = right()
exclusive P0 at cs, P1 at cs
)");
  if (!result) ADD_FAILURE() << render(result.error().diagnostics[0], result.error().sources);
  return result ? std::move(*result) : Program{};
}

inline WitnessStep instruction(std::uint32_t thread, std::uint32_t edge, Value address = 0, Value value = 0) {
  return {.thread = ThreadId(thread), .edge = EdgeId(edge), .address = address, .value = value};
}

inline WitnessStep flush(std::uint32_t thread, std::uint32_t edge, Value address, Value value) {
  return {.thread = ThreadId(thread),
          .kind = WitnessStep::Kind::kFlush,
          .edge = EdgeId(edge),
          .address = address,
          .value = value};
}

// Both threads enter, with more context switches and flushes than needed.
inline Witness both_enter() {
  Witness witness{.model = Model::kTso};
  witness.steps = {instruction(0, 0, 0, 1), instruction(1, 5, 1, 1), instruction(0, 1, 1, 0),
                   instruction(1, 6, 0, 0), flush(0, 0, 0, 1),       instruction(1, 7),
                   flush(1, 5, 1, 1),       instruction(0, 2)};
  witness.violation = {
      ViolationKind::kForbidden, "mutual exclusion violated: \"P0\" and P1", {FileId(0), 13, 3}, 0};
  return witness;
}

}  // namespace weir::test
