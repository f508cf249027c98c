#include "engine/consistency/support/agreement.hpp"

#include <fmt/format.h>

#include "check/consistency_replay.hpp"
#include "engine/consistency/support/buffer_machine.hpp"
#include "engine/consistency/support/generator.hpp"

namespace weir::consistency::test {

namespace {

ClaimedPlace place(const Instance& instance, EventId event) {
  const std::size_t thread = instance.event(event).thread;
  return {thread, event.index() - instance.begin(thread)};
}

ClaimedEvent::Kind claimed(EventKind kind) {
  switch (kind) {
    case EventKind::kRead: return ClaimedEvent::Kind::kRead;
    case EventKind::kWrite: return ClaimedEvent::Kind::kWrite;
    case EventKind::kUpdate: return ClaimedEvent::Kind::kUpdate;
    case EventKind::kFence: return ClaimedEvent::Kind::kFence;
    case EventKind::kStoreFence: return ClaimedEvent::Kind::kStoreFence;
  }
  throw InternalError("an event without a kind");
}

std::string check_cycle(const Verifier& verifier) {
  const auto cycle = verifier.cycle();
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (!(cycle[i].to == cycle[(i + 1) % cycle.size()].from)) return "the cycle does not close";
  return "";
}

}  // namespace

std::string replay(const Instance& instance, Model model, std::span<const Step> witness) {
  ExecutionClaim claim{model, {}, {}};
  for (std::size_t t = 0; t < instance.threads(); ++t) {
    auto& thread = claim.threads.emplace_back();
    for (std::uint32_t e = instance.begin(t); e < instance.end(t); ++e) {
      const auto& event = instance.event(EventId(e));
      auto& claimed_event = thread.emplace_back();
      claimed_event.kind = claimed(event.kind);
      if (event.variable) claimed_event.variable = event.variable.index();
      instance.for_each_source(EventId(e), [&](EventId write) {
        claimed_event.sources.push_back(write == kInitialWrite ? std::nullopt
                                                               : std::optional(place(instance, write)));
      });
    }
  }
  for (const Step& step : witness) claim.steps.push_back({place(instance, step.event), step.commit});
  return replay_execution(claim);
}

std::string disagreement(Verifier& verifier, const Instance& instance, Model model, bool judge,
                         bool* expected) {
  bool right = judge && consistent_by_brute_force(instance, model);
  bool known = judge;
  constexpr ClosureUse kUses[] = {ClosureUse::kNever, ClosureUse::kFirst, ClosureUse::kWhenHard};
  for (const Algorithm algorithm : {Algorithm::kNaive, Algorithm::kVerify})
    for (const ClosureUse closure : kUses) {
      const Outcome outcome = verifier.verify(instance, {model, algorithm, closure});
      const bool consistent = outcome == Outcome::kConsistent;
      if (!known) right = consistent, known = true;
      const std::string who =
          fmt::format("{} under {}, closure {}", algorithm == Algorithm::kNaive ? "naive" : "verify",
                      name(model), static_cast<int>(closure));
      if (consistent != right) return fmt::format("{} says {}consistent", who, consistent ? "" : "in");
      if (consistent) {
        if (const std::string problem = replay(instance, model, verifier.witness()); !problem.empty())
          return fmt::format("{}: the witness is none: {}", who, problem);
      } else if (const std::string problem = check_cycle(verifier); !problem.empty()) {
        return fmt::format("{}: {}", who, problem);
      }
    }
  if (expected != nullptr) *expected = right;
  return "";
}

Instance shrink(Verifier& verifier, Instance instance, Model model) {
  Instance smaller;
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t e = 0; e < instance.events() && !progress; ++e) {
      if (!without(instance, EventId(e), smaller) || !smaller.complete()) continue;
      if (disagreement(verifier, smaller, model, true, nullptr).empty()) continue;
      instance = smaller;
      progress = true;
    }
  }
  return instance;
}

}  // namespace weir::consistency::test
