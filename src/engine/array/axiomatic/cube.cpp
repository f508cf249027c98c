#include "engine/array/axiomatic/cube.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"

namespace weir::array {

bool writes(const Event& event, Node cell) {
  return event.write && std::binary_search(event.cells.begin(), event.cells.end(), cell);
}

std::vector<Node> cells_of(SymbolId symbol, std::uint32_t processes, const ArraySystem& system) {
  const std::uint32_t dimensions = system.symbol(symbol).dimensions;
  std::vector<Node> cells;
  std::uint8_t arguments[kMostDimensions] = {};
  const auto fill = [&](const auto& self, std::uint32_t place) -> void {
    if (place == dimensions || place == kMostDimensions) {
      cells.push_back(Node::cell(symbol, arguments, dimensions));
      return;
    }
    for (std::uint32_t process = 0; process < processes; ++process) {
      arguments[place] = static_cast<std::uint8_t>(process);
      self(self, place + 1);
    }
  };
  fill(fill, 0);
  return cells;
}

void name_processes(EventCube& cube, std::uint32_t processes, const ArraySystem& system) {
  const std::uint32_t old = (1u << cube.processes) - 1;
  for (Event& event : cube.events) {
    for (const SymbolId symbol : event.elsewhere)
      for (const Node cell : cells_of(symbol, processes, system))
        if ((cell.processes() & ~old) != 0) event.cells.push_back(cell);
    std::sort(event.cells.begin(), event.cells.end());
  }
  cube.processes = processes;
}

Node renamed(Node cell, const std::vector<std::uint8_t>& processes) {
  std::uint8_t arguments[kMostDimensions] = {};
  for (std::uint32_t place = 0; place < cell.dimensions(); ++place)
    arguments[place] = processes[cell.process(place)];
  return Node::cell(cell.symbol(), arguments, cell.dimensions());
}

namespace {

// The reads that a constraint speaks of, in a new numbering.
void drop_idle_reads(EventCube& cube, Renaming& renaming, const Vocabulary& vocabulary) {
  std::vector<bool> used(cube.waiting.size());
  for (const Constraint& one : cube.constraints)
    vocabulary.each_part(one, [&](Node node) {
      if (node.is_read()) used[node.read()] = true;
    });
  std::vector<WaitingRead> kept;
  for (std::size_t read = 0; read < used.size(); ++read) {
    if (!used[read]) continue;
    renaming.read[read] = static_cast<std::uint8_t>(kept.size());
    kept.push_back(cube.waiting[read]);
  }
  cube.waiting = std::move(kept);
}

void drop_idle_events(EventCube& cube) {
  std::vector<bool> used(cube.events.size());
  for (const WaitingRead& read : cube.waiting) used[read.event] = true;
  for (const ReadFrom& link : cube.from) used[link.read] = true;
  std::vector<std::uint8_t> number(cube.events.size());
  std::vector<Event> kept;
  for (std::size_t event = 0; event < used.size(); ++event) {
    Event& here = cube.events[event];
    if (!used[event] && !here.write && !here.fenced) continue;
    number[event] = static_cast<std::uint8_t>(kept.size());
    kept.push_back(std::move(here));
  }
  cube.events = std::move(kept);
  for (WaitingRead& read : cube.waiting) read.event = number[read.event];
  for (ReadFrom& link : cube.from) {
    link.read = number[link.read];
    link.write = number[link.write];
  }
}

// Instants are numbered by their first events.
void number_instants(EventCube& cube) {
  std::vector<std::uint8_t> order;
  for (Event& event : cube.events) {
    const auto found = std::find(order.begin(), order.end(), event.instant);
    const auto number = static_cast<std::uint8_t>(found - order.begin());
    if (found == order.end()) order.push_back(event.instant);
    event.instant = number;
  }
}

// The processes of which something is said. All of them if an event distinguishes those named from the
// others.
std::uint32_t mentioned(const EventCube& cube, const Vocabulary& vocabulary) {
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << cube.processes) - 1);
  std::uint32_t set = (1u << vocabulary.pinned()) - 1;
  for (const Constraint& one : cube.constraints) {
    set |= vocabulary.processes(one);
    if (one.kind != ConstraintKind::kIn || vocabulary.domain(one.a) != Domain::kProcess) continue;
    const std::uint64_t others = (one.mask() >> 63) != 0 ? ~one.mask() : one.mask();
    set |= static_cast<std::uint32_t>(others);
  }
  for (const Event& event : cube.events) {
    if (!event.elsewhere.empty()) return all;
    set |= 1u << event.process;
    for (const Node cell : event.cells) set |= cell.processes();
  }
  for (const WaitingRead& read : cube.waiting) set |= read.cell.processes();
  return set & all;
}

std::uint64_t renamed_mask(std::uint64_t mask, const std::vector<std::uint8_t>& went, std::uint32_t left) {
  std::uint64_t result = (mask >> 63) != 0 ? ~std::uint64_t{0} << left : 0;
  for (std::size_t process = 0; process < went.size(); ++process)
    if (went[process] != kGone && ((mask >> process) & 1) != 0) result |= std::uint64_t{1} << went[process];
  return result;
}

}  // namespace

std::vector<std::uint8_t> simplify(EventCube& cube, const Facts& facts) {
  const Vocabulary& vocabulary = facts.vocabulary();
  facts.normal_form(cube.constraints);
  Renaming renaming = Renaming::identity(cube.processes);
  drop_idle_reads(cube, renaming, vocabulary);
  drop_idle_events(cube);
  number_instants(cube);
  const std::uint32_t kept = mentioned(cube, vocabulary);
  std::vector<std::uint8_t> went(cube.processes, kGone);
  std::uint8_t left = 0;
  for (std::uint32_t process = 0; process < cube.processes; ++process)
    if (((kept >> process) & 1) != 0) renaming.process[process] = went[process] = left++;
  for (Constraint& one : cube.constraints) {
    if (one.kind == ConstraintKind::kIn && vocabulary.domain(one.a) == Domain::kProcess)
      one.value = static_cast<std::int64_t>(renamed_mask(one.mask(), went, left));
    one = renamed_nodes(one, renaming, vocabulary);
  }
  std::sort(cube.constraints.begin(), cube.constraints.end());
  for (Event& event : cube.events) {
    event.process = went[event.process];
    for (Node& cell : event.cells) cell = renamed(cell, went);
    std::sort(event.cells.begin(), event.cells.end());
  }
  for (WaitingRead& read : cube.waiting) read.cell = renamed(read.cell, went);
  for (ReadFrom& link : cube.from) link.cell = renamed(link.cell, went);
  cube.processes = left;
  return went;
}

std::string describe(const EventCube& cube, const Vocabulary& vocabulary) {
  std::string text = fmt::format("{} processes:", cube.processes);
  for (const Constraint& one : cube.constraints) text += "\n  " + describe(one, vocabulary);
  for (std::size_t number = 0; number < cube.events.size(); ++number) {
    const Event& event = cube.events[number];
    text += fmt::format("\n  e{} at {}: #{} {}{}{}", number, event.instant, event.process + 1,
                        event.write ? "writes" : "reads", event.fenced ? " fenced" : "",
                        event.final ? " final" : "");
    for (const Node cell : event.cells) text += " " + describe(cell, vocabulary);
    for (const SymbolId symbol : event.elsewhere)
      text += " all other " + vocabulary.system().symbol(symbol).name;
    for (std::size_t read = 0; read < cube.waiting.size(); ++read)
      if (cube.waiting[read].event == number)
        text += fmt::format(" {} (!{})", describe(cube.waiting[read].cell, vocabulary), read);
    for (const ReadFrom& link : cube.from)
      if (link.read == number)
        text += fmt::format(" {} from e{}", describe(link.cell, vocabulary), link.write);
  }
  return text;
}

}  // namespace weir::array
