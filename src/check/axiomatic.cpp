// Relations are rows of bits, one word per event. For each candidate the orders of writes are enumerated,
// those that break program order left out at once; whatever is allowed under SC is known to be allowed under
// the weaker models, so the strongest is tried first.
#include "check/axiomatic.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "base/fault.hpp"
#include "check/candidate_executions.hpp"

namespace weir {

namespace {

using Bits = std::uint64_t;
using Pairs = std::array<Bits, 64>;

constexpr std::size_t kMostEvents = 64;
constexpr std::array kModels = {Model::kSc, Model::kTso, Model::kPso};

Bits bit(std::size_t event) { return Bits{1} << event; }

// Events without a successor are taken away until none is left; if some remain, they lie before a cycle.
bool acyclic(const Pairs& a, const Pairs& b, std::size_t size) {
  Bits left = size == kMostEvents ? ~Bits{0} : bit(size) - 1;
  for (bool changed = true; changed && left != 0;) {
    changed = false;
    for (Bits rest = left; rest != 0; rest &= rest - 1) {
      const auto event = static_cast<std::size_t>(std::countr_zero(rest));
      if (((a[event] | b[event]) & left) != 0) continue;
      left &= ~bit(event);
      changed = true;
    }
  }
  return left == 0;
}

// Does the model keep the program order of these two accesses of one thread?
bool keeps_order(Model model, const CandidateEvent& earlier, const CandidateEvent& later) {
  if (model == Model::kSc || earlier.reads) return true;
  if (!later.writes) return later.drains > earlier.drains;
  return model == Model::kTso || later.address == earlier.address || later.barriers > earlier.barriers;
}

struct TooMany {};  // thrown when a limit is reached

// The orders of writes of one candidate, and what follows for the models.
class CandidateCheck {
 public:
  CandidateCheck(const Program& program, const AxiomaticLimits& limits, const Candidate& candidate,
                 AxiomaticOutcomes& outcomes)
      : program_(program),
        limits_(limits),
        candidate_(candidate),
        events_(candidate.events),
        size_(candidate.events.size()),
        outcomes_(outcomes) {
    for (std::size_t e = 0; e < size_; ++e)
      if (events_[e].writes) writes_[events_[e].address].push_back(e);
    add_fixed_relations();
  }

  void run() { order_writes(writes_.begin()); }

 private:
  using Writes = std::map<Value, std::vector<std::size_t>>;

  void add_fixed_relations() {
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t b = a + 1; b < size_; ++b) {
        if (events_[a].thread != events_[b].thread) continue;
        if (events_[a].address == events_[b].address) same_place_[a] |= bit(b);
        for (const Model model : kModels)
          if (keeps_order(model, events_[a], events_[b])) kept(model)[a] |= bit(b);
      }
    for (std::size_t r = 0; r < size_; ++r) {
      const std::size_t w = events_[r].source;
      if (!events_[r].reads || w == CandidateEvent::kInitial) continue;
      same_place_[w] |= bit(r);
      for (const Model model : kModels)
        if (model == Model::kSc || events_[w].thread != events_[r].thread) kept(model)[w] |= bit(r);
    }
  }

  Pairs& kept(Model model) { return kept_[static_cast<std::size_t>(model)]; }

  // Every order of the writes to this address and the following ones.
  void order_writes(Writes::iterator address) {
    if (address == writes_.end()) return judge();
    order_from(address, 0);
  }

  // The first so many writes have their places already.
  void order_from(Writes::iterator address, std::size_t placed) {
    std::vector<std::size_t>& order = address->second;
    if (placed == order.size()) {
      const Pairs before = memory_;
      add_memory_relations(address->first, order);
      order_writes(std::next(address));
      memory_ = before;
      return;
    }
    for (std::size_t i = placed; i < order.size(); ++i) {
      if (!is_first_of_its_thread(order, placed, order[i])) continue;
      std::swap(order[placed], order[i]);
      order_from(address, placed + 1);
      std::swap(order[placed], order[i]);
    }
  }

  bool is_first_of_its_thread(const std::vector<std::size_t>& order, std::size_t placed,
                              std::size_t write) const {
    return std::none_of(
        order.begin() + static_cast<std::ptrdiff_t>(placed), order.end(),
        [&](std::size_t other) { return other < write && events_[other].thread == events_[write].thread; });
  }

  // co, and fr to the writes behind the source of a read.
  void add_memory_relations(Value address, const std::vector<std::size_t>& order) {
    Bits behind = 0;
    std::array<Bits, kMostEvents> after{};
    for (auto w = order.rbegin(); w != order.rend(); ++w) {
      memory_[*w] |= behind;
      after[*w] = behind;
      behind |= bit(*w);
    }
    for (std::size_t r = 0; r < size_; ++r) {
      if (!events_[r].reads || events_[r].address != address) continue;
      const std::size_t source = events_[r].source;
      const bool initial = source == CandidateEvent::kInitial;
      if (!initial && fault("lost-from-read")) continue;
      memory_[r] |= (initial ? behind : after[source]) & ~bit(r);
    }
  }

  void judge() {
    if (++outcomes_.candidates > limits_.candidates || (limits_.stopped && limits_.stopped()))
      throw TooMany{};
    if (!acyclic(same_place_, memory_, size_)) return;
    bool allowed = false;
    std::optional<FinalState> state;
    for (const Model model : kModels) {
      allowed = allowed || acyclic(kept(model), memory_, size_);
      if (!allowed) continue;
      if (!state) state = final_state();
      ++outcomes_.of(model).executions;
      outcomes_.of(model).states.insert(*state);
    }
  }

  FinalState final_state() const {
    std::map<Value, Value> cells;
    for (const SharedObject& object : program_.objects)
      for (std::size_t k = 0; k < object.initial.size(); ++k)
        cells[object.base + static_cast<Value>(k) * object.stride] = object.initial[k];
    for (const auto& [address, order] : writes_) cells[address] = events_[order.back()].written;
    std::erase_if(cells, [](const auto& cell) { return cell.second == 0; });
    return {candidate_.registers, {cells.begin(), cells.end()}};
  }

  const Program& program_;
  const AxiomaticLimits& limits_;
  const Candidate& candidate_;
  const std::vector<CandidateEvent>& events_;
  std::size_t size_;
  AxiomaticOutcomes& outcomes_;
  Writes writes_;  // per address, in the order that is tried
  Pairs same_place_{}, memory_{};
  std::array<Pairs, kModels.size()> kept_{};
};

}  // namespace

AxiomaticOutcomes axiomatic_outcomes(const Program& program, const AxiomaticLimits& limits) {
  AxiomaticOutcomes outcomes;
  std::optional<std::string> missing;
  try {
    missing = for_each_candidate(
        program, {limits.steps, limits.local_steps, kMostEvents, limits.stopped},
        [&](const Candidate& candidate) { CandidateCheck(program, limits, candidate, outcomes).run(); });
  } catch (const TooMany&) {
    missing = "there are too many candidate executions";
  }
  outcomes.complete = !missing;
  outcomes.reason = missing.value_or("");
  return outcomes;
}

}  // namespace weir
