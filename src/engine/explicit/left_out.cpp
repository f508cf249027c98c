#include "engine/explicit/left_out.hpp"

#include <fmt/format.h>

#include "engine/failure.hpp"
#include "engine/value_limits_answer.hpp"

namespace weir {

namespace {

// Where an atomic block was cut, and by whom it is executed.
std::optional<std::pair<std::size_t, EdgeId>> cut_block(System& system) {
  for (std::size_t t = 0; t < system.thread_count(); ++t)
    if (const EdgeId edge = system.blocks(t).cut()) return std::pair{t, edge};
  return std::nullopt;
}

void warn_about_local_steps(const System& system, SourcePosition position, Answer& answer) {
  answer.bound.emplace_back("local_steps", std::to_string(system.options().local_steps));
  answer.diagnostics.push_back({Severity::kWarning, answer.reason, position,
                                "if it ends eventually, raise the limit with --local-steps"});
}

// Cells of a block have the width of the accesses to them, so two of different width cannot both be right.
void explain_mixed_sizes(const Program& program, std::pair<Value, Value> addresses, Answer& answer) {
  answer.reason = fmt::format("{} and {} overlap, but are accessed with different sizes",
                              program.address_name(addresses.first), program.address_name(addresses.second));
  answer.diagnostics.push_back({Severity::kWarning,
                                answer.reason,
                                {},
                                "memory that threads may share is read with the size it is written with"});
}

void explain_cut(const System& system, const ThreadLocation& cut, Answer& answer) {
  const Program& program = system.program();
  const Thread& thread = program.thread(cut.thread);
  answer.reason = fmt::format("thread {} executes more than {} instructions in a row without touching memory",
                              thread.name, system.options().local_steps);
  warn_about_local_steps(system, cut.location ? program.location(cut.location).position : thread.position,
                         answer);
}

}  // namespace

bool left_out_something(System& system, Monitor& monitor, const LeftOut& noticed) {
  const SharedMemory& memory = system.memory();
  return noticed.bounded || noticed.cut || cut_block(system) || memory.grown() || memory.left_range() ||
         memory.mixed_sizes() || monitor.gave_up();
}

void explain_left_out(System& system, Monitor& monitor, const LeftOut& noticed, Answer& answer) {
  const Program& program = system.program();
  const SharedMemory& memory = system.memory();
  const SystemOptions& options = system.options();
  if (const auto grown = memory.grown()) {
    explain_growth(program, memory, *grown, answer.reason, answer.bound, answer.diagnostics);
  } else if (noticed.cut) {
    explain_cut(system, *noticed.cut, answer);
  } else if (const auto mixed = memory.mixed_sizes()) {
    explain_mixed_sizes(program, *mixed, answer);
  } else if (const EdgeId edge = monitor.gave_up()) {
    answer.diagnostics.push_back(what_is_left_out(program, edge));
    answer.reason = answer.diagnostics.back().message;
  } else if (const auto block = cut_block(system)) {
    answer.reason = fmt::format("an atomic block of thread {} does not end within {} states",
                                program.threads[block->first].name, options.local_steps);
    warn_about_local_steps(system, program.edge(block->second).position, answer);
  } else if (memory.left_range()) {
    answer.reason = "no violation within the given ranges, but values leave them";
    explain_ranges(program, options.values, answer.bound);
  } else {
    answer.reason = fmt::format(
        "no violation with at most {} stores in a buffer, but buffers can grow beyond", *options.buffer);
    answer.bound.emplace_back("buffer", std::to_string(*options.buffer));
  }
}

}  // namespace weir
