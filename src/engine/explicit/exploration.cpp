#include "engine/explicit/exploration.hpp"

#include <algorithm>
#include <map>

#include "program/address.hpp"

namespace weir {

Exploration::Exploration(System& the_system, Monitor& the_monitor, const ExplicitOptions& the_options,
                         Context& the_context, bool use_symmetry)
    : system(the_system),
      monitor(the_monitor),
      options(the_options),
      context(the_context),
      symmetry(the_system, use_symmetry),
      table(the_system.thread_count() + 1) {}

Exploration::Index Exploration::start() {
  const GlobalState initial = system.initial();
  const Index index = reach(initial, StateTable::kNoParent, 0).index;
  for (Violation& bad : monitor.violations(initial)) report(std::move(bad), index);
  note_cut(initial);
  return index;
}

void Exploration::make_room(const GlobalState& state) {
  for (std::size_t t = 0; t < state.components.size(); ++t)
    if (!table.fits(t, state.components[t].index())) table.widen(t, state.components[t].index());
  if (!table.fits(state.components.size(), state.memory.index()))
    table.widen(state.components.size(), state.memory.index());
}

// A request for memory that is refused ends the process at once, and no checkpoint could be made any more.
void Exploration::stop_if_memory_ends() {
  constexpr std::size_t kUntilAskedAgain = 1 << 18;  // states
  constexpr std::uint64_t kSpare = std::uint64_t{8} << 20;
  if (memory_left() < table.next_bytes(kUntilAskedAgain) + kSpare) context.request_stop(StopReason::kMemory);
}

StateTable::Inserted Exploration::reach(GlobalState state, Index parent, std::size_t thread) {
  const ComponentId moved = state.components.empty() ? ComponentId() : state.components[thread];
  std::vector<std::uint32_t> ids;
  for (const ComponentId component : state.components) ids.push_back(component.index());
  ids.push_back(state.memory.index());
  symmetry.canonicalise(ids.data());
  for (std::size_t t = 0; t < state.components.size(); ++t) state.components[t] = ComponentId(ids[t]);
  make_room(state);
  packed_.resize(table.words());
  table.pack(ids, packed_.data());
  const StateTable::Inserted inserted = table.insert(packed_.data(), table.hash(packed_.data()), parent);
  graph.note(parent, inserted.index, thread);
  if (inserted.added && parent != StateTable::kNoParent) inspect(inserted.index, thread, moved);
  if (inserted.added && parent == StateTable::kNoParent) record_memory(state.memory);
  return inserted;
}

GlobalState Exploration::state(Index index) const {
  const std::uint64_t* packed = table.row(index);
  GlobalState result;
  for (std::size_t t = 0; t + 1 < table.fields(); ++t)
    result.components.push_back(ComponentId(table.get(packed, t)));
  result.memory = MemoryId(table.get(packed, table.fields() - 1));
  return result;
}

void Exploration::inspect(Index index, std::size_t thread, ComponentId component) {
  if (options.record) record_memory(state(index).memory);
  if (monitor.flags(thread, component) & Monitor::kCut) note_cut(state(index));
  if (!monitor.suspicious(thread, component)) return;
  for (Violation& bad : monitor.violations(state(index))) report(std::move(bad), index);
}

void Exploration::fail(Index from, std::size_t thread, ComponentId component, MemoryId memory,
                       const Move& move) {
  fail(from, {StepRecord{thread, component, memory, *move.step, move.outcome, true, move.value}});
}

void Exploration::fail(Index from, std::vector<StepRecord> steps) {
  const StepRecord& last = steps.back();
  Violation violation = monitor.failure(last.thread, last.component, last.memory, last.step, last.outcome);
  report(std::move(violation), from, std::move(steps));
}

std::vector<std::uint8_t> Exploration::interchangeable() const {
  constexpr std::size_t kLast = 63;  // groups beyond are one
  std::vector<std::uint8_t> group;
  for (std::size_t t = 0; t < system.thread_count(); ++t)
    group.push_back(
        static_cast<std::uint8_t>(std::min(symmetry.trivial() ? t : system.view_number(t), kLast)));
  return group;
}

void Exploration::look_for_partial_deadlock() {
  if (auto stuck = graph.partial_deadlock(*this)) report(std::move(stuck->second), stuck->first);
}

void Exploration::terminal(Index index) {
  const GlobalState end = state(index);
  if (monitor.held_back(end) || monitor.can_halt(end)) return;
  ++statistics.terminal;
  if (auto bad = monitor.at_end(end)) report(std::move(*bad), index);
  if (options.record) record_end(end);
}

void Exploration::record_end(const GlobalState& end) {
  bool stopped = true;
  for (std::size_t t = 0; t < end.components.size(); ++t) {
    const ThreadView& view = system.view(t);
    stopped = stopped && view.automaton().stopped(view.local(end.components[t]));
  }
  if (stopped)
    options.record->finals.insert(nonzero_cells(end.memory));
  else
    ++options.record->stuck;
  const bool wanted = stopped && options.record->whole_finals;
  if (options.record->only_finals && !wanted) return;
  ExplorationRecord::Terminal terminal;
  for (std::size_t t = 0; t < end.components.size(); ++t) {
    const ThreadView& view = system.view(t);
    const StateId local = view.local(end.components[t]);
    terminal.locations.push_back(view.automaton().location(local).index());
    auto& registers = terminal.registers.emplace_back();
    const Function& code = system.program().function(system.program().threads[t].function);
    for (std::size_t r = 0; r < code.registers.size(); ++r)
      registers.push_back(view.automaton().register_value(local, RegisterId(r)));
  }
  terminal.memory = nonzero_cells(end.memory);
  if (wanted) options.record->final_states.insert(terminal);
  if (!options.record->only_finals) options.record->terminals.insert(std::move(terminal));
}

void Exploration::report(Violation violation, Index index, std::vector<StepRecord> failing) {
  if (options.record) options.record->violations.emplace(violation.kind, violation.property);
  if (!found) found = Found{std::move(violation), index, std::move(failing)};
}

void Exploration::note_cut(const GlobalState& state) {
  for (std::size_t t = 0; t < state.components.size() && !cut; ++t) {
    if (!(monitor.flags(t, state.components[t]) & Monitor::kCut)) continue;
    const ThreadView& view = system.view(t);
    cut = ThreadLocation{ThreadId(t), view.automaton().innermost_location(view.local(state.components[t]))};
  }
}

void Exploration::record_memory(MemoryId memory) {
  if (options.record && !options.record->only_finals) options.record->memories.insert(nonzero_cells(memory));
}

std::vector<std::pair<Value, Value>> Exploration::nonzero_cells(MemoryId memory) const {
  const SharedMemory& shared = system.memory();
  std::map<Value, Value> cells;
  for (const SharedObject& object : system.program().objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k) * object.stride;
      cells[address] = shared.read_address(memory, address);
    }
  for (std::size_t c = 1; c < shared.cell_count(); ++c)
    if (shared.leaves(CellId(c)).empty()) add_cell(memory, CellId(c), cells);
  std::erase_if(cells, [](const auto& cell) { return cell.second == 0; });
  return {cells.begin(), cells.end()};
}

// What is in a block is told byte by byte: the sizes of accesses do not matter.
void Exploration::add_cell(MemoryId memory, CellId cell, std::map<Value, Value>& cells) const {
  const SharedMemory& shared = system.memory();
  const Value address = shared.address(cell), held = shared.read(memory, cell);
  const Program& program = system.program();
  const AddressKind kind = program.open_memory ? AddressKind::kOrdinary : address_kind(address);
  if (kind == AddressKind::kOrdinary && program.byte_memory) return;  // it is in an object
  if (kind != AddressKind::kBlock || held == kUninitialised) {
    cells[address] = held;
    return;
  }
  for (std::uint64_t i = 0; i < bytes_of(shared.type(cell)); ++i)
    cells[address + static_cast<Value>(i)] =
        static_cast<Value>(static_cast<std::uint64_t>(held) >> 8 * i & 0xFF);
}

void Exploration::tell_progress(std::uint64_t queue) {
  if (!context.progress_due()) return;
  ProgressSample sample{std::string("explicit ") + name(system.model()), table.size(), queue,
                        statistics.depth, ""};
  for (std::size_t t = 0; t < system.thread_count() && sample.note.empty(); ++t)
    sample.note = loops_.look_at(system.program(), ThreadId(t), system.view(t).automaton());
  context.report_progress(sample);
}

}  // namespace weir
