// All executions of a program up to an equivalence that looks at values, at most one of each class:
// reads-value-from (RVF-SMC [Toman21, Algorithm 4.2]) and, with a root thread, value-centric (VC-DPOR
// [Toman21, Algorithms 3.5 to 3.7]) and data-centric [Chalupa17], under SC, TSO and PSO.
//
// A graph is extended by all steps that read nothing. Then every thread is at its end, waits, or comes to a
// step that reads: it is *enabled*. One after the other, the enabled steps are *mutated*: such a step is
// added once for each value that it can read from what is in the graph, with all writes of this value as good
// ones (see good_writes_graph.hpp). When a step has been tried with everything that is in the graph now, this
// is noted, and in what follows it must read something newer. So nothing is met twice. In every execution,
// the first of the enabled steps reads from what is there. So nothing is missed.
//
// Often a step cannot read anything newer, and then there is no need to mutate another one. *Signals* tell
// that: while a step is followed, somebody must have added a write to what it reads. This is Lemma 4.1; we
// need more signals than it says, because a step can do more than a load. docs/values.md has the proofs.
//   - A read-modify-write can take away what the other thread's read-modify-write of the cell needs in order
//     to come to its write. So one that is enabled counts as a new write for another that is followed.
//   - A step that accesses several cells (an atomic block) may come to its write only in an order in which
//     the step that is followed cannot come first. So what it would write, with any values that are in the
//     graph, counts as soon as it is enabled.
//   - A step that waits, with a value that can stay in memory for ever, need not be executed at all.
//
// A step that must read something newer may never find it. write_forecast.hpp says what threads may still
// write, with values; where a step would wait in vain, nothing is followed. What might have been written
// there counts as a signal nevertheless.
//
// With a root, all conflicting accesses of the other threads are ordered as soon as they are in the graph,
// each way that is possible (see leaf_order.hpp); and a read of the root tells writes of the root from those
// of others.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/archive.hpp"
#include "base/context.hpp"
#include "engine/smc/ending.hpp"
#include "engine/smc/followed_steps.hpp"
#include "engine/smc/good_writes_graph.hpp"
#include "engine/smc/graph_steps.hpp"
#include "engine/smc/leaf_order.hpp"
#include "engine/smc/released_memory.hpp"
#include "engine/smc/write_forecast.hpp"

namespace weir {

// What tells two executions apart, apart from the values.
struct ValueEquivalence {
  bool by_source = false;    // which write each read reads from
  std::size_t root = kNone;  // how the conflicting accesses of all threads but this are ordered
};

template <std::size_t Words>
class MutationExploration {
 public:
  using Graph = GoodWritesGraph<Words>;
  using Set = typename Graph::Set;

  // Told of every complete execution; false ends the exploration.
  using Visitor = std::function<bool(const Graph&, const Ending&)>;

  MutationExploration(ThreadSteps& steps, Model model, ValueEquivalence equivalence,
                      const ValueHeuristics& heuristics, Context& context, Visitor visitor)
      : steps_(steps),
        model_(model),
        equivalence_(equivalence),
        heuristics_(heuristics),
        context_(context),
        visitor_(std::move(visitor)),
        forecast_(steps) {}

  void run() {
    if (begin()) visit(0);
  }

  // All that `run` knows, in `pause` or before `run`. Reading it does not bring the graphs back: `run` then
  // takes the same way down once more, to where the exploration was.
  template <class Archive>
  void transfer(Archive& archive) {
    Position here;
    if constexpr (!Archive::kReads) here = position();
    archive(forecast_, signalled_, cut, halts, here);
    if constexpr (Archive::kReads) repeated_ = std::move(here);
  }

  ExplorationCounts counts;
  std::function<bool()> asked_to_stop;  // asked now and then
  std::function<void()> pause;          // called now and then, if set, and before it stops because of a limit
  bool overflowed = false;              // the graph has more nodes than bits
  bool cut = false;                     // a local run was cut
  std::vector<EdgeId> halts;            // instructions met that end everything

 private:
  using Good = typename Graph::Good;
  using End = typename Graph::End;

  // What a thread does next.
  struct Next {
    enum class Kind : std::uint8_t { kEnded, kStuck, kChoice, kReads };

    Kind kind = Kind::kEnded;
    bool block = false;   // accesses more than one cell, perhaps
    bool writes = false;  // a read-modify-write
    bool may_wait = false;
    bool waits = false;     // it can be left waiting, with what it was tried with so far
    std::uint8_t rank = 0;  // those with a lower one are mutated first
    std::uint32_t cell = kNone;
    WriteForecast::PointId point = 0;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(kind, block, writes, may_wait, waits, rank, cell, point);
    }
  };

  // One answer to what a step asks for.
  struct Answer {
    std::uint32_t cell = 0;
    Value value = 0;
    Good good;
    NodeId example = kInitial;  // one of the good writes; of a choice: which
    bool own_side = false;      // reads of the root: from the root
  };

  // What is in the graph, and what has been done with it.
  struct Place {
    Graph graph;
    std::vector<Next> next;               // by thread
    std::vector<std::optional<Set>> met;  // what was there when the thread's next step was mutated
    std::vector<std::size_t> enabled;     // threads
    std::vector<Answer> answers;          // to what the step that is being mutated asks for
  };

  // The ways in which a step waits with what memory can hold in the end.
  struct Wait {
    std::vector<End> ends;
    bool polls = false;
  };

  struct Mutation {
    std::size_t depth, thread;
    std::vector<Answer>& answers;
    bool last;                 // nothing else is mutated after that
    bool waits = false;        // it can wait for ever
    std::size_t children = 0;  // graphs followed
    bool consumes = false;     // the graph is not needed any more
  };

  // --- Where the exploration is, for checkpoints

  // Which branch it has taken at one depth, and what it knew of those before.
  struct Level {
    enum class Kind : std::uint8_t { kOrder, kChoice, kMutation };

    Kind kind = Kind::kOrder;
    std::uint32_t branch = 0;            // which order, which choice, or which of the enabled steps
    std::vector<std::uint32_t> answers;  // of a mutation: by number
    const Mutation* mutation = nullptr;

    // Of what is saved only.
    bool waits = false;
    std::uint64_t children = 0;
    std::vector<Next> next;
    std::vector<std::optional<Set>> met;
    std::vector<std::size_t> enabled;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(kind, branch, answers, waits, children, next, met, enabled);
    }
  };
  struct Position {
    std::vector<Level> levels;
    FollowedSteps followed;
    ExplorationCounts counts;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(levels, followed, counts);
    }
  };

  Position position() const {
    Position here{
        {levels_.begin(), levels_.begin() + static_cast<std::ptrdiff_t>(depth_)}, followed_, counts};
    --here.counts.graphs;  // the one that is being visited will be visited again
    for (std::size_t depth = 0; depth < depth_; ++depth) {
      Level& level = here.levels[depth];
      if (level.kind != Level::Kind::kMutation) continue;
      level.waits = level.mutation->waits;
      level.children = level.mutation->children;
      level.next = places_[depth]->next;
      level.met = places_[depth]->met;
      level.enabled = places_[depth]->enabled;
    }
    return here;
  }

  // Is the way down to a checkpoint taken once more?
  bool repeats() const { return repeated_.has_value(); }

  // The branch to begin with at this depth.
  std::uint32_t first_branch(std::size_t depth, typename Level::Kind kind) const {
    if (!repeats()) return 0;
    if (repeated_->levels[depth].kind != kind) throw ArchiveError("a graph goes on in another way");
    return repeated_->levels[depth].branch;
  }

  Level& note_branch(std::size_t depth, typename Level::Kind kind, std::uint32_t branch) {
    if (depth >= levels_.size()) levels_.resize(depth + 1);
    levels_[depth].kind = kind;
    levels_[depth].branch = branch;
    return levels_[depth];
  }

  // The number of the answer to begin with.
  std::uint32_t first_answer(const Mutation& mutation) const {
    if (!repeats()) return 0;
    const std::vector<std::uint32_t>& known = repeated_->levels[mutation.depth].answers;
    if (mutation.answers.size() >= known.size()) throw ArchiveError("a step asks for more than it did");
    return known[mutation.answers.size()];
  }

  // The graph at this depth is the one that was to be visited next.
  void end_repetition() {
    followed_ = std::move(repeated_->followed);
    counts = repeated_->counts;
    repeated_.reset();
  }

  Place& place(std::size_t depth) {
    if (depth == places_.size()) places_.push_back(std::make_unique<Place>());
    return *places_[depth];
  }

  // A copy of what is at this depth, one level below.
  Place& copy_below(std::size_t depth) {
    Place& child = place(depth + 1);
    const Place& here = place(depth);
    child.graph = here.graph;
    child.next = here.next;
    child.met = here.met;
    return child;
  }

  bool is_full(const Graph& g) {
    if (g.full()) overflowed = stopped_ = true;
    return overflowed;
  }

  // The graph with all that reads nothing; false if that is too much.
  bool begin() {
    Place& first = place(0);
    first.graph = Graph();
    first.graph.reset(steps_.thread_count(), model_);
    first.met.assign(steps_.thread_count(), std::nullopt);
    first.next.assign(steps_.thread_count(), {});
    signalled_.resize(steps_.thread_count());
    for (std::size_t t = 0; t < steps_.thread_count(); ++t)
      if (!extend(first, t)) return false;
    return true;
  }

  // --- One graph

  void visit(std::size_t depth) {
    if (repeats() && depth == repeated_->levels.size()) end_repetition();
    const bool again = repeats();
    if (!again) {
      depth_ = depth;
      if ((++counts.graphs & 0x3FF) == 0) poll();
    }
    Place& here = place(depth);
    if (const auto pair = find_unordered(here.graph))
      return order_both_ways(depth, pair->first, pair->second);
    for (std::size_t t = 0; t < here.next.size(); ++t)
      if (here.next[t].kind == Next::Kind::kChoice) return choose(depth, t);
    for (std::size_t t = 0; t < here.next.size() && !again; ++t) note_enabled(here, t);
    if (!mutate_enabled(depth) || stopped_) return;
    end(here);
  }

  // Mutates one enabled step after the other. False if the graph cannot end here.
  bool mutate_enabled(std::size_t depth) {
    Place& here = place(depth);
    const std::uint32_t first = first_branch(depth, Level::Kind::kMutation);
    if (repeats())
      restore(here, repeated_->levels[depth]);
    else
      collect_enabled(here);
    for (std::size_t i = first; i < here.enabled.size() && !stopped_; ++i) {
      const std::size_t t = here.enabled[i];
      if (!has_fresh_source(here, t)) continue;
      note_branch(depth, Level::Kind::kMutation, static_cast<std::uint32_t>(i));
      const bool last =
          std::none_of(here.enabled.begin() + static_cast<std::ptrdiff_t>(i) + 1, here.enabled.end(),
                       [&](std::size_t other) { return has_fresh_source(here, other); });
      if (!mutate(depth, t, last)) return false;
      if (last) break;
      here.met[t] = here.graph.alive();
      if (is_sterile(here, nullptr)) {
        note_forecast();
        ++counts.dead;
        return false;
      }
    }
    return std::ranges::all_of(here.enabled, [&](std::size_t t) { return here.next[t].waits; });
  }

  static void restore(Place& here, const Level& level) {
    if (level.next.size() != here.next.size() || level.met.size() != here.met.size())
      throw ArchiveError("there are not as many threads");
    here.next = level.next;
    here.met = level.met;
    here.enabled = level.enabled;
    for (const std::size_t t : here.enabled)
      if (t >= here.next.size()) throw ArchiveError("there is no such thread");
  }

  // The later a step is mutated, the more writes of one value are good for it together. So first come those
  // with which there is hope that nothing else needs to be mutated: blocks with one source only, by which
  // threads are created, start and end; then steps that have never had a signal. Last come those that were
  // tried before.
  void collect_enabled(Place& here) {
    here.enabled.clear();
    for (std::size_t t = 0; t < here.next.size(); ++t) {
      Next& next = here.next[t];
      if (next.kind != Next::Kind::kReads) continue;
      next.rank = rank(here, t);
      const auto goes_before = [&](std::size_t other) { return next.rank < here.next[other].rank; };
      here.enabled.insert(std::ranges::find_if(here.enabled, goes_before), t);
    }
  }

  std::uint8_t rank(const Place& here, std::size_t t) {
    const Next& next = here.next[t];
    if (here.met[t]) return 3;
    if (next.block && has_one_source(here, t)) return 0;
    return signalled_[t].contains(state_of(here.graph, steps_, t)) ? 2 : 1;
  }

  // Is there one write only with which the step can go on? (Of several reads: the first.)
  bool has_one_source(const Place& here, std::size_t t) {
    if (here.next[t].cell == kNone) return false;
    std::size_t sources = 0;
    with_each_answer(here, t, here.next[t].cell, /*all=*/false, [&](const Answer& each, bool) {
      if (run_next(here, t, {each}).kind != StepResult::Kind::kBlocked)
        sources += each.good.writes.count() + (each.good.initial ? 1 : 0);
    });
    return sources == 1;
  }

  // True if there is a need to mutate another step too. `last`: there is none.
  bool mutate(std::size_t depth, std::size_t t, bool last) {
    const bool tried = place(depth).met[t].has_value();
    const StateId state = state_of(place(depth).graph, steps_, t);
    const bool sure = tried || !heuristics_.signals;
    followed_.push(t, sure);
    Mutation mutation{depth, t, place(depth).answers, last && !place(depth).next[t].block};
    mutation.answers.clear();
    if (repeats()) {
      mutation.waits = repeated_->levels[depth].waits;
      mutation.children = repeated_->levels[depth].children;
    }
    levels_[depth].mutation = &mutation;
    levels_[depth].answers.clear();
    answer(mutation);
    place(depth).next[t].waits |= mutation.waits;
    const bool signal = followed_.pop();
    if (signal && !sure) {
      ++counts.signals;
      signalled_[t].insert(state);
    }
    return signal || mutation.waits || mutation.children == 0;
  }

  // Executes the step with the answers given so far, and gives the next one in all ways.
  void answer(Mutation& mutation) {
    if (stopped_) return;
    Place& here = place(mutation.depth);
    const StepResult result = run_next(here, mutation.thread, mutation.answers);
    const bool asks = result.kind == StepResult::Kind::kReads || result.kind == StepResult::Kind::kChooses;
    const std::uint32_t first = asks ? first_answer(mutation) : 0;
    switch (result.kind) {
      case StepResult::Kind::kReads: {
        std::uint32_t number = 0;
        with_each_answer(here, mutation.thread, result.cell, /*all=*/false,
                         [&](const Answer& each, bool last) {
                           if (number++ < first) return;
                           const bool may_end = mutation.waits || here.next[mutation.thread].waits;
                           mutation.consumes = last && mutation.last && !may_end;
                           answer_with(mutation, each, number - 1);
                         });
        break;
      }
      case StepResult::Kind::kChooses:
        for (std::uint32_t i = first; i < result.choices; ++i)
          answer_with(mutation, {.cell = kChoiceCell, .value = static_cast<Value>(i), .example = i}, i);
        break;
      case StepResult::Kind::kBlocked: mutation.waits |= can_stay(here, mutation.answers); break;
      case StepResult::Kind::kEnds:
        if (polls(here, mutation.thread, result.state)) {
          mutation.waits |= can_stay(here, mutation.answers);
          break;
        }
        [[fallthrough]];
      case StepResult::Kind::kFails:
      case StepResult::Kind::kHalts: follow(mutation, result); break;
    }
  }

  // … and goes on with this answer, the next one by its number.
  void answer_with(Mutation& mutation, const Answer& given, std::uint32_t number) {
    mutation.answers.push_back(given);
    levels_[mutation.depth].answers.push_back(number);
    answer(mutation);
    levels_[mutation.depth].answers.pop_back();
    mutation.answers.pop_back();
  }

  // Goes on with the step, which was just run.
  void follow(Mutation& mutation, const StepResult& result) {
    Place& here = place(mutation.depth);
    Place& child = place(mutation.depth + 1);
    const std::size_t t = mutation.thread;
    const bool again = repeats();
    if (!again && !is_promising(here, mutation)) {
      ++counts.dead;
      return;
    }
    if (is_full(here.graph)) return;
    child.next = here.next;
    child.met = here.met;
    child.met[t].reset();
    if (mutation.consumes)
      std::swap(child.graph, here.graph);
    else
      child.graph = here.graph;
    Graph& g = child.graph;
    const NodeId id = add_node(g, steps_, t, next_action(g, steps_, t));
    for (const Answer& each : mutation.answers) g.add_good_read(id, each.cell, each.good, each.example);
    if (here.met[t] && here.next[t].block) g.demand_fresh(id, *here.met[t]);
    record(g, id, result);
    if (!g.settle(id, heuristics_)) {
      if (again) throw ArchiveError("a graph that was possible is not");
      ++counts.dead;
      return;
    }
    if (!again) ++mutation.children;
    followed_.set_last(mutation.answers, g.node(id).writes > 0);
    note_writes(g, id);
    if (extend(child, t)) visit(mutation.depth + 1);
  }

  // Can something come of the step, which was just run? If not, it has given its signals.
  bool is_promising(const Place& here, const Mutation& mutation) {
    if (!reads_something_newer(here, mutation)) return false;
    const bool writes = !steps_.written().empty();
    const std::uint64_t executed = forecast_.executed();
    if (is_sterile(here, &mutation)) {
      followed_.set_last(mutation.answers, writes);
      note_forecast();
      return false;
    }
    if (forecast_.executed() != executed) run_next(here, mutation.thread, mutation.answers);
    return true;
  }

  // Is one of the answers to a stale step new to it? (Where there is one answer only, others are not
  // offered.)
  bool reads_something_newer(const Place& here, const Mutation& mutation) const {
    const std::optional<Set>& met = here.met[mutation.thread];
    return !met || std::ranges::any_of(mutation.answers,
                                       [&](const Answer& each) { return !met->contains(each.good.writes); });
  }

  // Is it certain that some stale step will never find anything newer? `step`, if there is one, is taken
  // before.
  bool is_sterile(const Place& here, const Mutation* step) {
    if (!forecast_.works()) return false;
    const auto stays = [&](std::size_t t) { return step == nullptr || t != step->thread; };
    needs_.clear();
    for (const std::size_t t : here.enabled)
      if (stays(t) && is_hopeless(here, t)) needs_.push_back({t, here.next[t].cell});
    if (needs_.empty()) return false;
    forecast_.begin();
    if (step != nullptr) forecast_step(here, *step);
    for (const std::size_t t : here.enabled)
      if (stays(t)) forecast_thread(here, t);
    return !forecast_.can_meet(needs_, [&](std::uint32_t c, auto&& use) {
      use(steps_.initial_value(c));
      const Graph& g = here.graph;
      for (std::uint32_t w = g.cell(c).first; w != kNone; w = g.write(w).next) use(g.write(w).value);
    });
  }

  void forecast_step(const Place& here, const Mutation& step) {
    WriteForecast::PointId point = here.next[step.thread].point;
    for (const Answer& each : step.answers) {
      forecast_.add_writes(step.thread, forecast_.written_after(point, each.value));
      point = forecast_.after(point, each.value);
    }
    forecast_.add_thread(point);
  }

  void forecast_thread(const Place& here, std::size_t t) {
    const Next& next = here.next[t];
    if (!here.met[t] || next.block) return forecast_.add_thread(next.point);
    fresh_values_.clear();
    const Graph& g = here.graph;
    for (std::uint32_t w = g.cell(next.cell).first; w != kNone; w = g.write(w).next)
      if (!here.met[t]->test(g.write(w).node)) fresh_values_.push_back(g.write(w).value);
    forecast_.add_stale_thread(next.point, fresh_values_);
  }

  // What will not be visited counts as if it had been: who might have written something there?
  void note_forecast() {
    forecast_.for_each_write([&](std::size_t t, std::uint32_t cell) { followed_.note_write(t, cell); },
                             [&](std::size_t t, std::uint32_t cell) { followed_.note_update(t, cell); });
  }

  // Must the next step of the thread still be executed, but has nothing that it was not tried with?
  bool is_hopeless(const Place& here, std::size_t t) const {
    return !here.next[t].may_wait && !here.next[t].waits && !has_fresh_source(here, t);
  }

  bool has_fresh_source(const Place& here, std::size_t t) const {
    const Next& next = here.next[t];
    if (!here.met[t] || next.block) return true;
    return !here.met[t]->contains(here.graph.cell(next.cell).writers);
  }

  // --- Steps

  StepResult run_next(const Place& here, std::size_t t, const std::vector<Answer>& answers) {
    const StateId state = state_of(here.graph, steps_, t);
    return steps_.run(t, state, next_action(here.graph, steps_, t),
                      [&](std::uint32_t i, std::uint32_t, Value& value) {
                        if (i >= answers.size()) return false;
                        value = answers[i].value;
                        return true;
                      });
  }

  // What the step that was just run has done.
  void record(Graph& g, NodeId id, const StepResult& result) {
    GraphNode& n = g.node(id);
    for (const std::uint32_t status : steps_.accessed_blocks()) g.note_touch(id, status);
    switch (result.kind) {
      case StepResult::Kind::kFails:
        n.status = NodeStatus::kFailed;
        n.failure = result.failure;
        return;
      case StepResult::Kind::kHalts:
        n.status = steps_.status_of_halt(result.edge);
        note_halt(result.edge);
        return;
      default: break;
    }
    n.status = NodeStatus::kDone;
    n.inner = result.state;
    for (const ThreadSteps::Written& write : steps_.written())
      g.append_write(id, write.cell, write.value, write.read_back);
  }

  // Lets the thread go on until it comes to something that it must read or choose. False if the graph is not
  // worth going on with.
  bool extend(Place& here, std::size_t t) {
    Graph& g = here.graph;
    for (;;) {
      if (!can_start(g, steps_, t)) return note_end(here, t);
      const std::uint32_t action = next_action(g, steps_, t);
      if (action == kNone) return here.next[t] = {.kind = Next::Kind::kChoice}, true;
      const StepResult result = run_next(here, t, {});
      if (result.kind == StepResult::Kind::kBlocked) return here.next[t] = {.kind = Next::Kind::kStuck}, true;
      if (result.kind == StepResult::Kind::kReads || result.kind == StepResult::Kind::kChooses)
        return note_reads(here, t, action, result), true;
      if (is_full(g)) return false;
      const NodeId id = add_node(g, steps_, t, action);
      record(g, id, result);
      g.append(id);
      note_writes(g, id);
    }
  }

  bool note_end(Place& here, std::size_t t) {
    here.next[t] = {.kind = Next::Kind::kEnded};
    const StateId state = state_of(here.graph, steps_, t);
    if (steps_.automaton(t).cut(state)) cut = true;
    if (const Action* halt = steps_.halt_at(t, state)) note_halt(halt->edge);
    return true;
  }

  void note_halt(EdgeId edge) {
    if (std::ranges::find(halts, edge) == halts.end()) halts.push_back(edge);
  }

  void note_reads(Place& here, std::size_t t, std::uint32_t index, const StepResult& result) {
    const WriteForecast::PointId point = point_of(here.graph, t, index);
    const Action& action = steps_.automaton(t).actions(state_of(here.graph, steps_, t))[index];
    const bool single = action.kind == ActionKind::kLoad || action.kind == ActionKind::kRmw;
    here.next[t] = {Next::Kind::kReads,
                    !single,
                    action.kind != ActionKind::kLoad,
                    action.waits,
                    false,
                    0,
                    result.kind == StepResult::Kind::kReads ? result.cell : kNone,
                    point};
  }

  WriteForecast::PointId point_of(const Graph& g, std::size_t t, std::uint32_t action) {
    if (!forecast_.works()) return {};
    const StateId state = state_of(g, steps_, t);
    const WriteForecast::PointId point = forecast_.point(t, state);
    const bool chosen = steps_.automaton(t).actions(state).size() > 1;
    return chosen ? forecast_.after(point, static_cast<Value>(action)) : point;
  }

  bool polls(const Place& here, std::size_t t, StateId state) {
    return static_cast<bool>(polled_state(here, t, state));
  }

  // Would the thread, in this state, come back to where it was without having changed anything? The state
  // that it comes back to; none if it would not.
  StateId polled_state(const Place& here, std::size_t t, StateId state) {
    if (steps_.changes_memory()) return StateId::none();
    constexpr int kMostSteps = 1000;  // a loop of fences alone is no waiting
    for (int i = 0; i < kMostSteps; ++i) {
      if (comes_back(here.graph, steps_, t, state)) return state;
      const std::span<const Action> actions = steps_.automaton(t).actions(state);
      const bool silent = actions.size() == 1 &&
                          (actions[0].kind == ActionKind::kFence || actions[0].kind == ActionKind::kInternal);
      if (!silent) return StateId::none();
      state = steps_.automaton(t).successor(state, 0, 0);
    }
    return StateId::none();
  }

  // Calls `use(answer, last)` for each value that the thread's next step can read from the cell; `all`: even
  // if it was tried with that.
  template <class Use>
  void with_each_answer(const Place& here, std::size_t t, std::uint32_t c, bool all, Use&& use) {
    const Graph& g = here.graph;
    const StateId state = state_of(g, steps_, t);
    const std::uint32_t action = next_action(g, steps_, t);
    const Set before =
        g.before_next(t, steps_.offer(t, state, action).roles, steps_.written_cell(t, state, action));
    const NodeId own = g.latest_own_write(t, c);
    const Set* met = !all && here.met[t] && !here.next[t].block ? &*here.met[t] : nullptr;
    const std::size_t begin = offered_.size();
    if (met == nullptr && g.visible(before, own, c, kInitial)) offer(begin, g, t, c, kInitial);
    for (std::uint32_t w = g.cell(c).first; w != kNone; w = g.write(w).next) {
      const NodeId source = g.write(w).node;
      if ((met == nullptr || !met->test(source)) && g.visible(before, own, c, source))
        offer(begin, g, t, c, source);
    }
    const std::size_t end = offered_.size();
    for (std::size_t i = begin; i < end; ++i) use(Answer(offered_[i]), i + 1 == end);
    offered_.resize(begin);
  }

  void offer(std::size_t begin, const Graph& g, std::size_t t, std::uint32_t c, NodeId source) {
    const Value value = value_of(g, steps_, source, c);
    const bool own_side = t == equivalence_.root && source != kInitial && g.node(source).thread == t;
    std::size_t i = begin;
    const auto is_same = [&](const Answer& each) {
      return !equivalence_.by_source && each.value == value && each.own_side == own_side;
    };
    while (i < offered_.size() && !is_same(offered_[i])) ++i;
    if (i == offered_.size())
      offered_.push_back({.cell = c, .value = value, .example = source, .own_side = own_side});
    if (source == kInitial)
      offered_[i].good.initial = true;
    else
      offered_[i].good.writes.set(source);
  }

  // --- Signals

  // Somebody has written something new.
  void note_writes(const Graph& g, NodeId id) {
    const GraphNode& n = g.node(id);
    for (std::uint32_t w = n.first_write; w < n.first_write + n.writes; ++w)
      followed_.note_write(n.thread, g.write(w).cell);
  }

  void note_enabled(const Place& here, std::size_t t) {
    const Next& next = here.next[t];
    if (next.kind != Next::Kind::kReads || !next.writes) return;
    if (!next.block) return followed_.note_update(t, next.cell);
    if (followed_.all_have_signals()) return;
    std::vector<Answer> answers;
    note_possible_writes(here, t, answers);
  }

  // The writes of a step with any values that are in the graph.
  void note_possible_writes(const Place& here, std::size_t t, std::vector<Answer>& answers) {
    const StepResult result = run_next(here, t, answers);
    if (result.kind == StepResult::Kind::kReads) {
      const Graph& g = here.graph;
      std::vector<Value> values = {steps_.initial_value(result.cell)};
      for (std::uint32_t w = g.cell(result.cell).first; w != kNone; w = g.write(w).next)
        if (std::ranges::find(values, g.write(w).value) == values.end()) values.push_back(g.write(w).value);
      for (const Value value : values) {
        answers.push_back({.cell = result.cell, .value = value});
        note_possible_writes(here, t, answers);
        answers.pop_back();
      }
    } else if (result.kind == StepResult::Kind::kChooses) {
      for (std::uint32_t i = 0; i < result.choices; ++i) {
        answers.push_back({.cell = kChoiceCell, .value = static_cast<Value>(i)});
        note_possible_writes(here, t, answers);
        answers.pop_back();
      }
    } else if (result.kind == StepResult::Kind::kEnds) {
      for (const ThreadSteps::Written& write : steps_.written()) followed_.note_write(t, write.cell);
    }
  }

  // --- Choices

  // All executions have this choice, one way or the other.
  void choose(std::size_t depth, std::size_t t) {
    const StateId state = state_of(place(depth).graph, steps_, t);
    const auto count = static_cast<std::uint32_t>(steps_.automaton(t).actions(state).size());
    for (std::uint32_t i = first_branch(depth, Level::Kind::kChoice); i < count && !stopped_; ++i) {
      note_branch(depth, Level::Kind::kChoice, i);
      if (is_full(place(depth).graph)) return;
      Place& child = copy_below(depth);
      const NodeId id = child.graph.add_node(static_cast<std::uint32_t>(t), state, kNone, 0, kNone);
      child.graph.add_good_read(id, kChoiceCell, {}, i);
      child.graph.node(id).status = NodeStatus::kDone;
      child.graph.append(id);
      if (extend(child, t)) visit(depth + 1);
    }
  }

  // --- The order of all threads but the root

  std::optional<std::pair<NodeId, NodeId>> find_unordered(const Graph& g) const {
    if (equivalence_.root == kNone) return std::nullopt;
    const bool relaxed = heuristics_.relaxations && !equivalence_.by_source;
    return LeafOrder<Graph>(g, equivalence_.root, relaxed).find_unordered();
  }

  void order_both_ways(std::size_t depth, NodeId a, NodeId b) {
    for (std::uint32_t way = first_branch(depth, Level::Kind::kOrder); way < 2; ++way) {
      if (stopped_) return;
      note_branch(depth, Level::Kind::kOrder, way);
      const auto [first, second] = way == 0 ? std::pair(a, b) : std::pair(b, a);
      if (copy_below(depth).graph.add_order(first, second, heuristics_))
        visit(depth + 1);
      else
        ++counts.dead;
    }
  }

  // --- The end

  // Can those that are not at their end all wait for ever? Then this is an execution.
  void end(Place& here) {
    std::vector<std::vector<Wait>> waits;
    std::vector<std::size_t> unfinished_waits;  // of threads that have begun
    bool blocked = false, stuck = false;
    for (std::size_t t = 0; t < here.next.size(); ++t) {
      const Next& next = here.next[t];
      if (next.kind == Next::Kind::kReads) {
        waits.emplace_back();
        std::vector<Answer> answers;
        Mutation mutation{0, t, answers, false};
        collect_waits(here, mutation, waits.back());
        if (waits.back().empty()) return;
      }
      const StateId state = state_of(here.graph, steps_, t);
      const bool unfinished = next.kind == Next::Kind::kReads || next.kind == Next::Kind::kStuck ||
                              (next.kind == Next::Kind::kEnded && waits_at_end(here.graph, t, state));
      if (!unfinished || steps_.automaton(t).stopped(state)) continue;
      blocked = true;
      if (next.kind == Next::Kind::kReads)
        unfinished_waits.push_back(waits.size() - 1);
      else
        stuck = true;
    }
    std::vector<End> ends;
    if (find_end(here, waits, 0, /*strictly=*/true, ends))
      return complete(here, blocked, /*deadlock=*/true, false);
    if (steps_.program().properties.partial_deadlock)
      for (const std::size_t one : unfinished_waits)
        if (find_end_without_polling(here, waits, one))
          return complete(here, blocked, false, /*partial=*/true);
    if (find_end(here, waits, 0, /*strictly=*/false, ends)) return complete(here, blocked, false, stuck);
    ++counts.dead;
  }

  // … of this one; the others may poll.
  bool find_end_without_polling(Place& here, std::vector<std::vector<Wait>> waits, std::size_t one) {
    std::erase_if(waits[one], [](const Wait& wait) { return wait.polls; });
    std::vector<End> ends;
    return find_end(here, waits, 0, /*strictly=*/false, ends);
  }

  bool waits_at_end(const Graph& g, std::size_t t, StateId state) {
    if (!g.thread(t).empty()) {
      const NodeStatus status = g.node(g.thread(t).back()).status;
      if (status == NodeStatus::kFailed || ends_everything(status)) return false;
    }
    return steps_.halt_at(t, state) == nullptr;
  }

  void collect_waits(const Place& here, Mutation& mutation, std::vector<Wait>& waits) {
    const StepResult result = run_next(here, mutation.thread, mutation.answers);
    if (result.kind == StepResult::Kind::kReads) {
      with_each_answer(here, mutation.thread, result.cell, /*all=*/true, [&](const Answer& each, bool) {
        mutation.answers.push_back(each);
        collect_waits(here, mutation, waits);
        mutation.answers.pop_back();
      });
    } else if (result.kind == StepResult::Kind::kChooses) {
      mutation.answers.push_back({.cell = kChoiceCell});
      collect_waits(here, mutation, waits);
      mutation.answers.pop_back();
    } else {
      const bool blocked = result.kind == StepResult::Kind::kBlocked;
      if (!can_stay(here, mutation.answers)) return;
      Wait wait{{}, !blocked};
      if (!blocked && (result.kind != StepResult::Kind::kEnds ||
                       !add_loop(here, mutation.thread, result.state, wait.ends)))
        return;
      for (const Answer& each : mutation.answers)
        if (each.cell != kChoiceCell) wait.ends.push_back({each.cell, staying(here.graph, each)});
      waits.push_back(std::move(wait));
    }
  }

  // A thread that polls repeats the steps since it was in this state the last time, for ever: memory must
  // hold what they read. False if it cannot, or if the thread does not poll.
  bool add_loop(const Place& here, std::size_t t, StateId state, std::vector<End>& ends) {
    const StateId back = polled_state(here, t, state);
    if (!back) return false;
    const Graph& g = here.graph;
    if (state_of(g, steps_, t) == back) return true;
    const std::vector<NodeId>& order = g.thread(t);
    for (std::size_t i = order.size(); i-- > 0;) {
      const GraphNode& n = g.node(order[i]);
      for (std::uint32_t r = 0; r < n.reads; ++r) {
        const Answer again = answer_of(g, n, r);
        if (staying(g, again).empty()) return false;
        ends.push_back({again.cell, staying(g, again)});
      }
      if (n.before == back) return true;
    }
    return false;
  }

  // What the node read there, from whatever write has that value.
  Answer answer_of(const Graph& g, const GraphNode& n, std::uint32_t r) {
    const GraphRead& read = g.read(n, r);
    Answer answer{.cell = read.cell};
    const bool initially = read.source == kInitial;
    answer.value = initially ? steps_.initial_value(read.cell)
                             : g.write(g.write_of(g.node(read.source), read.cell)).value;
    answer.good.initial = answer.value == steps_.initial_value(read.cell);
    for (std::uint32_t w = g.cell(read.cell).first; w != kNone; w = g.write(w).next)
      if (g.write(w).value == answer.value) answer.good.writes.set(g.write(w).node);
    return answer;
  }

  // Can memory hold these answers in the end?
  bool can_stay(const Place& here, const std::vector<Answer>& answers) const {
    return std::ranges::all_of(answers, [&](const Answer& each) {
      return each.cell == kChoiceCell || !staying(here.graph, each).empty();
    });
  }

  // The good writes of an answer that can be the last of their cell.
  static Good staying(const Graph& g, const Answer& answer) {
    Good good{{}, answer.good.initial && !g.surely_overwritten(answer.cell, kInitial)};
    answer.good.writes.for_each([&](std::size_t source) {
      if (!g.surely_overwritten(answer.cell, static_cast<NodeId>(source))) good.writes.set(source);
    });
    return good;
  }

  // A way to wait for each thread, so that memory can end like that.
  bool find_end(Place& here, const std::vector<std::vector<Wait>>& waits, std::size_t thread, bool strictly,
                std::vector<End>& ends) {
    if (thread == waits.size()) return ends.empty() || here.graph.end_with(ends, heuristics_);
    for (const Wait& wait : waits[thread]) {
      if (strictly && wait.polls) continue;
      const std::size_t size = ends.size();
      ends.insert(ends.end(), wait.ends.begin(), wait.ends.end());
      if (find_end(here, waits, thread + 1, strictly, ends)) return true;
      ends.resize(size);
    }
    return false;
  }

  // `strictly`: nobody polls. `partial`: somebody does, and somebody else waits.
  void complete(const Place& here, bool blocked, bool strictly, bool partial) {
    Ending ending;
    ending.blocked = blocked;
    bool halted = false;
    for (const NodeId id : here.graph.order()) {
      const NodeStatus status = here.graph.node(id).status;
      halted |= ends_everything(status);
      ending.blocked |= status == NodeStatus::kUnassumed;
      ending.cut |= status == NodeStatus::kCut;
      if (status == NodeStatus::kFailed && !ending.violates()) ending.failed = id;
    }
    for (std::size_t t = 0; t < here.next.size(); ++t) {
      const Action* halt = steps_.halt_at(t, state_of(here.graph, steps_, t));
      if (halt == nullptr) continue;
      halted = true;
      ending.blocked |= steps_.is_unassumed(halt->edge);
      ending.cut |= steps_.is_cut(halt->edge);
    }
    ending.deadlock = blocked && strictly && !halted && !ending.violates();
    ending.partial = blocked && partial && !halted && !ending.violates();
    if (!ending.violates()) find_access_to_released(here.graph, steps_, ending);
    ending.cut &= !ending.violates();
    ++(ending.cut ? counts.cut : ending.blocked ? counts.blocked : counts.traces);
    if (ending.violates()) ++counts.violating;
    if (visitor_ && !visitor_(here.graph, ending)) stopped_ = true;
  }

  void poll() {
    const bool stops = context_.stopped();
    if (pause) pause();
    if (stops || (asked_to_stop && asked_to_stop())) stopped_ = true;
    if (!context_.progress_due()) return;
    context_.report_progress({.phase = std::string("explore ") + name(model_),
                              .states = counts.traces,
                              .queue = followed_.size(),
                              .unit = "executions"});
  }

  ThreadSteps& steps_;
  Model model_;
  ValueEquivalence equivalence_;
  ValueHeuristics heuristics_;
  Context& context_;
  Visitor visitor_;
  WriteForecast forecast_;
  std::vector<WriteForecast::Need> needs_;  // of the forecast
  std::vector<Value> fresh_values_;
  std::vector<std::unique_ptr<Place>> places_;  // by depth
  std::vector<Answer> offered_;                 // a stack
  FollowedSteps followed_;
  std::vector<Level> levels_;                            // by depth
  std::size_t depth_ = 0;                                // of the graph that is being visited
  std::optional<Position> repeated_;                     // where a checkpoint was, until we are there again
  std::vector<absl::flat_hash_set<StateId>> signalled_;  // by thread: where steps start that had a signal
  bool stopped_ = false;
};

}  // namespace weir
