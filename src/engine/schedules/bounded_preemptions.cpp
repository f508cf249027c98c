// Iterative context bounding [MusuvathiQadeer07]: most errors show in schedules with very few preemptions,
// and there are only polynomially many of these.
//
// A node of the search is a state with the thread that runs; nobody runs as soon as that thread cannot go on
// (continuation.hpp), so the next one is chosen for free. Nodes are visited in the order of the preemptions
// that they need: those of one level follow each other in the table, and the next level consists of what is
// behind the steps of other threads from these. Each node is visited once, with as many preemptions left
// as it can be, and the first violation has the fewest. Other than in the paper, states are remembered, and
// flushes are steps of memory: they take no preemption and change nothing about who runs.
//
// A level in which a buffer grows for ever would never end. So buffers are bounded, and if that made a
// difference and nothing was found, the search starts again with twice the bound.
//
// What a thread computes by itself after an access belongs to that access, and what it computes before its
// first one takes no switch, unless every instruction is to be a step.
#include "engine/schedules/bounded_preemptions.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/fault.hpp"
#include "engine/explicit/left_out.hpp"
#include "engine/explicit/partial_deadlock.hpp"
#include "engine/explicit/symmetry.hpp"
#include "engine/explicit/witness_builder.hpp"
#include "engine/schedules/continuation.hpp"
#include "engine/state_table.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

constexpr std::uint32_t kFirstRound = 2;  // stores per buffer in the first of several rounds

std::string preemptions(std::uint64_t count) {
  return fmt::format("{} preemption{}", count, count == 1 ? "" : "s");
}

class PreemptionSearch {
 public:
  PreemptionSearch(const Program& program, const PreemptionOptions& options, Context& context)
      : system_(program, {.model = options.model,
                          .every_instruction = options.every_instruction,
                          .live_variables = options.live_variables,
                          .buffer = options.buffer,
                          .local_steps = options.local_steps,
                          .values = options.values,
                          .overlaps = Overlaps::kSplit}),
        monitor_(system_),
        continuation_(system_, monitor_),
        symmetry_(system_, options.symmetry),
        context_(context),
        threads_(system_.thread_count()),
        table_(threads_ + 2) {}

  Answer run(std::uint64_t most_preemptions) {
    start();
    follow();
    for (std::size_t first = 0; !finished();) {
      const std::size_t end = table_.size();  // of the level, which begins with `first`
      probing_ = level_ == most_preemptions;
      if (!probing_) ++level_;
      for (std::size_t node = first; node < end && !finished(); ++node) {
        expand(static_cast<Index>(node), Turn::kPreempting);
        follow();
      }
      if (table_.size() == end && !finished() && !probing_) --level_;
      if (table_.size() == end || probing_) break;
      first = end;
    }
    return answer();
  }

  bool found() const { return found_.has_value(); }
  bool bounded() const { return left_out_.bounded; }
  bool stopped() const { return context_.stopped() || system_.memory().grown(); }

 private:
  using Index = StateTable::Index;

  // Steps that need no preemption (of the running thread, of all if nobody runs, flushes), and those that do.
  enum class Turn : bool { kFree, kPreempting };

  // A step and the node it leads to.
  struct Successor {
    StepRecord record;
    ComponentId component;
    MemoryId memory;
  };

  std::size_t nobody() const { return threads_; }

  // Is there nothing more to do or to find?
  bool finished() const { return stopped() || found_ || more_preemptions_possible_; }

  void start() {
    const GlobalState initial = system_.initial();
    ids_.resize(threads_ + 2);
    for (std::size_t t = 0; t < threads_; ++t) {
      ids_[t] = initial.components[t].index();
      note_cut(t, initial.components[t]);
    }
    ids_[threads_] = initial.memory.index();
    ids_[threads_ + 1] = static_cast<std::uint32_t>(nobody());
    node_ = ids_;
    insert(StateTable::kNoParent);
    for (const Violation& bad : monitor_.violations(initial)) report(bad, 0);
  }

  // Visits what needs no more preemptions, depth first: most violations are at the end of schedules.
  void follow() {
    while (!open_.empty() && !finished()) {
      const Index next = open_.back();
      open_.pop_back();
      expand(next, Turn::kFree);
    }
  }

  void expand(Index index, Turn turn) {
    if ((index & kPollMask) == 0) tell_progress();
    table_.unpack(table_.row(index), ids_.data());
    if (turn == Turn::kPreempting && ids_[threads_ + 1] == nobody()) return;
    collect_steps(turn);
    if (successors_.empty() && ids_[threads_ + 1] == nobody())
      if (const auto bad = monitor_.at_end(state_of(ids_))) report(*bad, index);
    for (const Successor& successor : successors_) {
      ++transitions_;
      if (successor.record.fails) {
        fail(index, successor.record);
      } else {
        make_node(successor);
        if (insert(index)) inspect(successor);
      }
      if (finished()) return;
    }
  }

  // All steps of the node in `ids_` for this turn. They are collected before any is followed, because
  // following them moves the tables in which they stand.
  void collect_steps(Turn turn) {
    successors_.clear();
    const MemoryId memory(ids_[threads_]);
    const std::size_t running = ids_[threads_ + 1];
    for (std::size_t t = 0; t < threads_; ++t) {
      const bool preempts = running != nobody() && running != t && !fault("free-preemption");
      const ComponentId component(ids_[t]);
      for (const Step& step : system_.view(t).steps(component)) {
        if ((preempts && !step.flush) != (turn == Turn::kPreempting)) continue;
        system_.execute(t, component, memory, step, [&](const Move& move) {
          successors_.push_back({{t, component, memory, *move.step, move.outcome, move.fails, move.value},
                                 move.component,
                                 move.memory});
        });
      }
      left_out_.bounded |= system_.view(t).bounded(component);
    }
  }

  // The node after a step, in `node_`. A step that changes nothing leads back, whoever runs then.
  void make_node(const Successor& successor) {
    const StepRecord& record = successor.record;
    node_ = ids_;
    if (successor.component == record.component && successor.memory == record.memory) return;
    node_[record.thread] = successor.component.index();
    node_[threads_] = successor.memory.index();
    std::size_t running = record.step.flush ? ids_[threads_ + 1] : record.thread;
    if (running != nobody() &&
        !continuation_.possible(running, ComponentId(node_[running]), successor.memory))
      running = nobody();
    node_[threads_ + 1] = static_cast<std::uint32_t>(running);
    canonicalise();
  }

  // Of interchangeable threads in the same component it does not matter which one runs: it is the first.
  void canonicalise() {
    if (symmetry_.trivial()) return;
    std::size_t running = node_[threads_ + 1];
    if (running == nobody()) return symmetry_.canonicalise(node_.data());
    const std::uint32_t component = node_[running];
    const std::uint32_t view = system_.view_number(running);
    symmetry_.canonicalise(node_.data());
    running = 0;
    while (system_.view_number(running) != view || node_[running] != component) ++running;
    node_[threads_ + 1] = static_cast<std::uint32_t>(running);
  }

  // True if `node_` is new.
  bool insert(Index parent) {
    for (std::size_t f = 0; f < node_.size(); ++f)
      if (!table_.fits(f, node_[f])) table_.widen(f, node_[f]);
    packed_.resize(table_.words());
    table_.pack(node_, packed_.data());
    const auto [index, added] = table_.insert(packed_.data(), table_.hash(packed_.data()), parent);
    if (!added) return false;
    if (probing_) {
      more_preemptions_possible_ = true;
      return false;
    }
    open_.push_back(index);
    return true;
  }

  void inspect(const Successor& successor) {
    const std::size_t thread = successor.record.thread;
    note_cut(thread, successor.component);
    if (!monitor_.suspicious(thread, successor.component)) return;
    for (const Violation& bad : monitor_.violations(state_of(node_)))
      report(bad, static_cast<Index>(table_.size() - 1));
  }

  void fail(Index from, const StepRecord& record) {
    if (probing_) {
      more_preemptions_possible_ = true;
      return;
    }
    report(monitor_.failure(record.thread, record.component, record.memory, record.step, record.outcome),
           from, record);
  }

  void report(const Violation& violation, Index index, std::optional<StepRecord> failing = std::nullopt) {
    if (!found_) found_ = {violation, index, std::move(failing)};
  }

  void note_cut(std::size_t thread, ComponentId component) {
    if (left_out_.cut || !(monitor_.flags(thread, component) & Monitor::kCut)) return;
    const ThreadView& view = system_.view(thread);
    left_out_.cut = {ThreadId(thread), view.automaton().innermost_location(view.local(component))};
  }

  GlobalState state_of(const std::vector<std::uint32_t>& ids) const {
    GlobalState state;
    for (std::size_t t = 0; t < threads_; ++t) state.components.push_back(ComponentId(ids[t]));
    state.memory = MemoryId(ids[threads_]);
    return state;
  }

  void tell_progress() {
    if (!context_.progress_due()) return;
    ProgressSample sample{fmt::format("preemptions {}", name(system_.model())), table_.size(), open_.size(),
                          level_, ""};
    for (std::size_t t = 0; t < threads_ && sample.note.empty(); ++t)
      sample.note = loops_.look_at(system_.program(), ThreadId(t), system_.view(t).automaton());
    context_.report_progress(sample);
  }

  // The execution that leads to a node. The table holds representatives of states, so each step is done by
  // the thread that stands for the one in the representative: by the one that runs, or by another in the same
  // component.
  Witness witness() {
    std::vector<Index> path;
    for (Index i = found_->node; i != StateTable::kNoParent; i = table_.parent(i)) path.push_back(i);
    std::ranges::reverse(path);

    WitnessBuilder builder(system_);
    GlobalState concrete = system_.initial();
    std::size_t running = nobody();
    const auto append = [&](StepRecord record, std::size_t representative) {
      record.thread = counterpart(concrete, running, record, record.thread == representative);
      builder.append(record);
      return record.thread;
    };
    for (std::size_t i = 1; i < path.size(); ++i) {
      const Successor taken = step_between(path[i - 1], path[i]);
      const std::size_t thread = append(taken.record, ids_[threads_ + 1]);
      concrete.components[thread] = taken.component;
      concrete.memory = taken.memory;
      if (!taken.record.step.flush) running = thread;
      if (table_.get(table_.row(path[i]), threads_ + 1) == nobody()) running = nobody();
    }
    if (!found_->failing) return builder.finish(same_violation(monitor_, concrete, found_->violation));
    append(*found_->failing, table_.get(table_.row(path.back()), threads_ + 1));
    return builder.finish(found_->violation);
  }

  std::size_t counterpart(const GlobalState& concrete, std::size_t running, const StepRecord& record,
                          bool runs) const {
    if (runs) return running;
    for (std::size_t t = 0; t < threads_; ++t)
      if (t != running && system_.view_number(t) == system_.view_number(record.thread) &&
          concrete.components[t] == record.component)
        return t;
    WEIR_CHECK(false, "a state and its representative have the same components");
    return running;
  }

  // Leaves the first node in `ids_`.
  Successor step_between(Index from, Index to) {
    std::vector<std::uint32_t> wanted(threads_ + 2);
    table_.unpack(table_.row(to), wanted.data());
    table_.unpack(table_.row(from), ids_.data());
    for (const Turn turn : {Turn::kFree, Turn::kPreempting}) {
      collect_steps(turn);
      for (const Successor& successor : successors_) {
        if (successor.record.fails) continue;
        make_node(successor);
        if (node_ == wanted) return successor;
      }
    }
    throw InternalError("a visited state is not reached by a step from its parent");
  }

  Answer answer() {
    Answer result;
    result.engine = "bounded-preemptions";
    const std::size_t probes = more_preemptions_possible_ ? 1 : 0;  // a node that was only looked for
    result.statistics.set("states", std::uint64_t{table_.size()} - probes);
    result.statistics.set("transitions", transitions_);
    result.statistics.set("preemptions", level_);
    if (found_) {
      result.verdict = Verdict::kUnsafe;
      result.reason = fmt::format("{}, after {}, and never after fewer{}", found_->violation.message,
                                  preemptions(level_), while_buffers_are_short());
      result.witness = witness();
      if (left_out_.bounded) result.bound.emplace_back("buffer", std::to_string(*system_.options().buffer));
    } else if (context_.stopped()) {
      result.reason = fmt::format("{} after {} states with at most {}", describe(context_.stop_reason()),
                                  table_.size(), preemptions(level_));
      if (left_out_.bounded) result.bound.emplace_back("buffer", std::to_string(*system_.options().buffer));
      note_preemptions(result);
    } else if (left_out_something(system_, monitor_, left_out_)) {
      explain_left_out(system_, monitor_, left_out_, result);
      note_preemptions(result);
    } else if (more_preemptions_possible_) {
      result.reason = fmt::format("no violation with at most {}", preemptions(level_));
      note_preemptions(result);
    } else {
      result.verdict = Verdict::kSafe;
      result.reason = fmt::format("all schedules explored: with more than {} they lead to no other states",
                                  preemptions(level_));
      if (system_.program().properties.partial_deadlock && has_loop(system_.program()))
        result.reason += "; threads that are stuck while others go on for ever were not looked for";
      respect_unordered_atomics(system_.program(), result);
    }
    return result;
  }

  // A level that was not finished does not count.
  void note_preemptions(Answer& result) const {
    if (stopped() && level_ == 0) return;
    result.bound.emplace_back("preemptions", std::to_string(stopped() ? level_ - 1 : level_));
  }

  std::string while_buffers_are_short() const {
    if (!left_out_.bounded) return "";
    return fmt::format(" while buffers hold at most {} stores", *system_.options().buffer);
  }

  struct Finding {
    Violation violation;
    Index node = 0;
    std::optional<StepRecord> failing;  // the step from there, if it is one that fails
  };

  static constexpr Index kPollMask = 0x3FF;

  System system_;
  Monitor monitor_;
  Continuation continuation_;
  Symmetry symmetry_;
  Context& context_;
  const std::size_t threads_;
  StateTable table_;  // components, memory, the thread that runs
  LoopWatch loops_;

  std::uint64_t level_ = 0;                 // preemptions of the nodes being found
  bool probing_ = false;                    // only to see whether there are more
  bool more_preemptions_possible_ = false;  // beyond the bound
  std::uint64_t transitions_ = 0;
  LeftOut left_out_;
  std::optional<Finding> found_;

  std::vector<Index> open_;          // nodes of the level, still to be expanded
  std::vector<std::uint32_t> ids_;   // the node being expanded
  std::vector<std::uint32_t> node_;  // the one after a step
  std::vector<Successor> successors_;
  std::vector<std::uint64_t> packed_;
};

}  // namespace

Answer check_bounded_preemptions(const Program& program, const PreemptionOptions& options, Context& context) {
  PreemptionOptions round = options;
  const bool rounds = buffers_stores(options.model) && !options.buffer;
  if (rounds) round.buffer = kFirstRound;
  while (true) {
    PreemptionSearch search(program, round, context);
    Answer answer = search.run(options.preemptions);
    const bool again = rounds && search.bounded() && !search.found() && !search.stopped();
    if (!again) return answer;
    *round.buffer *= 2;
  }
}

}  // namespace weir
