// From a witness to what the page shows of it. Words and values come from the storyline, which the terminal
// shows, too; the graph from happens-before.
#include <fmt/format.h>
#include <map>
#include <set>

#include "check/reference/access.hpp"
#include "check/reference/state.hpp"
#include "report/execution/cycle.hpp"
#include "report/execution/deadlock.hpp"
#include "report/execution/execution_graph.hpp"
#include "report/execution/global_order.hpp"
#include "report/execution/race.hpp"
#include "report/execution/storyline.hpp"
#include "report/explorer/explorer.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

// A page stays below two megabytes. Beyond so many steps local ones are left out, which tell least; of still
// more, only the last ones are shown. Nobody can read a graph with so many accesses.
constexpr std::size_t kMostStepsWithLocal = 6000, kMostSteps = 8000, kMostEvents = 5000;

// A pointer to something that the source has no name for, such as what a library keeps.
bool is_raw_address(std::string_view value) {
  constexpr std::size_t kDigits = 13;  // as many as C programs' addresses have at least
  return value.size() >= kDigits && value.find_first_not_of("0123456789") == std::string_view::npos;
}

class Execution {
 public:
  Execution(const Program& program, const Witness& witness, std::string title)
      : program_(program),
        witness_(witness),
        names_(program, witness),
        buffering_(find_buffering(program, witness)),
        place_(witness.steps.size() + 1, 0) {
    result_.title = std::move(title);
    result_.model = witness.model;
    result_.violation = {
        name(witness.violation.kind), violation_text(witness.violation), witness.violation.position, {}};
    for (const RaceNote& access : race_notes(program, witness))
      result_.violation->accesses.push_back(
          {access.thread.index(), fmt::format("{} {}", access.verb, access.variable), access.position});
  }

  ExplorerExecution run() {
    const Storyline story = tell(program_, witness_);
    name_cells(story);
    for (const WaitNote& wait : deadlock_of(program_, witness_, names_, story.events).waiting)
      result_.violation->accesses.push_back(
          {wait.thread.index(), fmt::format("waits for {}", wait.wants), wait.position});
    for (const StoryEvent& event : story.events) take(event);
    place_[witness_.steps.size()] = result_.steps.size();
    if (witness_.starvation) result_.loop = place_[witness_.starvation->loop];
    draw_graph();
    if (result_.events.size() > kMostEvents || result_.steps.size() > kMostSteps) leave_out_graph();
    if (result_.steps.size() > kMostSteps) keep_end(result_.steps.size() - kMostSteps);
    return std::move(result_);
  }

 private:
  // In the order of their addresses, which is mostly that of their declarations.
  void name_cells(const Storyline& story) {
    for (const StoryEvent& event : story.events)
      if (event.address && is_shared(*event.address)) cells_.emplace(*event.address, event.type);
    for (const auto& [address, type] : cells_) {
      number_.emplace(address, result_.cells.size());
      const bool internal = names_.is_internal(address) || is_part_of_library(address);
      result_.cells.push_back({names_.address(address),
                               names_.value(read_memory(program_, {}, address), type, address), internal});
    }
  }

  // Of a lock or a condition variable there are several words, with one name, which tell less than the steps.
  bool is_part_of_library(Value address) const {
    return !names_.mutex_at(address).empty() || !names_.condition_at(address).empty();
  }

  bool is_shared(Value address) const { return region_of(program_, address) == Region::kShared; }

  void take(const StoryEvent& event) {
    place_[event.step] = result_.steps.size();
    const bool about_cell = event.address && number_.contains(*event.address);
    if (event.local && !about_cell && witness_.steps.size() > kMostStepsWithLocal) {
      ++result_.left_out;
      return;
    }
    ExplorerStep step{.number = event.step + 1, .thread = event.thread.index(), .action = event.action};
    step.text = event.text;
    step.position = event.position;
    step.local = event.local;
    step.arrival = event.arrival;
    if (event.value) step.value = names_.value(*event.value, event.type, event.address);
    if (about_cell) touch_cell(event, step);
    if (event.value && fails_here(event)) step.value.clear();
    set_register(event, step);
    result_.steps.push_back(std::move(step));
  }

  bool fails_here(const StoryEvent& event) const {
    return event.step + 1 == witness_.steps.size() && witness_.violation.kind == ViolationKind::kAssertion;
  }

  void touch_cell(const StoryEvent& event, ExplorerStep& step) const {
    const WitnessStep& raw = witness_.steps[event.step];
    step.cell = number_.at(*event.address);
    step.buffered = event.buffered;
    if (raw.kind == WitnessStep::Kind::kFlush) {
      const std::size_t partner = buffering_.partner[event.step];
      if (partner != kNoStep) step.store = place_[partner];
      step.memory = step.value;
      return;
    }
    if (!event.value) return;  // the access that fails
    const Opcode op = program_.edge(raw.edge).instruction.op;
    if (op == Opcode::kRmw && raw.stored) step.memory = names_.value(raw.written, event.type, event.address);
    if (op == Opcode::kStore && !event.buffered) step.memory = step.value;
  }

  void set_register(const StoryEvent& event, ExplorerStep& step) const {
    const WitnessStep& raw = witness_.steps[event.step];
    if (raw.kind == WitnessStep::Kind::kFlush || !event.value) return;
    const Edge& edge = program_.edge(raw.edge);
    if (!edge.instruction.result || edge.instruction.op == Opcode::kCall) return;
    const Function& function = program_.function(program_.location(edge.source).function);
    step.reg = function.registers[edge.instruction.result.index()].name;
    const auto& frames = names_.frames(raw.edge);
    const bool of_library = is_reserved(step.reg) || (!frames.empty() && frames.front().foreign);
    if (names_.has_terms() && (step.reg.starts_with('%') || of_library)) {
      step.reg.clear();
      return;
    }
    step.reg_value = names_.value(*event.value, event.type, event.address);
    if (!names_.has_terms() || !is_raw_address(step.reg_value)) return;
    step.reg.clear();
    step.reg_value.clear();
  }

  void draw_graph() {
    const HappensBefore relation = happens_before(program_, witness_);
    for (const TraceEvent& event : relation.events) {
      ExplorerEvent& drawn = result_.events.emplace_back();
      drawn.step = place_[event.step];
      if (event.visible < witness_.steps.size()) drawn.visible = place_[event.visible];
      drawn.unit = event.unit;
      drawn.label = event_label(program_, names_, event);
    }
    result_.edges = explorer_edges(relation.edges);
    result_.global_order = explorer_edges(global_order(program_, witness_, relation));
    result_.cycle = explorer_edges(told_cycle(relation));
  }

  void leave_out_graph() {
    result_.no_graph = true;
    result_.events.clear();
    result_.edges.clear();
    result_.global_order.clear();
    result_.cycle.clear();
  }

  // Leaves the first steps out, but for stores that are still in a buffer then: the rest begins with memory
  // as it is, and with these. A loop is shown as a whole.
  void keep_end(std::size_t first) {
    if (result_.loop && *result_.loop < first) return;
    std::vector<ExplorerStep> kept;
    std::map<std::size_t, std::size_t> place;  // of those kept, by their old number
    const auto keep = [&](std::size_t index) {
      place[index] = kept.size();
      kept.push_back(std::move(result_.steps[index]));
      if (kept.back().store) kept.back().store = place.at(*kept.back().store);
    };
    std::set<std::size_t> waiting;
    for (std::size_t i = 0; i < first; ++i) {
      const ExplorerStep& step = result_.steps[i];
      if (step.memory && step.cell) result_.cells[*step.cell].initial = *step.memory;
      if (step.buffered) waiting.insert(i);
      if (step.store) waiting.erase(*step.store);
    }
    for (const std::size_t store : waiting) keep(store);
    for (std::size_t i = first; i < result_.steps.size(); ++i) keep(i);
    result_.skipped = first - waiting.size();
    if (result_.loop) result_.loop = place.at(*result_.loop);
    result_.steps = std::move(kept);
  }

  const Program& program_;
  const Witness& witness_;
  const SourceNames names_;
  const Buffering buffering_;
  std::map<Value, Type> cells_;          // by address
  std::map<Value, std::size_t> number_;  // of a cell, by address
  std::vector<std::size_t> place_;       // of each step of the witness in the list of those shown
  ExplorerExecution result_;
};

}  // namespace

std::vector<ExplorerEdge> explorer_edges(const std::vector<HappensBeforeEdge>& edges) {
  std::vector<ExplorerEdge> result;
  for (const HappensBeforeEdge& edge : edges) result.push_back({edge.from, edge.to, name(edge.relation)});
  return result;
}

ExplorerExecution explorer_execution(const Program& program, const Witness& witness, std::string title) {
  return Execution(program, witness, std::move(title)).run();
}

}  // namespace weir
