#include "check/starvation_check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir {

StarvationCheck::StarvationCheck(const ReferenceMachine& machine, const Witness& witness)
    : machine_(machine),
      witness_(witness),
      always_enabled_(machine.program().threads.size(), true),
      once_enabled_(machine.program().threads.size(), false) {}

bool StarvationCheck::exists(const ThreadLocation& place) const {
  const Program& program = machine_.program();
  return place.thread.index() < program.threads.size() && place.location.index() < program.locations.size();
}

bool StarvationCheck::at(const ReferenceState& state, const std::vector<ThreadLocation>& places) const {
  return std::ranges::any_of(places, [&](const ThreadLocation& place) {
    if (!exists(place)) return false;
    const ThreadState& thread = state.threads[place.thread.index()];
    return thread.stack.size() == 1 && thread.stack.front().location == place.location;
  });
}

void StarvationCheck::watch_request(const ReferenceState& state) {
  if (at(state, witness_.starvation->request)) pending_ = true;
  if (at(state, witness_.starvation->grant)) pending_ = false;
}

// Under TSO, stores leave a buffer in order, so it is one queue.
StarvationCheck::Queue StarvationCheck::queue(ThreadId thread, Value address) const {
  return {thread, witness_.model == Model::kPso ? address : 0};
}

void StarvationCheck::watch_loop(const ReferenceState& state) {
  if (at(state, witness_.starvation->grant)) granted_in_loop_ = true;
  std::vector<bool> enabled(always_enabled_.size(), false);
  for (const ReferenceStep& step : machine_.steps(state)) {
    const WitnessStep& first = step.steps.front();
    if (first.kind == WitnessStep::Kind::kFlush)
      flushable_.insert(queue(first.thread, first.address));
    else
      enabled[first.thread.index()] = true;
  }
  for (std::size_t t = 0; t < enabled.size(); ++t) {
    always_enabled_[t] = always_enabled_[t] && enabled[t];
    once_enabled_[t] = once_enabled_[t] || enabled[t];
  }
}

void StarvationCheck::before(std::size_t step, const ReferenceState& state) {
  watch_request(state);
  if (step < witness_.starvation->loop) return;
  if (step == witness_.starvation->loop) loop_start_ = state;
  watch_loop(state);
}

std::optional<std::string> StarvationCheck::unfair_thread() const {
  for (std::size_t t = 0; t < always_enabled_.size(); ++t) {
    const bool moves =
        std::any_of(witness_.steps.begin() + static_cast<std::ptrdiff_t>(witness_.starvation->loop),
                    witness_.steps.end(), [&](const WitnessStep& step) {
                      return step.thread.index() == t && step.kind == WitnessStep::Kind::kInstruction;
                    });
    if (moves) continue;
    if ((witness_.starvation->weak && always_enabled_[t]) ||
        (witness_.starvation->strong && once_enabled_[t]))
      return fmt::format("the loop is not fair to thread {}", machine_.program().threads[t].name);
  }
  return std::nullopt;
}

std::optional<std::string> StarvationCheck::unfair_flush() const {
  if (!witness_.starvation->flushes) return std::nullopt;
  std::set<Queue> stuck = flushable_;
  for (std::size_t i = witness_.starvation->loop; i < witness_.steps.size(); ++i)
    if (witness_.steps[i].kind == WitnessStep::Kind::kFlush)
      stuck.erase(queue(witness_.steps[i].thread, witness_.steps[i].address));
  if (stuck.empty()) return std::nullopt;
  return fmt::format("in the loop, a store of thread {} stays in the buffer for ever",
                     machine_.program().thread(stuck.begin()->first).name);
}

std::optional<std::string> StarvationCheck::mistake(const ReferenceState& last) {
  const Starvation& claim = *witness_.starvation;
  const auto is_place = [&](const ThreadLocation& place) { return exists(place); };
  if (!std::ranges::all_of(claim.request, is_place) || !std::ranges::all_of(claim.grant, is_place))
    return "there is no such place as the witness speaks of";
  watch_request(last);
  if (!pending_) return "every request is granted";
  if (claim.loop > witness_.steps.size()) return "the loop begins behind the last step";
  if (claim.loop == witness_.steps.size()) {
    if (!machine_.steps(last).empty())
      return "after the last step of the witness, something can still happen";
    return std::nullopt;
  }
  if (!loop_start_) return "the loop begins inside an atomic block";
  if (granted_in_loop_) return "the loop grants the request";
  if (!(*loop_start_ == last)) return "the loop does not lead back to where it began";
  if (auto problem = unfair_thread()) return problem;
  return unfair_flush();
}

}  // namespace weir
