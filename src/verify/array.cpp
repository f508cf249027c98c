#include "verify/array.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "check/array/explore.hpp"
#include "check/array/replay.hpp"
#include "engine/array/axiomatic/axiomatic.hpp"
#include "engine/array/certificate.hpp"
#include "engine/array/weak_use.hpp"
#include "program/array/instance.hpp"

namespace weir::verify {

namespace {

using array::ArraySystem;

// A run with as few processes as the engine's trace has, or a few more if its cube or guards need them.
std::optional<array::ArrayRun> confirmed_run(const ArraySystem& system, const array::Trace& trace) {
  constexpr std::uint32_t kSpare = 2;
  const std::uint32_t needed = std::max(trace.processes, array::least_processes(system));
  const std::uint32_t most = std::min(needed + kSpare, system.number_of_processes.value_or(needed + kSpare));
  for (std::uint32_t processes = std::max(1u, needed); processes <= most; ++processes) {
    array::CompletionOptions options;
    options.unsafe = trace.unsafe;
    options.domains = array::ArrayDomains{.numbers = array::numbers_of(system)};
    for (const array::Rational& number : trace.numbers)
      if (std::ranges::find(options.domains->numbers, number) == options.domains->numbers.end())
        options.domains->numbers.push_back(number);
    array::Completion completion = array::complete(system, processes, trace.steps, options);
    if (!completion.run) continue;
    const auto problem = array::replay(system, processes, *completion.run);
    if (problem) throw InternalError("a completed run cannot be replayed: " + *problem);
    return std::move(completion.run);
  }
  return std::nullopt;
}

std::uint32_t most_tried(const ArraySystem& system) {
  constexpr std::uint32_t kMost = 4;
  return std::min(kMost, system.number_of_processes.value_or(kMost));
}

// The trace of the search may owe its existence to guards that are weakened for processes it does not name. A
// small instance may still have a real one.
std::optional<array::ArrayRun> run_of_small_instance(const ArraySystem& system, const Context& context) {
  const std::uint32_t most = most_tried(system);
  for (std::uint32_t processes = array::least_processes(system); processes <= most && !context.stopped();
       ++processes) {
    array::ArrayLimits limits;
    limits.domains.numbers = array::numbers_of(system);
    array::ArrayExploration found = array::explore(system, processes, limits);
    if (found.unsafe()) return std::move(found.run);
  }
  return std::nullopt;
}

std::string safe_reason(const array::ArrayAnswer& found) {
  if (found.search.visited.empty())
    return fmt::format(
        "by the axioms, {} sets of executions that lead to an unsafe state, none from an initial one",
        found.search.regions);
  std::string reason =
      fmt::format("{} regions of states that lead to an unsafe one, none with an initial state",
                  found.search.visited.size());
  if (found.guessed)
    reason += fmt::format("; {} of the search's steps rest on invariants guessed from {} states and proved",
                          found.search.guesses, found.instance_states);
  return reason;
}

ArrayVerdict verdict_of(const ArraySystem& system, const array::ArrayAnswer& found, const Context& context) {
  ArrayVerdict verdict;
  const array::SearchResult& search = found.search;
  switch (search.outcome) {
    case array::SearchOutcome::kSafe:
      verdict.verdict = Verdict::kSafe;
      verdict.reason = safe_reason(found);
      break;
    case array::SearchOutcome::kUnsafe:
      if (search.false_claim) {
        verdict.reason = fmt::format("invariant {} of the file does not hold, so nothing rests on it",
                                     *search.false_claim + 1);
        break;
      }
      verdict.run = confirmed_run(system, search.trace);
      if (!verdict.run) verdict.run = run_of_small_instance(system, context);
      if (verdict.run)
        verdict.verdict = Verdict::kUnsafe;
      else
        verdict.reason = fmt::format(
            "the search found a trace that could not be run on an instance: guards about all processes, or "
            "numbers, were weakened on the way, or it needs numbers that were not tried; up to {} processes "
            "are not known to be unsafe",
            most_tried(system));
      break;
    case array::SearchOutcome::kLimit:
    case array::SearchOutcome::kGaveUp: verdict.reason = search.reason; break;
  }
  verdict.statistics.set("regions", found.regions);
  verdict.statistics.set("predecessors", search.predecessors);
  verdict.statistics.set("covered", search.covered);
  verdict.statistics.set("guesses", search.guesses);
  verdict.statistics.set("restarts", search.restarts);
  verdict.statistics.set("instance_states", found.instance_states);
  return verdict;
}

// Why the search is not even begun; empty if it is.
std::string obstacle_to(const ArraySystem& system, const ArrayQuestion& question) {
  if (std::string obstacle = array::obstacle(system); !obstacle.empty()) return obstacle;
  const std::uint32_t least = array::least_processes(system);
  if (least > system.number_of_processes.value_or(least))
    return fmt::format("the system needs {} processes, and number_procs allows {}", least,
                       *system.number_of_processes);
  const auto shared = array::shared_ordinary_symbol(system);
  if (!shared || question.axiomatic) return {};
  return fmt::format(
      "{}: {} is not weak, but processes share it; under tso the search needs that every ordinary cell "
      "belongs to the process that performs the transition: make it weak, index it by that process, or try "
      "--axiomatic",
      system.sources.describe(shared->position), system.symbol(shared->symbol).name);
}

array::ArrayOptions array_options(const ArraySystem& system, const ArrayQuestion& question) {
  array::ArrayOptions options;
  options.inference = question.inference;
  options.order = question.order.value_or(options.order);
  options.checkpoint = question.checkpoint;
  if (system.number_of_processes)
    options.instances = {std::clamp<std::uint32_t>(*system.number_of_processes, 1, 4)};
  return options;
}

}  // namespace

ArrayResult check_array(const ArraySystem& system, const ArrayQuestion& question, Context& context) {
  ArrayResult result;
  result.verdict.reason = obstacle_to(system, question);
  if (!result.verdict.reason.empty()) return result;
  const array::Vocabulary vocabulary(system);
  const array::ArrayAnswer found =
      question.axiomatic ? array::ArrayAnswer{.search = array::search_axiomatic(vocabulary, context)}
                         : array::check_array_system(vocabulary, array_options(system, question), context);
  result.verdict = verdict_of(system, found, context);
  if (result.verdict.verdict == Verdict::kSafe && question.certificate) {
    array::Certificate proof = array::smt_certificate(vocabulary, found.search.visited);
    result.verdict.statistics.set("certificate_questions", proof.questions);
    result.certificate = std::move(proof.text);
  }
  return result;
}

}  // namespace weir::verify
