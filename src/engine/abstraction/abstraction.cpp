#include "engine/abstraction/abstraction.hpp"

#include <fmt/format.h>

#include "base/fault.hpp"
#include "engine/abstraction/path_search.hpp"
#include "engine/coverability/backward_search.hpp"
#include "engine/coverability/multiset/system.hpp"
#include "engine/explicit/explicit.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostTargets = 100'000;

class AbstractionSearch {
 public:
  AbstractionSearch(const Program& program, const AbstractionOptions& options, Context& context)
      : program_(program), options_(options), context_(context) {
    answer_.engine = "abstraction";
  }

  Answer run() {
    answer_.reason = abstraction_obstacle(program_);
    if (!answer_.reason.empty()) return std::move(answer_);
    BufferAbstraction abstraction = options_.only.value_or(kMultisetAbstraction);
    while (!search(abstraction) && !concretise(abstraction)) {
      if (options_.only) {
        not_enough(abstraction);
        break;
      }
      const auto finer = finer_than(abstraction);
      if (!finer) break;
      abstraction = *finer;
    }
    publish(abstraction);
    return std::move(answer_);
  }

 private:
  static SystemOptions tso(const AbstractionOptions& options, std::optional<BufferAbstraction> abstraction) {
    return {.model = Model::kTso,
            .local_steps = options.local_steps,
            .values = options.values,
            .abstraction = abstraction};
  }

  // Each of the following says whether the question is answered, `unknown` being an answer. If not, a search
  // has left a candidate in `candidate_`.

  bool search(BufferAbstraction& abstraction) {
    ++rounds_;
    if (abstraction != kMultisetAbstraction) return search_states(abstraction);
    if (const auto answered = search_backward_from_violations()) return *answered;
    if (!options_.only && !context_.stopped()) abstraction = kSetAbstraction;
    return search_states(abstraction);
  }

  // Nothing if multisets cannot be searched in this way, or not within the limits.
  std::optional<bool> search_backward_from_violations() {
    if (!options_.values.ranges.empty()) return std::nullopt;
    const ValueClosure closure(program_, automaton_options(program_, tso(options_, kMultisetAbstraction)), {},
                               context_);
    if (!closure.closed() || MultisetSystem::obstacle(program_, closure)) return std::nullopt;
    MultisetSystem system(program_, closure);
    auto targets = system.targets(kMostTargets);
    if (!targets) return std::nullopt;
    if (!options_.only) system.limit_expansions(options_.most_expansions);
    const BackwardOptions backward{.phase = "multisets"};
    const auto result = search_backward(system, std::move(*targets), backward, context_);
    configurations_ = result.statistics.kept;
    if (result.path) return keep_candidate(result.path->labels);
    if (context_.stopped()) return stopped_backwards();
    if (system.given_up()) return std::nullopt;
    answer_.verdict = Verdict::kSafe;
    answer_.reason =
        fmt::format("no violation is reachable with {} ({})", describe(kMultisetAbstraction),
                    configurations_ == 0 ? "whatever the threads read"
                                         : fmt::format("{} configurations prove it", configurations_));
    return true;
  }

  bool keep_candidate(const std::vector<MultisetSystem::Label>& labels) {
    candidate_.assign(program_.threads.size(), {});
    for (const MultisetSystem::Label& label : labels)
      if (!label.flush) candidate_[label.thread].push_back({label.action, label.returned});
    return false;
  }

  bool stopped_backwards() {
    answer_.verdict = Verdict::kUnknown;
    answer_.reason =
        fmt::format("{} with {} configurations from which {} allows a violation",
                    describe(context_.stop_reason()), configurations_, describe(kMultisetAbstraction));
    answer_.bound.emplace_back("abstraction", name(kMultisetAbstraction));
    return true;
  }

  bool search_states(const BufferAbstraction& abstraction) {
    ExplicitOptions options;
    options.model = Model::kTso;
    options.local_steps = options_.local_steps;
    options.values = options_.values;
    options.abstraction = abstraction;
    options.minimise_effort = 0;
    Answer found = check_explicit(program_, options, context_);
    const auto states = std::get<std::uint64_t>(*found.statistics.find("states"));
    states_ += states;
    if (found.verdict == Verdict::kUnsafe && !fault("trusted-abstraction")) {
      System system(program_, tso(options_, abstraction));
      candidate_ = thread_paths(system, *found.witness);
      return false;
    }
    answer_.verdict = found.verdict;
    answer_.witness = std::move(found.witness);
    answer_.diagnostics = std::move(found.diagnostics);
    answer_.bound = std::move(found.bound);
    answer_.reason = found.verdict == Verdict::kSafe
                         ? fmt::format("no violation is reachable with {} (all {} states explored)",
                                       describe(abstraction), states)
                         : fmt::format("{}, with {}", found.reason, describe(abstraction));
    return true;
  }

  // Is the candidate a violation under TSO?
  bool concretise(const BufferAbstraction& abstraction) {
    System system(program_, tso(options_, std::nullopt));
    PathAnswer found = search_paths(system, candidate_, options_.most_path_states, context_);
    switch (found.kind) {
      case PathAnswer::Kind::kImpossible: ++spurious_; return false;
      case PathAnswer::Kind::kUnknown: return give_up(abstraction);
      case PathAnswer::Kind::kViolation: break;
    }
    answer_.verdict = Verdict::kUnsafe;
    answer_.reason = found.witness->violation.message;
    answer_.witness = std::move(found.witness);
    return true;
  }

  // The least k for which the candidate is impossible. It is at most the number of stores on a path: with a
  // queue of that length the buffers are those of TSO. What is possible with multisets is possible with sets,
  // so 0 is not tried.
  std::optional<BufferAbstraction> finer_than(const BufferAbstraction& abstraction) {
    for (std::uint32_t k = abstraction.queue + 1;; ++k) {
      System system(program_, tso(options_, partial_coherence_with(k)));
      switch (search_paths(system, candidate_, options_.most_path_states, context_).kind) {
        case PathAnswer::Kind::kImpossible: return partial_coherence_with(k);
        case PathAnswer::Kind::kViolation: break;
        case PathAnswer::Kind::kUnknown: give_up(abstraction); return std::nullopt;
      }
    }
  }

  bool give_up(const BufferAbstraction& abstraction) {
    answer_.verdict = Verdict::kUnknown;
    answer_.reason = fmt::format("{} looking whether a violation with {} is possible under tso",
                                 context_.stopped() ? describe(context_.stop_reason()) : "too many states",
                                 describe(abstraction));
    answer_.bound.emplace_back("abstraction", name(abstraction));
    return true;
  }

  void not_enough(const BufferAbstraction& abstraction) {
    answer_.verdict = Verdict::kUnknown;
    answer_.reason =
        fmt::format("with {} a violation is reachable, but on a way that no execution under tso takes",
                    describe(abstraction));
    answer_.bound.emplace_back("abstraction", name(abstraction));
  }

  void publish(const BufferAbstraction& last) {
    answer_.statistics.set("rounds", rounds_);
    answer_.statistics.set("spurious", spurious_);
    answer_.statistics.set("configurations", configurations_);
    answer_.statistics.set("states", states_);
    if (last.kind == BufferAbstraction::Kind::kPartialCoherence)
      answer_.statistics.set("queue", std::uint64_t{last.queue});
  }

  const Program& program_;
  const AbstractionOptions& options_;
  Context& context_;
  std::vector<ThreadPath> candidate_;
  std::uint64_t rounds_ = 0, spurious_ = 0, configurations_ = 0, states_ = 0;
  Answer answer_;
};

}  // namespace

std::string abstraction_obstacle(const Program& program) {
  const Properties& asked = program.properties;
  if (asked.deadlock) return "deadlocks are not looked for with abstract buffers";
  if (asked.races || asked.leaks) return "races and leaks are not looked for with abstract buffers";
  return {};
}

Answer check_abstraction(const Program& program, const AbstractionOptions& options, Context& context) {
  return AbstractionSearch(program, options, context).run();
}

}  // namespace weir
