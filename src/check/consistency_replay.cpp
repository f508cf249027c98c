#include "check/consistency_replay.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <map>

namespace weir {

namespace {

using Kind = ClaimedEvent::Kind;

// What a buffer holds: stores, and between them the store fences (PSO).
struct Buffered {
  bool fence = false;
  std::size_t variable = 0;
  ClaimedPlace store;
};

class Machine {
 public:
  explicit Machine(const ExecutionClaim& claim)
      : claim_(claim), positions_(claim.threads.size()), buffers_(claim.threads.size()) {}

  std::string run() {
    for (std::size_t i = 0; i < claim_.steps.size(); ++i)
      if (const std::string problem = step(claim_.steps[i]); !problem.empty())
        return fmt::format("step {}: {}", i + 1, problem);
    for (std::size_t t = 0; t < claim_.threads.size(); ++t) {
      if (positions_[t] != claim_.threads[t].size()) return fmt::format("thread {} has not ended", t);
      if (has_stores(t)) return fmt::format("thread {} ends with a store in its buffer", t);
    }
    return "";
  }

 private:
  std::string step(const ClaimedStep& step) {
    const auto [thread, index] = step.event;
    if (thread >= claim_.threads.size() || index >= claim_.threads[thread].size())
      return "there is no such event";
    return step.commit ? commit(step.event) : execute(step.event, claim_.threads[thread][index]);
  }

  std::string execute(ClaimedPlace place, const ClaimedEvent& event) {
    if (positions_[place.thread] != place.index) return "the event is not the next one of its thread";
    ++positions_[place.thread];
    const bool drains = event.kind == Kind::kFence || event.kind == Kind::kUpdate;
    if (drains && has_stores(place.thread)) return "the thread's buffer is not empty";
    if (event.kind == Kind::kRead || event.kind == Kind::kUpdate) {
      const auto seen = load(place.thread, event.variable);
      if (std::find(event.sources.begin(), event.sources.end(), seen) == event.sources.end())
        return "the event reads another write than it should";
    }
    if (event.kind == Kind::kUpdate || (event.kind == Kind::kWrite && claim_.model == Model::kSc))
      memory_[event.variable] = place;
    else if (event.kind == Kind::kWrite)
      buffers_[place.thread].push_back({false, event.variable, place});
    else if (event.kind == Kind::kStoreFence)
      buffers_[place.thread].push_back({true});
    return "";
  }

  std::optional<ClaimedPlace> load(std::size_t thread, std::size_t variable) const {
    const auto& buffer = buffers_[thread];
    for (auto entry = buffer.rbegin(); entry != buffer.rend(); ++entry)
      if (!entry->fence && entry->variable == variable) return entry->store;
    const auto found = memory_.find(variable);
    return found == memory_.end() ? std::nullopt : found->second;
  }

  // The oldest store of the buffer may leave it; under PSO, the oldest to its variable if no store waits
  // before a store fence in front of it.
  std::string commit(ClaimedPlace place) {
    auto& buffer = buffers_[place.thread];
    bool store_before = false;
    for (auto entry = buffer.begin(); entry != buffer.end(); ++entry) {
      if (entry->fence) {
        if (claim_.model == Model::kPso && store_before) return "a store fence keeps the store back";
        continue;
      }
      if (entry->store == place) {
        memory_[entry->variable] = place;
        buffer.erase(entry);
        return "";
      }
      const std::size_t variable = claim_.threads[place.thread][place.index].variable;
      if (claim_.model == Model::kTso || entry->variable == variable)
        return "an older store is still in the buffer";
      store_before = true;
    }
    return "the store is not in its thread's buffer";
  }

  bool has_stores(std::size_t thread) const {
    const auto& buffer = buffers_[thread];
    return std::any_of(buffer.begin(), buffer.end(), [](const Buffered& entry) { return !entry.fence; });
  }

  const ExecutionClaim& claim_;
  std::vector<std::size_t> positions_;
  std::vector<std::list<Buffered>> buffers_;
  std::map<std::size_t, std::optional<ClaimedPlace>> memory_;  // absent: the initial write
};

}  // namespace

std::string replay_execution(const ExecutionClaim& claim) { return Machine(claim).run(); }

}  // namespace weir
