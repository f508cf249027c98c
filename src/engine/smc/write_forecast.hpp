// What threads may still write, for explorations that want to know whether a step that must read something
// newer can ever do so.
//
// A forecast is the least fixpoint of this: a thread reads any value that its cell has in the graph, or that
// somebody may still write there; it goes on, and what it writes on its way may be written. A step that must
// read something newer reads only what is new to it. Orders are not looked at, nor what is read together. So
// everything that can happen is forecast, and more.
//
// A thread is seen only where it reads or chooses: at *points*. From a point, one value leads to the next
// point; what is written in between is remembered with it. So a forecast is a walk in a graph that is
// unfolded once, over sets of values that are words of bits. It costs one look-up for each point and value
// that can come together.
//
// It is given up (everything may be written) if that is too much, and in programs that allocate or use the
// global lock: to execute a step with values that do not belong together could touch a block with a size
// that it has not, or get stuck with the lock, and ThreadSteps would remember that.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "engine/smc/thread_steps.hpp"

namespace weir {

class WriteForecast {
 public:
  using PointId = std::uint32_t;

  struct Write {
    std::uint32_t cell = 0;
    std::uint32_t value = 0;  // its number among those of the cell

    template <class Archive>
    void transfer(Archive& archive) {
      archive(cell, value);
    }
  };

  // A step that must read something newer from the cell, if somebody else writes it.
  struct Need {
    std::size_t thread = 0;
    std::uint32_t cell = 0;
  };

  explicit WriteForecast(ThreadSteps& steps);

  // False if there are no forecasts for this program.
  bool works() const { return works_; }

  // How many steps were executed for that. Each changes what ThreadSteps says of the last one.
  std::uint64_t executed() const { return executed_; }

  // --- Points

  // Where the thread is when it comes to this state. (What it writes until it reads is not forecast.)
  PointId point(std::size_t thread, StateId state);
  // Where it is after it has read, or chosen, the value at a point.
  PointId after(PointId point, Value value) { return outcomes_[outcome(point, value)].next; }
  // What it has written since.
  std::span<const Write> written_after(PointId point, Value value) {
    return writes_of(outcomes_[outcome(point, value)]);
  }

  // --- A forecast

  void begin();
  // The thread is at this point.
  void add_thread(PointId point);
  // … and must read there one of these values, or what others write.
  void add_stale_thread(PointId point, std::span<const Value> fresh);
  // The thread has just written this.
  void add_writes(std::size_t thread, std::span<const Write> writes);

  // Can each need be met by somebody else's write? `held(cell, use)` is to call `use(value)` for each value
  // that the cell has in the graph.
  template <class Held>
  bool can_meet(std::span<const Need> needs, Held&& held);

  // After a forecast with a need that cannot be met: calls `use(thread, cell)` for all that may be written,
  // and `updates(thread, cell)` where a thread may come to a read-modify-write.
  template <class Use, class Updates>
  void for_each_write(Use&& use, Updates&& updates) const;

  // See base/archive.hpp. Between two forecasts.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(works_, points_, outcomes_, writes_, points_by_state_, values_, reached_in_, question_,
            executed_);
  }

 private:
  using Mask = std::uint64_t;  // values of a cell, or threads

  static constexpr std::uint32_t kMostValues = 64;
  static constexpr std::size_t kMostOutcomes = 1u << 16;
  // Of a value at a point, in one forecast; more if there are many threads.
  static constexpr std::size_t kMostTries = 64, kMostTriesPerThread = 8;
  static constexpr std::uint32_t kUnknownOutcome = 0;
  static constexpr PointId kUnknownPoint = 0, kEndPoint = 1;

  struct Point {
    enum class Kind : std::uint8_t { kUnknown, kEnd, kReads, kChooses };

    Kind kind = Kind::kEnd;
    bool updates = false;  // by a single read-modify-write
    std::uint32_t thread = 0;
    std::uint32_t cell = 0;  // chooses: among how many
    StateId state;
    std::uint32_t action = kNone;  // none: it is to be chosen
    std::vector<Value> answers;    // to what the step has asked before
    std::vector<std::uint32_t> outcomes;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(kind, updates, thread, cell, state, action, answers, outcomes);
    }
  };

  // What a value leads to.
  struct Outcome {
    PointId next = kUnknownPoint;
    std::uint32_t first = 0, count = 0;  // writes

    template <class Archive>
    void transfer(Archive& archive) {
      archive(next, first, count);
    }
  };

  // A point that a thread may come to.
  struct Reached {
    PointId point = 0;
    bool starts = false;  // it is there now
    bool stale = false;
    Mask fresh = 0;  // if it is stale: of what is in the graph
    Mask tried = 0;
  };

  struct CellForecast {
    std::uint64_t question = 0;  // for which the rest holds
    bool knows_held = false;
    Mask held = 0;     // in the graph
    Mask written = 0;  // just now
    Mask future = 0;
    Mask writers = 0;  // threads that have just written, or may
  };

  std::span<const Write> writes_of(const Outcome& outcome) const {
    return std::span(writes_).subspan(outcome.first, outcome.count);
  }

  std::uint32_t number_of(std::uint32_t cell, Value value);
  std::uint32_t outcome(PointId point, Value value);
  std::uint32_t outcome_by_number(PointId point, std::uint32_t number);
  std::uint32_t execute(PointId point, Value value);
  PointId arrive(std::size_t thread, StateId state);
  PointId add_point(Point point);
  PointId point_of_state(Point::Kind kind, std::size_t thread, StateId state, std::uint32_t cell,
                         std::uint32_t action);
  void collect_writes();

  CellForecast& cell(std::uint32_t c) {
    if (c >= cells_.size()) cells_.resize(c + 1);
    if (cells_[c].question != question_) cells_[c] = {.question = question_};
    return cells_[c];
  }
  Mask mask_of(std::uint32_t c, Value value);
  void reach(PointId point);
  template <class Held>
  Mask possible(const Reached& reached, Held& held);
  void try_values(PointId point, Mask values);
  void note_write(std::size_t thread, const Write& write, Mask CellForecast::*when);
  bool are_met(std::span<const Need> needs);

  ThreadSteps& steps_;
  bool works_ = true;
  std::vector<Point> points_;
  std::vector<Outcome> outcomes_;
  std::vector<Write> writes_;                          // of outcomes
  std::vector<std::vector<PointId>> points_by_state_;  // by thread
  std::vector<std::vector<Value>> values_;             // by cell, numbered
  std::vector<CellForecast> cells_;
  std::vector<std::uint64_t> reached_in_;  // by point: the last question in which it was reached
  std::vector<Reached> reached_;
  std::uint64_t question_ = 0;
  std::uint64_t executed_ = 0;
  std::size_t tries_ = 0;  // left
  bool given_up_ = false;
};

template <class Held>
WriteForecast::Mask WriteForecast::possible(const Reached& reached, Held& held) {
  const Point& point = points_[reached.point];
  if (point.kind == Point::Kind::kChooses) return point.cell < 64 ? (Mask{1} << point.cell) - 1 : ~Mask{0};
  CellForecast& info = cell(point.cell);
  const bool others_write = (info.writers & ~(Mask{1} << point.thread)) != 0;
  const Mask future = others_write || !reached.starts ? info.future : 0;
  if (reached.stale) return reached.fresh | future | (others_write ? info.written : 0);
  if (!info.knows_held) {
    held(point.cell, [&](Value value) { info.held |= mask_of(point.cell, value); });
    info.knows_held = true;
  }
  return info.held | info.written | future;
}

template <class Held>
bool WriteForecast::can_meet(std::span<const Need> needs, Held&& held) {
  for (bool changed = true; changed;) {
    if (given_up_ || are_met(needs)) return true;
    changed = false;
    for (std::size_t i = 0; i < reached_.size() && !given_up_; ++i) {
      const Mask fresh = possible(reached_[i], held) & ~reached_[i].tried;
      if (fresh == 0) continue;
      changed = true;
      reached_[i].tried |= fresh;
      try_values(reached_[i].point, fresh);
    }
  }
  return given_up_;
}

template <class Use, class Updates>
void WriteForecast::for_each_write(Use&& use, Updates&& updates) const {
  for (std::uint32_t c = 0; c < cells_.size(); ++c)
    if (cells_[c].question == question_)
      for (Mask rest = cells_[c].writers; rest != 0; rest &= rest - 1)
        use(static_cast<std::size_t>(std::countr_zero(rest)), c);
  for (const Reached& each : reached_)
    if (const Point& point = points_[each.point]; point.updates) updates(point.thread, point.cell);
}

}  // namespace weir
