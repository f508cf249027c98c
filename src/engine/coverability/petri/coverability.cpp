// Coverability in Petri nets, by the backward search. A configuration is a marking, which stands for all
// larger ones; its predecessor by t asks, in each place, for what t takes and what t does not put there:
// pre + max(0, m - post). Only a t that lowers the demand somewhere matters, so those are found by the places
// that they fill. A configuration that asks for two tokens of one exclusive group is unreachable and dropped;
// one that is set by t asks nothing of the group before.
//
// Places that start with any number of tokens are free: what is asked of them can always be had, so the first
// search ignores them, and the demand of the run that it finds is computed afterwards. If the least demand is
// wanted, a second search counts it, starting from that bound. Coverability is EXPSPACE-complete
// [Lipton76, Rackoff78].
#include <absl/container/inlined_vector.h>
#include <algorithm>

#include "base/error.hpp"
#include "engine/coverability/backward_search.hpp"
#include "engine/coverability/petri/live_net.hpp"
#include "engine/coverability/petri/net.hpp"

namespace weir {

namespace {

class NetSystem {
 public:
  struct Entry {
    std::uint32_t place, count;
  };
  using Configuration = absl::InlinedVector<Entry, 7>;  // ascending places, positive counts
  using Label = std::uint32_t;                          // transition of the live net

  NetSystem(const LiveNet& net, bool count_demand) : net_(net) {
    for (std::uint32_t p = 0; p < net.place_count(); ++p) {
      const bool free = net.any_number(p) && !count_demand;
      granted_.push_back(free ? PetriNet::kAnyNumber : net.floor(p));
      refilled_.push_back(!net.producers(p).empty());
    }
  }

  // Nothing if no reachable marking is above this one.
  std::optional<Configuration> configuration(const Marking& marking) const;
  Marking marking(const Configuration& configuration) const;

  int key(const Configuration&) const { return 0; }
  Signature signature(const Configuration& c) const {
    Signature signature;
    for (const Entry& e : c) {
      signature.features |= std::uint64_t{1} << (e.place & 63);
      signature.size += e.count;
    }
    return signature;
  }
  bool covers(const Configuration& a, const Configuration& b) const;
  bool initial(const Configuration& c) const {
    return std::ranges::all_of(c, [&](const Entry& e) { return e.count <= net_.initial(e.place); });
  }
  // Few tokens, and few that are not there at the start; but most of all few outside groups, because only
  // those can become many.
  std::uint64_t weight(const Configuration& c) const {
    std::uint64_t sum = 0;
    for (const Entry& e : c) {
      const std::uint32_t there = net_.initial(e.place);
      sum += e.count + (e.count > there ? e.count - there : 0);
      if (net_.group(e.place) == LiveNet::kNone) sum += std::uint64_t{64} * e.count;
    }
    return sum;
  }
  std::uint64_t cost(const Configuration& c) const {
    return sum_where(c, [&](std::uint32_t p) { return net_.any_number(p); });
  }
  // Going back, demand falls only in places that some transition fills.
  std::uint64_t cost_behind(const Configuration& c) const {
    return sum_where(c, [&](std::uint32_t p) { return net_.any_number(p) && !refilled_[p]; });
  }

  template <class Sink>
  void predecessors(const Configuration& c, const Sink& sink) const {
    for (const Entry& e : c)
      for (const std::uint32_t t : net_.producers(e.place)) {
        Configuration predecessor;
        if (step_back(c, t, e.place, predecessor)) sink(std::move(predecessor), t);
      }
  }

 private:
  // Builds the predecessor of c by t; false if it is unreachable or above c, or if `lowered` is not the first
  // place where it asks for less than c does (t is then tried from that place).
  bool step_back(const Configuration& c, std::uint32_t t, std::uint32_t lowered, Configuration& out) const;
  bool sets_elsewhere(const Configuration& c, std::uint32_t t) const;

  // Appends what is asked of one place; false if its group is asked for two tokens. `last_group` is the group
  // that was asked last.
  bool ask(Configuration& c, std::uint32_t place, std::uint64_t count, std::uint32_t& last_group) const {
    if (count == 0) return true;
    WEIR_CHECK(count < PetriNet::kAnyNumber, "token counts fit 32 bits");
    const std::uint32_t group = net_.group(place);
    if (group != LiveNet::kNone) {
      if (count > 1 || group == last_group) return false;
      last_group = group;
    }
    if (count > granted_[place]) c.push_back({place, static_cast<std::uint32_t>(count)});
    return true;
  }

  template <class Test>
  static std::uint64_t sum_where(const Configuration& c, const Test& test) {
    std::uint64_t sum = 0;
    for (const Entry& e : c)
      if (test(e.place)) sum += e.count;
    return sum;
  }

  const LiveNet& net_;
  std::vector<std::uint32_t> granted_;  // asking a place for as many is asking for nothing
  std::vector<bool> refilled_;          // some transition puts tokens there
};

std::optional<NetSystem::Configuration> NetSystem::configuration(const Marking& marking) const {
  std::vector<Entry> entries;
  for (const Tokens& tokens : normalised(marking)) {
    if (net_.number(tokens.place) == LiveNet::kNone) return std::nullopt;
    entries.push_back({net_.number(tokens.place), tokens.count});
  }
  std::ranges::sort(entries, {}, &Entry::place);
  Configuration result;
  std::uint32_t last_group = LiveNet::kNone;
  for (const Entry& e : entries)
    if (!ask(result, e.place, e.count, last_group)) return std::nullopt;
  return result;
}

Marking NetSystem::marking(const Configuration& configuration) const {
  Marking marking;
  for (const Entry& e : configuration) marking.push_back({net_.place(e.place), e.count});
  return normalised(std::move(marking));
}

bool NetSystem::covers(const Configuration& a, const Configuration& b) const {
  const Entry* in_b = b.data();
  const Entry* const end = b.data() + b.size();
  for (const Entry& e : a) {
    while (in_b != end && in_b->place < e.place) ++in_b;
    if (in_b == end || in_b->place != e.place || in_b->count < e.count) return false;
    ++in_b;
  }
  return true;
}

bool NetSystem::step_back(const Configuration& c, std::uint32_t t, std::uint32_t lowered,
                          Configuration& out) const {
  if (sets_elsewhere(c, t)) return false;
  const std::span<const LiveNet::Touch> touches = net_.touches(t);
  auto asked = c.begin();
  auto touch = touches.begin();
  std::uint32_t last_group = LiveNet::kNone;
  while (asked != c.end() || touch != touches.end()) {
    const bool in_c = asked != c.end() && (touch == touches.end() || asked->place <= touch->place);
    const bool in_t = touch != touches.end() && (asked == c.end() || touch->place <= asked->place);
    const std::uint32_t place = in_c ? asked->place : touch->place;
    const std::uint64_t before = in_c ? asked->count : 0;
    std::uint64_t count = before;
    if (in_t) count = touch->pre + (before > touch->post ? before - touch->post : 0);
    const bool lower = count < before;
    if (place <= lowered && lower != (place == lowered)) return false;
    if (!ask(out, place, count, last_group)) return false;
    if (in_c) ++asked;
    if (in_t) ++touch;
  }
  return true;
}

// Does c ask for a place of a group that t sets to another one?
bool NetSystem::sets_elsewhere(const Configuration& c, std::uint32_t t) const {
  for (const std::uint32_t set : net_.sets(t)) {
    const std::uint32_t group = net_.group(set);
    const auto first = std::ranges::lower_bound(c, net_.group_begin(group), {}, &Entry::place);
    if (first != c.end() && first->place < net_.group_end(group) && first->place != set) return true;
  }
  return false;
}

// What the sequence needs at the start so that the target is covered at its end, in the places that may hold
// any number.
Marking demand_of(const PetriNet& net, const Marking& target, const std::vector<TransitionId>& transitions) {
  std::vector<std::uint64_t> asked(net.place_count());
  for (const Tokens& tokens : target) asked[tokens.place.index()] += tokens.count;
  for (auto t = transitions.rbegin(); t != transitions.rend(); ++t) {
    for (const Tokens& tokens : net.post(*t)) {
      std::uint64_t& count = asked[tokens.place.index()];
      count -= std::min<std::uint64_t>(count, tokens.count);
    }
    for (const PlaceId place : net.sets(*t)) asked[place.index()] = 0;
    for (const Tokens& tokens : net.pre(*t)) asked[tokens.place.index()] += tokens.count;
  }
  Marking demand;
  for (std::size_t p = 0; p < asked.size(); ++p) {
    if (!net.any_number(PlaceId(p)) || asked[p] == 0) continue;
    WEIR_CHECK(asked[p] < PetriNet::kAnyNumber, "token counts fit 32 bits");
    demand.push_back({PlaceId(p), static_cast<std::uint32_t>(asked[p])});
  }
  return demand;
}

class CoverSearch {
 public:
  CoverSearch(const PetriNet& net, const Marking& target, const CoverOptions& options, Context& context)
      : net_(net), live_(net), target_(target), options_(options), context_(context) {
    result_.statistics.places = net.place_count();
    result_.statistics.transitions = net.transition_count();
    result_.statistics.live_places = live_.place_count();
    result_.statistics.live_transitions = live_.transition_count();
  }

  CoverResult run() {
    decide();
    if (result_.verdict == CoverVerdict::kCoverable && options_.least_demand) minimise();
    return std::move(result_);
  }

 private:
  using Found = BackwardResult<NetSystem>;

  void decide() {
    NetSystem system(live_, false);
    const Found found = search(system, {.phase = options_.phase});
    if (found.path) {
      result_.verdict = CoverVerdict::kCoverable;
      take_run(*found.path);
    } else if (found.complete) {
      result_.verdict = CoverVerdict::kNotCoverable;
      for (const auto& element : found.basis) result_.certificate.basis.push_back(system.marking(element));
      result_.certificate.dead = live_.dead_places();
    }
  }

  void minimise() {
    result_.least = result_.run.demand.empty();
    if (result_.least) return;
    NetSystem system(live_, true);
    const Found found = search(
        system,
        {.phase = options_.phase + ", least", .least_cost = true, .cost_limit = result_.run.demanded()});
    if (found.path) take_run(*found.path);
    result_.least = found.complete;
  }

  Found search(NetSystem& system, const BackwardOptions& options) {
    std::vector<NetSystem::Configuration> targets;
    if (auto target = system.configuration(target_)) targets.push_back(std::move(*target));
    Found found = search_backward(system, std::move(targets), options, context_);
    result_.statistics.search += found.statistics;
    return found;
  }

  void take_run(const Found::Path& path) {
    result_.run.transitions.clear();
    for (const std::uint32_t t : path.labels) result_.run.transitions.push_back(live_.transition(t));
    result_.run.demand = demand_of(net_, target_, result_.run.transitions);
  }

  const PetriNet& net_;
  const LiveNet live_;
  const Marking& target_;
  const CoverOptions& options_;
  Context& context_;
  CoverResult result_;
};

}  // namespace

CoverResult coverable(const PetriNet& net, const Marking& target, const CoverOptions& options,
                      Context& context) {
  WEIR_CHECK(groups_hold(net), "exclusive groups always hold one token");
  return CoverSearch(net, target, options, context).run();
}

}  // namespace weir
