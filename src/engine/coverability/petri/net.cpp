#include "engine/coverability/petri/net.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace weir {

Marking normalised(Marking marking) {
  std::ranges::sort(marking);
  Marking result;
  for (const Tokens& tokens : marking) {
    if (tokens.count == 0) continue;
    if (!result.empty() && result.back().place == tokens.place) {
      WEIR_CHECK(tokens.count < PetriNet::kAnyNumber - result.back().count, "token counts fit 32 bits");
      result.back().count += tokens.count;
    } else {
      result.push_back(tokens);
    }
  }
  return result;
}

PlaceId PetriNet::add_place(std::uint32_t initial) {
  initial_.push_back(initial);
  group_of_.push_back(GroupId::none());
  return PlaceId(initial_.size() - 1);
}

TransitionId PetriNet::add_transition(Marking pre, Marking post, std::vector<PlaceId> sets) {
  pre = normalised(std::move(pre));
  post = normalised(std::move(post));
  Bounds& bounds = bounds_.back();
  tokens_.insert(tokens_.end(), pre.begin(), pre.end());
  bounds.post = tokens_.size();
  tokens_.insert(tokens_.end(), post.begin(), post.end());
  for (std::size_t i = bounds.pre; i < tokens_.size(); ++i)
    WEIR_CHECK(tokens_[i].place.index() < place_count(), "transitions touch places of the net");
  set_places_.insert(set_places_.end(), sets.begin(), sets.end());
  bounds_.push_back({.pre = tokens_.size(), .sets = set_places_.size()});
  return TransitionId(transition_count() - 1);
}

GroupId PetriNet::add_exclusive_group(std::span<const PlaceId> places) {
  const GroupId group(groups_.size());
  for (const PlaceId place : places) {
    WEIR_CHECK(!group_of(place), "exclusive groups are disjoint");
    group_of_[place.index()] = group;
  }
  groups_.emplace_back(places.begin(), places.end());
  return group;
}

namespace {

// Per group: what a transition takes from it and puts into it, and how often it sets it.
struct GroupEffect {
  std::uint64_t taken = 0, put = 0, set = 0;
};

class GroupCheck {
 public:
  explicit GroupCheck(const PetriNet& net) : net_(net), effects_(net.group_count()) {}

  bool starts_exclusive(GroupId group) const {
    std::uint64_t sum = 0;
    for (const PlaceId place : net_.group(group)) sum += net_.initial(place);
    return sum == 1;
  }

  bool preserves(TransitionId t) {
    touched_.clear();
    for (const Tokens& tokens : net_.pre(t))
      if (GroupEffect* effect = effect_on(tokens.place)) effect->taken += tokens.count;
    for (const Tokens& tokens : net_.post(t))
      if (GroupEffect* effect = effect_on(tokens.place)) effect->put += tokens.count;
    for (const PlaceId place : net_.sets(t)) {
      GroupEffect* effect = effect_on(place);
      if (!effect) return false;
      ++effect->set;
    }
    bool preserved = true;
    for (const GroupId group : touched_) {
      const GroupEffect effect = std::exchange(effects_[group.index()], {});
      preserved &= effect.set == 0 ? effect.taken == effect.put
                                   : effect.set == 1 && effect.taken == 0 && effect.put == 0;
    }
    return preserved;
  }

 private:
  GroupEffect* effect_on(PlaceId place) {
    const GroupId group = net_.group_of(place);
    if (!group) return nullptr;
    touched_.push_back(group);
    return &effects_[group.index()];
  }

  const PetriNet& net_;
  std::vector<GroupEffect> effects_;
  std::vector<GroupId> touched_;
};

}  // namespace

bool groups_hold(const PetriNet& net) {
  GroupCheck check(net);
  for (std::size_t g = 0; g < net.group_count(); ++g)
    if (!check.starts_exclusive(GroupId(g))) return false;
  for (std::size_t t = 0; t < net.transition_count(); ++t)
    if (!check.preserves(TransitionId(t))) return false;
  return true;
}

const char* name(CoverVerdict verdict) {
  switch (verdict) {
    case CoverVerdict::kCoverable: return "coverable";
    case CoverVerdict::kNotCoverable: return "not-coverable";
    case CoverVerdict::kStopped: return "stopped";
  }
  return "";
}

std::uint64_t FiringSequence::demanded() const {
  std::uint64_t sum = 0;
  for (const Tokens& tokens : demand) sum += tokens.count;
  return sum;
}

void CoverStatistics::publish(Statistics& statistics) const {
  statistics.set("places", places);
  statistics.set("transitions", transitions);
  statistics.set("live places", live_places);
  statistics.set("live transitions", live_transitions);
  search.publish(statistics);
}

}  // namespace weir
