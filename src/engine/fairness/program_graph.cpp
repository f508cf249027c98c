#include "engine/fairness/program_graph.hpp"

#include <algorithm>

#include "engine/failure.hpp"
#include "program/ordering.hpp"

namespace weir::fairness {

ProgramGraph::ProgramGraph(const Program& program, const SystemOptions& options)
    : observed_(program),
      system_(observed_, options),
      monitor_(system_),
      width_(system_.thread_count() + 1),
      abstract_(options.abstraction.has_value()) {}

bool ProgramGraph::build(Context& context, std::size_t most_states) {
  number(system_.initial());
  for (StateNumber state = 0; state < numbers_.size(); ++state) {
    if (context.stopped() || numbers_.size() > most_states) return false;
    if (context.progress_due()) {
      ProgressSample sample;
      sample.phase = "fair";
      sample.states = numbers_.size();
      sample.queue = numbers_.size() - state;
      context.report_progress(sample);
    }
    expand(state);
  }
  return true;
}

GlobalState ProgramGraph::global(StateNumber state) const {
  const std::uint32_t* row = rows_.data() + std::size_t{state} * width_;
  GlobalState result;
  for (std::size_t t = 0; t + 1 < width_; ++t) result.components.emplace_back(row[t]);
  result.memory = MemoryId(row[width_ - 1]);
  return result;
}

StateNumber ProgramGraph::number(const GlobalState& state) {
  std::vector<std::uint32_t> row;
  for (const ComponentId component : state.components)
    row.push_back(static_cast<std::uint32_t>(component.index()));
  row.push_back(static_cast<std::uint32_t>(state.memory.index()));
  const auto next = static_cast<StateNumber>(numbers_.size());
  const auto [place, added] = numbers_.try_emplace(row, next);
  if (added) rows_.insert(rows_.end(), row.begin(), row.end());
  return place->second;
}

Mover ProgramGraph::mover(std::size_t thread, const Step& step) {
  if (!step.flush) return static_cast<Mover>(thread);
  const std::uint32_t cell =
      reorders_stores(system_.model()) ? static_cast<std::uint32_t>(step.cell.index()) : 0;
  const auto next = static_cast<Mover>(threads() + queues_.size());
  return queues_.try_emplace({thread, cell}, next).first->second;
}

StoreEvent ProgramGraph::event(std::size_t thread, ComponentId before, const Step& step) {
  if (!abstract_) return kNoEvent;
  if (!step.flush) {
    ThreadView& view = system_.view(thread);
    const ActionKind kind = view.automaton().actions(view.local(before))[step.action].kind;
    const bool stores = kind == ActionKind::kStore || kind == ActionKind::kFree;
    if (!stores || step.effect != Effect::kNone) return kNoEvent;
  }
  const auto next = static_cast<std::uint32_t>(stores_.size());
  const auto [place, added] =
      stores_.try_emplace({thread, static_cast<std::uint32_t>(step.cell.index()), step.value}, next);
  if (added) storing_threads_.push_back(thread);
  return 2 * place->second + (step.flush ? 1 : 0);
}

void ProgramGraph::expand(StateNumber state) {
  const GlobalState at = global(state);
  const std::size_t before = transitions_.size();
  system_.successors(at, [&](std::size_t t, const Move& move) {
    if (move.fails) {
      held_back_.emplace_back(state, static_cast<Mover>(t));
      return;
    }
    GlobalState next = at;
    next.components[t] = move.component;
    next.memory = move.memory;
    const Mover by = mover(t, *move.step);
    transitions_.push_back({by, number(next), event(t, at.components[t], *move.step)});
  });
  note_held_back(state, at);
  const bool waits = !held_back_.empty() && held_back_.back().first == state;
  ended_.push_back(transitions_.size() == before && !waits);
  first_.push_back(transitions_.size());
}

void ProgramGraph::note_held_back(StateNumber state, const GlobalState& at) {
  for (std::size_t t = 0; t < threads(); ++t) {
    const ComponentId component = at.components[t];
    const bool full = system_.view(t).bounded(component);
    const bool lost = (monitor_.flags(t, component) & Monitor::kCut) != 0;
    if (full || lost || monitor_.can_halt(t, component, at.memory))
      held_back_.emplace_back(state, static_cast<Mover>(t));
    bounded_ = bounded_ || full;
    cut_ = cut_ || lost;
  }
}

bool ProgramGraph::held_back(StateNumber state, Mover mover) const {
  const auto [begin, end] = std::equal_range(held_back_.begin(), held_back_.end(), std::pair{state, mover},
                                             [](const auto& a, const auto& b) { return a.first < b.first; });
  return std::any_of(begin, end, [&](const auto& entry) { return entry.second == mover; });
}

bool ProgramGraph::stuck(StateNumber state, std::size_t store) {
  const std::size_t thread = storing_threads_[store];
  const ComponentId component(rows_[std::size_t{state} * width_ + thread]);
  if (system_.view(thread).buffer(component) == StoreBuffers::kEmptyBuffer) return false;
  return std::ranges::none_of(successors(state), [&](const Transition& transition) {
    const bool leaves = transition.event != kNoEvent && transition.event % 2 == 1;
    return leaves && storing_threads_[transition.event / 2] == thread;
  });
}

bool ProgramGraph::at(StateNumber state, const std::vector<ThreadLocation>& places) {
  return std::ranges::any_of(places, [&](const ThreadLocation& place) {
    ThreadView& view = system_.view(place.thread.index());
    const ComponentId component(rows_[std::size_t{state} * width_ + place.thread.index()]);
    return view.automaton().location(view.local(component)) == place.location;
  });
}

std::string ProgramGraph::left_out() {
  if (cut_) return "a thread's local computation was too long to be followed";
  if (const EdgeId edge = monitor_.gave_up()) return what_is_left_out(observed_, edge).message;
  if (system_.memory().mixed_sizes()) return "memory is accessed with different sizes";
  return {};
}

StepRecord ProgramGraph::record(StateNumber state, const Transition& transition) {
  const GlobalState at = global(state);
  std::optional<StepRecord> found;
  system_.successors(at, [&](std::size_t t, const Move& move) {
    if (found || move.fails || mover(t, *move.step) != transition.mover) return;
    GlobalState next = at;
    next.components[t] = move.component;
    next.memory = move.memory;
    if (number(next) != transition.target) return;
    found = StepRecord{t, at.components[t], at.memory, *move.step, move.outcome, false, move.value};
  });
  WEIR_CHECK(found.has_value(), "what could happen once can happen again");
  return *found;
}

}  // namespace weir::fairness
