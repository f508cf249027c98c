#include "engine/smc/smc.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <memory>
#include <mutex>

#include "base/threads/rendezvous.hpp"
#include "base/threads/side_by_side.hpp"
#include "engine/failure.hpp"
#include "engine/smc/execution_text.hpp"
#include "engine/smc/execution_witness.hpp"
#include "engine/smc/mutation_exploration.hpp"
#include "engine/smc/revisit_exploration.hpp"
#include "trace/buffering.hpp"
#include "trace/data_race.hpp"

namespace weir {

namespace {

constexpr std::uint64_t kFirstQuestion = 50'000;  // executions
constexpr std::size_t kSampleWidth = 200;

using Clock = std::chrono::steady_clock;

// How far a checkpoint has come.
struct Reached {
  std::uint64_t words = 1;  // of the graphs
  std::uint64_t searches = 0;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("explorations");
    archive(words, searches);
  }
};

class Exploration {
 public:
  Exploration(const Program& program, const SmcOptions& options, Context& context)
      : program_(program), options_(options), context_(context) {
    Reached reached;
    if (is_resumed()) options.checkpoint->look_at(reached);
    words_ = reached.words;
    const std::size_t searches = std::max<std::size_t>({1, options.jobs, reached.searches});
    for (std::size_t i = 0; i < searches; ++i) add_steps();
  }

  SmcAnswer run() {
    if (!run_from<1>() && !run_from<2>() && !run_from<4>() && !run_from<8>() && !run_from<32>())
      answer_.reason = "an execution has more than 2048 steps; --unroll bounds loops that do not only wait";
    return std::move(answer_);
  }

 private:
  void add_steps() {
    steps_.push_back(std::make_unique<ThreadSteps>(program_, options_.model, options_.local_steps));
    ThreadSteps& steps = *steps_.back();
    // A root must tell its own early writes from what memory holds at first.
    if (options_.equivalence != Equivalence::kValueCentric || steps.first_alone() != root())
      steps.execute_prologue();
  }

  bool is_resumed() const { return options_.checkpoint != nullptr && options_.checkpoint->found(); }

  // Where all searches are, while none of them goes on.
  template <class Search>
  struct Snapshot {
    Exploration& whole;
    std::vector<std::unique_ptr<Search>>& searches;
    SubtreeClaims& claims;

    template <class Archive>
    void transfer(Archive& archive) {
      Reached reached{Search::Graph::kWords, searches.size()};
      reached.transfer(archive);
      archive.section("found");
      archive(claims, whole.answer_.witness);
      for (std::size_t i = 0; i < reached.searches; ++i) {
        archive.section(fmt::format("search {}", i));
        archive(*whole.steps_[i], *searches[i]);
      }
    }
  };

  // Where the one search by values is.
  template <class Search>
  struct ValueSnapshot {
    Exploration& whole;
    Search& search;

    template <class Archive>
    void transfer(Archive& archive) {
      Reached reached{Search::Graph::kWords, 1};
      reached.transfer(archive);
      archive.section("found");
      archive(whole.answer_.witness);
      archive.section("search 0");
      archive(*whole.steps_[0], search);
    }
  };

  // Unless a checkpoint says that it is not enough.
  template <std::size_t Words>
  bool run_from() {
    return Words >= words_ && run_with<Words>();
  }

  // False if the graphs need more bits; what was found so far is then forgotten.
  template <std::size_t Words>
  bool run_with() {
    if (looks_at_values(options_.equivalence)) return explore_values<Words>();
    return options_.equivalence == Equivalence::kMazurkiewicz ? explore<CoherenceGraph<Words>>()
                                                              : explore<ReadsFromGraph<Words>>();
  }

  template <std::size_t Words>
  bool explore_values() {
    using Search = MutationExploration<Words>;
    ValueEquivalence equivalence;
    equivalence.by_source = options_.equivalence == Equivalence::kDataCentric;
    if (options_.equivalence != Equivalence::kReadsValueFrom) equivalence.root = root();
    Search search(*steps_[0], options_.model, equivalence, options_.heuristics, context_,
                  visitor<typename Search::Graph>(*steps_[0]));
    search.asked_to_stop = [this] { return enough_.load(std::memory_order_relaxed); };
    ValueSnapshot<Search> snapshot{*this, search};
    if (is_resumed()) options_.checkpoint->load(snapshot);
    if (options_.checkpoint != nullptr)
      search.pause = [&] {
        if (options_.checkpoint->due() || context_.stopped()) options_.checkpoint->save(snapshot);
      };
    std::uint64_t next = kFirstQuestion;
    if (options_.go_on)
      search.asked_to_stop = [&, this] {
        const std::uint64_t visited = search.counts.traces + search.counts.blocked;
        if (visited < next) return enough_.load(std::memory_order_relaxed);
        next = visited * 4;
        if (!options_.go_on(visited)) enough_ = true;
        return enough_.load();
      };
    search.run();
    if (search.overflowed) return forget();
    cut_ = search.cut;
    halts_ = search.halts;
    add(search.counts);
    answer_.statistics.set("signals", search.counts.signals);
    finish({});
    return true;
  }

  // The first thread that is created or, if none is, the first one.
  std::size_t root() const {
    if (options_.root) return *options_.root;
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      if (program_.threads[t].dormant) return t;
    return 0;
  }

  template <class Graph>
  bool explore() {
    using Search = RevisitExploration<Graph>;
    const bool observers = options_.equivalence == Equivalence::kObservers;
    SubtreeClaims claims;
    std::vector<std::unique_ptr<Search>> searches;
    const bool shared = steps_.size() > 1 || options_.checkpoint != nullptr;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      searches.push_back(std::make_unique<Search>(*steps_[i], options_.model, observers,
                                                  Share{i == 0, shared ? &claims : nullptr}, context_,
                                                  visitor<Graph>(*steps_[i])));
      searches.back()->asked_to_stop = [this] { return enough_.load(std::memory_order_relaxed); };
    }
    Search sampler(*steps_[0], options_.model, observers, Share{}, context_, {});
    if (options_.only_estimate) return estimate(sampler);
    ExecutionEstimator estimator;
    searches[0]->expected = [&] { return expected(estimator, sampler); };
    Snapshot<Search> snapshot{*this, searches, claims};
    if (is_resumed()) options_.checkpoint->load(snapshot);
    run_all(snapshot);
    for (const auto& search : searches)
      if (search->overflowed) return forget();
    if (options_.checkpoint != nullptr && context_.stopped() && !enough_.load())
      options_.checkpoint->save(snapshot);
    for (const auto& search : searches) {
      add(search->counts);
      cut_ |= search->endings().cut();
      const std::vector<EdgeId>& halts = search->endings().halts();
      halts_.insert(halts_.end(), halts.begin(), halts.end());
    }
    finish(estimator);
    return true;
  }

  bool forget() {
    answer_ = {};
    enough_ = false;
    return false;
  }

  void finish(const ExecutionEstimator& estimator) {
    if (context_.stopped() && estimator.known()) answer_.estimate = at_least_visited(estimator.estimate());
    answer_.statistics.set("traces", answer_.traces);
    answer_.statistics.set("blocked", answer_.blocked);
    answer_.statistics.set("cut", answer_.cut);
    answer_.statistics.set("graphs", graphs_);
    answer_.statistics.set("dead", dead_);
    answer_.statistics.set("unfair", unfair_);
    answer_.statistics.set("prologue", steps_[0]->prologue().steps().size());
    judge();
  }

  // Estimates only. The executions met are not looked at.
  template <class Search>
  bool estimate(Search& search) {
    ExecutionEstimator estimator;
    const auto end = Clock::now() + options_.estimate_time;
    improve(estimator, search,
            [&] { return (estimator.known() || options_.estimate_or_none) && Clock::now() >= end; });
    if (search.overflowed) return false;
    if (estimator.known()) answer_.estimate = estimator.estimate();
    answer_.statistics.set("samples", estimator.estimate().samples);
    judge();
    return true;
  }

  ExecutionEstimate at_least_visited(ExecutionEstimate estimate) const {
    const auto visited = static_cast<double>(answer_.traces + answer_.blocked);
    for (double* number : {&estimate.low, &estimate.mean, &estimate.high})
      *number = std::max(*number, visited);
    return estimate;
  }

  // Samples until the estimate is good or `enough` says so, also in the middle of a sample.
  template <class Search, class Enough>
  void improve(ExecutionEstimator& estimator, Search& search, Enough enough) {
    search.asked_to_stop = enough;
    estimator.improve(context_, enough, [&](auto& random) -> std::optional<double> {
      const std::optional<double> found = search.sample(kSampleWidth, random);
      return search.overflowed ? std::nullopt : found;
    });
    search.asked_to_stop = {};
  }

  // For progress: improves the estimate as long as that takes one percent of the time, or a sample that was
  // not finished in time has found more of it.
  template <class Search>
  std::uint64_t expected(ExecutionEstimator& estimator, Search& sampler) {
    constexpr double kShare = 0.01, kPatience = 4;
    const double budget = kShare * context_.seconds() - estimate_seconds_;
    if (budget > needed_seconds_) {
      const auto begin = Clock::now();
      const std::uint64_t before = estimator.estimate().samples;
      const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
      improve(estimator, sampler, [&] { return spent() >= budget; });
      estimate_seconds_ += spent();
      needed_seconds_ = estimator.estimate().samples == before ? kPatience * budget : 0;
    }
    return static_cast<std::uint64_t>(estimator.estimate().mean);
  }

  // As many at a time as there are jobs. A checkpoint is made when all have stopped for it.
  template <class Search>
  void run_all(Snapshot<Search>& snapshot) {
    const auto& searches = snapshot.searches;
    Checkpoint* const checkpoint = options_.checkpoint;
    const std::size_t jobs = std::min<std::size_t>(std::max(1u, options_.jobs), searches.size());
    std::atomic<bool> failed = false;  // then what is known is not worth keeping
    Rendezvous all(jobs, [&] {
      if (!failed) checkpoint->save(snapshot);
    });
    if (checkpoint != nullptr)
      for (const auto& search : searches)
        search->pause = [&] {
          if (checkpoint->due()) all.meet();
        };
    const auto work = [&](std::size_t first) {
      try {
        for (std::size_t i = first; i < searches.size(); i += jobs) run_search(*searches[i]);
      } catch (...) {
        failed = true;
        all.leave();
        throw;
      }
      all.leave();
    };
    side_by_side(jobs, work, [this] { context_.request_stop(StopReason::kInterrupt); });
  }

  template <class Search>
  void run_search(Search& search) {
    search.run();
    if (search.overflowed) enough_ = true;
  }

  void add(const ExplorationCounts& counts) {
    answer_.traces += counts.traces;
    answer_.blocked += counts.blocked;
    answer_.cut += counts.cut;
    answer_.violating += counts.violating;
    graphs_ += counts.graphs;
    dead_ += counts.dead;
    unfair_ += counts.unfair;
  }

  template <class Graph>
  auto visitor(ThreadSteps& steps) {
    return [this, &steps](const Graph& g, const Ending& ending) {
      const bool stuck = ((ending.deadlock && program_.properties.deadlock) ||
                          (ending.partial && program_.properties.partial_deadlock)) &&
                         !steps.stuck_by_choice();
      const bool ends_badly = ending.violates() || stuck;
      std::optional<Witness> race;
      if (!ends_badly && program_.properties.races) race = racing_part(g, ending, steps);
      const bool bad = ends_badly || race;
      if (!bad && !options_.executions) return true;
      const std::scoped_lock one_at_a_time(mutex_);
      if (options_.executions) options_.executions(execution_text(g, steps));
      if (bad && !answer_.witness) answer_.witness = race ? std::move(*race) : witness(g, ending, steps);
      if (bad && options_.stop_at_violation) enough_ = true;
      return !enough_.load();
    };
  }

  template <class Graph>
  Witness witness(Graph g, const Ending& ending, ThreadSteps& steps) {
    g.decide(ending.edges);
    ExecutionWitness<Graph> builder(g, steps, options_.model);
    if (ending.violates()) {
      Witness result = ending.late ? builder.up_to_flush(ending.failed, ending.released)
                                   : builder.up_to(ending.failed, ending.released);
      result.violation = failure(g, ending, steps);
      return result;
    }
    Witness result = builder.whole();
    result.violation = {ViolationKind::kDeadlock,
                        fmt::format("deadlock: {} {}", stuck_threads(g, steps),
                                    ending.partial ? "are stuck, or poll for ever" : "cannot go on"),
                        {},
                        ending.partial ? kPartial : 0};
    return result;
  }

  // The execution up to the access that completes a data race, if there is one.
  template <class Graph>
  std::optional<Witness> racing_part(Graph g, const Ending& ending, ThreadSteps& steps) {
    g.decide(ending.edges);
    Witness execution = ExecutionWitness<Graph>(g, steps, options_.model).whole();
    const std::optional<DataRace> race = find_data_race(program_, execution);
    if (!race) return std::nullopt;
    execution.violation = violation_of(program_, execution, *race);
    execution.steps.resize(end_of_block(execution, race->second));
    return execution;
  }

  // Behind the step, or the atomic block that it is in.
  std::size_t end_of_block(const Witness& execution, std::size_t step) const {
    const Buffering buffering = find_buffering(program_, execution);
    std::size_t end = step + 1;
    while (end < execution.steps.size() && buffering.in_atomic[end] && buffering.in_atomic[end - 1] &&
           program_.edge(execution.steps[end - 1].edge).instruction.op != Opcode::kAtomicEnd)
      ++end;
    return end;
  }

  template <class Graph>
  Violation failure(const Graph& g, const Ending& ending, ThreadSteps& steps) {
    const GraphNode& n = g.node(ending.failed);
    if (ending.released == kNone) return failure_of(program_, failing_action(g, n, steps), n.failure);
    const Action& action = steps.automaton(n.thread).actions(n.before)[n.action];
    if (ending.late) {
      Violation late = late_flush(program_, action.address);
      late.position = program_.edge(action.edge).position;
      return late;
    }
    return failure_of(program_, action,
                      action.kind == ActionKind::kFree ? FailureKind::kBadFree : FailureKind::kFreed);
  }

  // The last action that the step executes.
  template <class Graph>
  static Action failing_action(const Graph& g, const GraphNode& n, ThreadSteps& steps) {
    Action last;
    run_node(g, steps, n, [&](StateId, std::uint32_t, const Action& action, Value) { last = action; });
    return last;
  }

  template <class Graph>
  std::string stuck_threads(const Graph& g, ThreadSteps& steps) {
    std::string stuck;
    for (std::size_t t = 0; t < g.thread_count(); ++t) {
      const bool begun = !g.thread(t).empty();
      const StateId state = begun ? g.node(g.thread(t).back()).inner : steps.initial_state(t);
      if (steps.automaton(t).stopped(state)) continue;
      stuck += (stuck.empty() ? "" : ", ") + program_.threads[t].name;
    }
    return stuck;
  }

  // Where accesses overlap, an execution may say that a read sees other bytes than it does.
  bool drops_overlapping() {
    const bool overlap =
        std::ranges::any_of(steps_, [](const auto& s) { return s->memory().mixed_sizes().has_value(); });
    if (overlap) answer_.witness.reset();
    return overlap;
  }

  void judge() {
    const bool overlapping = drops_overlapping();
    const auto given_up = std::ranges::find_if(
        halts_, [&](EdgeId edge) { return leaves_out(program_.edge(edge).instruction); });
    if (context_.stopped()) {
      answer_.stopped = context_.stop_reason();
      answer_.reason = fmt::format("{} after {} executions", describe(context_.stop_reason()),
                                   answer_.traces + answer_.blocked);
    } else if (cut_) {
      answer_.reason =
          fmt::format("a thread executes more than {} instructions in a row without touching memory",
                      options_.local_steps);
      answer_.bound.emplace_back("local_steps", std::to_string(options_.local_steps));
    } else if (given_up != halts_.end()) {
      const Edge& edge = program_.edge(*given_up);
      answer_.reason = edge.instruction.message.empty() ? "something is beyond what is modelled"
                                                        : edge.instruction.message;
      answer_.diagnostics.push_back({Severity::kWarning, answer_.reason, edge.position, ""});
    } else if (std::ranges::any_of(steps_, [](const auto& s) { return s->stuck_in_section(); })) {
      answer_.beyond_engine = true;
      answer_.reason =
          "a thread can stop between lock and unlock and hold up all others, which executions do not show";
    } else if (std::ranges::any_of(steps_, [](const auto& s) { return s->stuck_by_choice(); })) {
      answer_.beyond_engine = true;
      answer_.reason =
          "a choice between an unlock without a lock and something else is not supported in executions";
    } else if (overlapping) {
      answer_.reason = "memory is accessed with different sizes";
    } else {
      answer_.complete = !enough_.load();
    }
  }

  const Program& program_;
  const SmcOptions& options_;
  Context& context_;
  std::uint64_t words_ = 1;                          // of graphs, at least
  std::vector<std::unique_ptr<ThreadSteps>> steps_;  // one for each search: they are not shared
  std::mutex mutex_;
  std::atomic<bool> enough_{false};
  double estimate_seconds_ = 0;  // spent on the estimate of progress
  double needed_seconds_ = 0;    // before that is worth being tried again
  std::uint64_t graphs_ = 0, dead_ = 0, unfair_ = 0;
  bool cut_ = false;
  std::vector<EdgeId> halts_;
  SmcAnswer answer_;
};

}  // namespace

const char* name(Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::kMazurkiewicz: return "mazurkiewicz";
    case Equivalence::kObservers: return "observers";
    case Equivalence::kReadsFrom: return "rf";
    case Equivalence::kDataCentric: return "dc";
    case Equivalence::kValueCentric: return "vc";
    case Equivalence::kReadsValueFrom: return "rvf";
  }
  return "";
}

bool looks_at_values(Equivalence equivalence) {
  return equivalence == Equivalence::kDataCentric || equivalence == Equivalence::kValueCentric ||
         equivalence == Equivalence::kReadsValueFrom;
}

std::optional<Equivalence> parse_equivalence(std::string_view text) {
  for (const Equivalence each : kEquivalences)
    if (text == name(each)) return each;
  return std::nullopt;
}

namespace {

// What the program has that executions do not; empty if there is nothing. A choice is a step of its own
// there: a thread that has chosen to wait cannot change its mind.
std::string unknown_instruction(const Program& program) {
  for (const Edge& edge : program.edges) {
    if (edge.instruction.until)
      return "a load that waits until memory holds a certain value is not supported in executions";
    if (edge.instruction.op == Opcode::kLoad && edge.instruction.waits &&
        program.locations[edge.source.index()].edges.size() > 1)
      return "a choice between a load that waits and something else is not supported in executions";
    if (edge.instruction.renews)
      return "a variable in a loop without a bound that others may access is not supported in executions";
    if (edge.instruction.op == Opcode::kChoose && edge.instruction.waits)
      return "executions in which a thread wakes without a signal, again and again, have no end "
             "(--no-spurious-wakeups leaves them out)";
  }
  return "";
}

}  // namespace

SmcAnswer explore_executions(const Program& program, const SmcOptions& options, Context& context) {
  if (std::string unknown = unknown_instruction(program); !unknown.empty()) {
    SmcAnswer answer;
    answer.reason = std::move(unknown);
    answer.beyond_engine = true;
    return answer;
  }
  return Exploration(program, options, context).run();
}

namespace {

// A property that only shows in a state of all threads at once.
const char* state_property(const Properties& properties) {
  if (!properties.goals.empty()) return "goals";
  if (!properties.exclusive.empty()) return "mutual exclusion by labels";
  if (!properties.invariants.empty()) return "invariants";
  if (properties.leaks) return "leaks";
  return nullptr;
}

}  // namespace

std::string smc_obstacle(const Program& program) {
  const char* property = state_property(program.properties);
  return property == nullptr ? "" : fmt::format("smc does not look for {}; --engine explicit does", property);
}

namespace {

Answer answer_of(SmcAnswer found) {
  Answer answer;
  answer.engine = "smc";
  answer.statistics = std::move(found.statistics);
  answer.bound = std::move(found.bound);
  answer.diagnostics = std::move(found.diagnostics);
  answer.witness = std::move(found.witness);
  answer.reason = std::move(found.reason);
  answer.verdict = answer.witness ? Verdict::kUnsafe : found.complete ? Verdict::kSafe : Verdict::kUnknown;
  if (found.complete) answer.reason = fmt::format("all {} executions visited", found.traces + found.blocked);
  return answer;
}

}  // namespace

bool has_fewer_executions(const Program& program, SmcOptions options, std::uint64_t limit, Context& context) {
  options.equivalence = Equivalence::kReadsFrom;
  options.only_estimate = true;
  options.estimate_time = std::chrono::milliseconds(500);
  options.estimate_or_none = true;
  const SmcAnswer answer = explore_executions(program, options, context);
  return answer.complete && answer.estimate && answer.estimate->mean > 0 &&
         answer.estimate->high < static_cast<double>(limit);
}

Answer check_smc(const Program& program, SmcOptions options, Context& context) {
  if (std::string obstacle = smc_obstacle(program); !obstacle.empty()) {
    Answer answer;
    answer.engine = "smc";
    answer.reason = std::move(obstacle);
    return answer;
  }
  options.stop_at_violation = true;
  // What happens before what is not a matter of values.
  if (program.properties.races) options.equivalence = Equivalence::kReadsFrom;
  // What estimates say depends on how long they take: the counts of a run with checkpoints must not.
  if (options.equivalence != Equivalence::kReadsValueFrom || options.checkpoint != nullptr)
    return answer_of(explore_executions(program, options, context));
  bool changes = false;
  SmcOptions by_values = options;
  by_values.go_on = [&](std::uint64_t visited) {
    constexpr std::uint64_t kWorth = 4;  // one by values takes up to as many times longer
    changes = has_fewer_executions(program, options, kWorth * visited, context);
    return !changes;
  };
  SmcAnswer found = explore_executions(program, by_values, context);
  if (changes && !found.witness && !context.stopped()) {
    options.equivalence = Equivalence::kReadsFrom;
    found = explore_executions(program, options, context);
  }
  return answer_of(std::move(found));
}

}  // namespace weir
