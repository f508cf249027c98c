#include "verify/consistent.hpp"

#include "base/file.hpp"
#include "check/consistency_replay.hpp"

namespace weir::verify {

namespace {

using consistency::ConsistencyVerdict;
using consistency::EventId;
using consistency::EventKind;
using consistency::Instance;
using consistency::Outcome;

ClaimedEvent::Kind claimed_kind(EventKind kind) {
  switch (kind) {
    case EventKind::kRead: return ClaimedEvent::Kind::kRead;
    case EventKind::kWrite: return ClaimedEvent::Kind::kWrite;
    case EventKind::kUpdate: return ClaimedEvent::Kind::kUpdate;
    case EventKind::kFence: return ClaimedEvent::Kind::kFence;
    case EventKind::kStoreFence: return ClaimedEvent::Kind::kStoreFence;
  }
  throw InternalError("an event without a kind");
}

ClaimedPlace claimed_place(const Instance& instance, EventId event) {
  const std::size_t thread = instance.event(event).thread;
  return {thread, event.index() - instance.begin(thread)};
}

ExecutionClaim claim(const Instance& instance, Model model, std::span<const consistency::Step> witness) {
  ExecutionClaim result{model, std::vector<std::vector<ClaimedEvent>>(instance.threads()), {}};
  for (std::size_t e = 0; e < instance.events(); ++e) {
    const Instance::Event& event = instance.event(EventId(e));
    ClaimedEvent& claimed = result.threads[event.thread].emplace_back();
    claimed.kind = claimed_kind(event.kind);
    if (event.variable) claimed.variable = event.variable.index();
    instance.for_each_source(EventId(e), [&](EventId write) {
      if (write == consistency::kInitialWrite)
        claimed.sources.emplace_back();
      else
        claimed.sources.emplace_back(claimed_place(instance, write));
    });
  }
  for (const consistency::Step& step : witness)
    result.steps.push_back({claimed_place(instance, step.event), step.commit});
  return result;
}

}  // namespace

Expected<NamedInstance> load_instance(const std::string& path, Model model) {
  auto text = read_file(path);
  if (!text) return std::move(text.error());
  return load_instance_text(path, std::move(*text), model);
}

Expected<NamedInstance> load_instance_text(const std::string& path, std::string text, Model model) {
  auto named = read_instance(path, std::move(text));
  if (!named) return named;
  if (auto problem = check_sources(*named, model))
    return InputError{std::move(named->sources), {std::move(*problem)}, ""};
  return named;
}

ConsistencyVerdict check_consistency(const NamedInstance& named, const consistency::VerifyOptions& question,
                                     Context& context) {
  consistency::Verifier verifier;
  ConsistencyVerdict verdict{.outcome = verifier.verify(named.instance, question, &context)};
  verdict.engine = question.algorithm == consistency::Algorithm::kNaive ? "naive" : "verify";
  verdict.witness.assign(verifier.witness().begin(), verifier.witness().end());
  verdict.contradiction = verifier.contradiction();
  verdict.cycle = verifier.cycle();
  verdict.without_source = verifier.without_source();
  if (verdict.outcome == Outcome::kUnknown) verdict.stopped = describe(context.stop_reason());
  if (verdict.outcome == Outcome::kConsistent) {
    const std::string problem = replay_execution(claim(named.instance, question.model, verdict.witness));
    if (!problem.empty()) throw InternalError("the witness cannot be replayed: " + problem);
  }
  verdict.statistics.set("events", static_cast<std::uint64_t>(named.instance.events()));
  verdict.statistics.set("prefixes", verifier.figures().prefixes);
  verdict.statistics.set("closure_edges", verifier.figures().edges);
  return verdict;
}

}  // namespace weir::verify
