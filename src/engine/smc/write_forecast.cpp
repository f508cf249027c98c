#include "engine/smc/write_forecast.hpp"

#include <algorithm>
#include <utility>

namespace weir {

WriteForecast::WriteForecast(ThreadSteps& steps) : steps_(steps), points_by_state_(steps.thread_count()) {
  works_ = steps.thread_count() <= 64 && steps.can_imagine();
  points_.push_back({.kind = Point::Kind::kUnknown});
  points_.push_back({.kind = Point::Kind::kEnd});
  outcomes_.push_back({kUnknownPoint, 0, 0});
}

// --- Points

WriteForecast::PointId WriteForecast::add_point(Point point) {
  if (point.kind == Point::Kind::kChooses && point.cell > kMostValues) return kUnknownPoint;
  if (point.action != kNone && point.answers.empty()) {
    const Action& action = steps_.automaton(point.thread).actions(point.state)[point.action];
    point.updates = action.kind == ActionKind::kRmw;
  }
  points_.push_back(std::move(point));
  return static_cast<PointId>(points_.size() - 1);
}

WriteForecast::PointId WriteForecast::point(std::size_t thread, StateId state) {
  const std::vector<PointId>& known = points_by_state_[thread];
  if (state.index() < known.size() && known[state.index()] != kUnknownPoint) return known[state.index()];
  const std::size_t written = writes_.size();
  const PointId found = arrive(thread, state);
  writes_.resize(written);
  return found;
}

// A point at which a step starts.
WriteForecast::PointId WriteForecast::point_of_state(Point::Kind kind, std::size_t thread, StateId state,
                                                     std::uint32_t cell, std::uint32_t action) {
  std::vector<PointId>& known = points_by_state_[thread];
  if (known.size() <= state.index()) known.resize(state.index() + 1, kUnknownPoint);
  if (known[state.index()] == kUnknownPoint)
    known[state.index()] = add_point({.kind = kind,
                                      .thread = static_cast<std::uint32_t>(thread),
                                      .cell = cell,
                                      .state = state,
                                      .action = action});
  return known[state.index()];
}

// The number of a value among those of its cell; kMostValues if there are too many.
std::uint32_t WriteForecast::number_of(std::uint32_t c, Value value) {
  if (c >= values_.size()) values_.resize(c + 1);
  std::vector<Value>& values = values_[c];
  const auto found = std::ranges::find(values, value);
  if (found == values.end() && values.size() < kMostValues) {
    values.push_back(value);
    return static_cast<std::uint32_t>(values.size() - 1);
  }
  return static_cast<std::uint32_t>(found - values.begin());
}

std::uint32_t WriteForecast::outcome(PointId point, Value value) {
  switch (points_[point].kind) {
    case Point::Kind::kUnknown:
    case Point::Kind::kEnd: return kUnknownOutcome;
    case Point::Kind::kReads: return outcome_by_number(point, number_of(points_[point].cell, value));
    case Point::Kind::kChooses: return outcome_by_number(point, static_cast<std::uint32_t>(value));
  }
  return kUnknownOutcome;
}

std::uint32_t WriteForecast::outcome_by_number(PointId point, std::uint32_t number) {
  if (number >= kMostValues) return kUnknownOutcome;
  if (points_[point].outcomes.size() <= number) points_[point].outcomes.resize(number + 1, kUnknownOutcome);
  if (const std::uint32_t known = points_[point].outcomes[number]; known != kUnknownOutcome) return known;
  if (outcomes_.size() >= kMostOutcomes) return kUnknownOutcome;
  const bool reads = points_[point].kind == Point::Kind::kReads;
  const std::uint32_t found =
      execute(point, reads ? values_[points_[point].cell][number] : static_cast<Value>(number));
  points_[point].outcomes[number] = found;
  return found;
}

// Executes the step at the point with this value, and what follows until the next point.
std::uint32_t WriteForecast::execute(PointId id, Value value) {
  Point at = points_[id];
  Outcome outcome{kEndPoint, static_cast<std::uint32_t>(writes_.size()), 0};
  if (at.action == kNone)
    at.action = static_cast<std::uint32_t>(value);
  else
    at.answers.push_back(value);
  ++executed_;
  const StepResult result =
      steps_.run(at.thread, at.state, at.action, [&](std::uint32_t i, std::uint32_t, Value& answer) {
        if (i >= at.answers.size()) return false;
        answer = at.answers[i];
        return true;
      });
  if (result.kind == StepResult::Kind::kReads || result.kind == StepResult::Kind::kChooses) {
    const bool reads = result.kind == StepResult::Kind::kReads;
    at.kind = reads ? Point::Kind::kReads : Point::Kind::kChooses;
    at.cell = reads ? result.cell : result.choices;
    at.updates = false;
    at.outcomes.clear();
    outcome.next = add_point(std::move(at));
  } else if (result.kind == StepResult::Kind::kEnds) {
    collect_writes();
    outcome.next = arrive(at.thread, result.state);
  }
  outcome.count = static_cast<std::uint32_t>(writes_.size()) - outcome.first;
  outcomes_.push_back(outcome);
  return static_cast<std::uint32_t>(outcomes_.size() - 1);
}

// Lets the thread go on until it reads or chooses.
WriteForecast::PointId WriteForecast::arrive(std::size_t thread, StateId state) {
  constexpr int kMostSteps = 1000;
  ThreadAutomaton& automaton = steps_.automaton(thread);
  for (int i = 0; i < kMostSteps; ++i) {
    const std::span<const Action> actions = automaton.actions(state);
    if (automaton.cut(state)) return kUnknownPoint;
    if (actions.empty() || steps_.halt_at(thread, state) != nullptr) return kEndPoint;
    if (actions.size() > 1)
      return point_of_state(Point::Kind::kChooses, thread, state, static_cast<std::uint32_t>(actions.size()),
                            kNone);
    ++executed_;
    const StepResult result =
        steps_.run(thread, state, 0, [](std::uint32_t, std::uint32_t, Value&) { return false; });
    switch (result.kind) {
      case StepResult::Kind::kReads:
        return point_of_state(Point::Kind::kReads, thread, state, result.cell, 0);
      case StepResult::Kind::kChooses:
        return point_of_state(Point::Kind::kChooses, thread, state, result.choices, 0);
      case StepResult::Kind::kEnds: break;
      default: return kEndPoint;
    }
    collect_writes();
    state = result.state;
  }
  return kUnknownPoint;
}

void WriteForecast::collect_writes() {
  for (const ThreadSteps::Written& write : steps_.written())
    writes_.push_back({write.cell, number_of(write.cell, write.value)});
}

// --- A forecast

void WriteForecast::begin() {
  ++question_;
  reached_.clear();
  tries_ = std::max(kMostTries, kMostTriesPerThread * steps_.thread_count());
  given_up_ = false;
}

// The thread may come back to where it starts, and can then read what it has written. So this does not count
// as reached.
void WriteForecast::add_thread(PointId point) {
  if (point == kUnknownPoint) given_up_ = true;
  if (point != kUnknownPoint && point != kEndPoint) reached_.push_back({.point = point, .starts = true});
}

void WriteForecast::add_stale_thread(PointId point, std::span<const Value> fresh) {
  add_thread(point);
  if (points_[point].kind != Point::Kind::kReads) return;
  reached_.back().stale = true;
  for (const Value value : fresh) reached_.back().fresh |= mask_of(points_[point].cell, value);
}

void WriteForecast::add_writes(std::size_t thread, std::span<const Write> writes) {
  for (const Write& write : writes) note_write(thread, write, &CellForecast::written);
}

void WriteForecast::note_write(std::size_t thread, const Write& write, Mask CellForecast::*when) {
  if (write.value >= kMostValues) given_up_ = true;
  CellForecast& info = cell(write.cell);
  info.*when |= Mask{1} << (write.value % kMostValues);
  info.writers |= Mask{1} << thread;
}

WriteForecast::Mask WriteForecast::mask_of(std::uint32_t c, Value value) {
  const std::uint32_t number = number_of(c, value);
  if (number >= kMostValues) given_up_ = true;
  return Mask{1} << (number % kMostValues);
}

void WriteForecast::reach(PointId point) {
  if (point == kUnknownPoint) given_up_ = true;
  if (point == kUnknownPoint || point == kEndPoint) return;
  if (reached_in_.size() <= point) reached_in_.resize(points_.size(), 0);
  if (std::exchange(reached_in_[point], question_) != question_) reached_.push_back({.point = point});
}

// What comes of these values at the point.
void WriteForecast::try_values(PointId point, Mask values) {
  const std::size_t thread = points_[point].thread;
  for (Mask rest = values; rest != 0 && !given_up_; rest &= rest - 1) {
    if (tries_ == 0) {
      given_up_ = true;
      return;
    }
    --tries_;
    const Outcome found =
        outcomes_[outcome_by_number(point, static_cast<std::uint32_t>(std::countr_zero(rest)))];
    for (const Write& write : writes_of(found)) note_write(thread, write, &CellForecast::future);
    reach(found.next);
  }
}

bool WriteForecast::are_met(std::span<const Need> needs) {
  return std::ranges::all_of(
      needs, [&](const Need& need) { return (cell(need.cell).writers & ~(Mask{1} << need.thread)) != 0; });
}

}  // namespace weir
