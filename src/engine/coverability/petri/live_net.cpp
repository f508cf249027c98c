#include "engine/coverability/petri/live_net.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace weir {

namespace {

// Forward saturation. Each transition waits for the places it takes from; a place that becomes live is struck
// off the lists of those that wait for it.
class Saturation {
 public:
  explicit Saturation(const PetriNet& net)
      : net_(net),
        live_place_(net.place_count()),
        waits_for_(net.transition_count()),
        waiting_(net.place_count()) {
    for (std::size_t t = 0; t < net.transition_count(); ++t) wait(TransitionId(t));
    for (std::size_t p = 0; p < net.place_count(); ++p)
      if (net.initial(PlaceId(p)) > 0) mark(PlaceId(p));
    while (!fresh_.empty()) {
      const PlaceId place = fresh_.back();
      fresh_.pop_back();
      for (const TransitionId t : waiting_[place.index()])
        if (--waits_for_[t.index()] == 0) fire(t);
    }
    std::ranges::sort(live_transitions_);
  }

  const std::vector<bool>& live_places() const { return live_place_; }
  const std::vector<TransitionId>& live_transitions() const { return live_transitions_; }

 private:
  // The places of `pre` are sorted by place, not by group, but there are few of them.
  bool asks_twice_of_a_group(TransitionId t) const {
    const auto pre = net_.pre(t);
    for (std::size_t i = 0; i < pre.size(); ++i) {
      const GroupId group = net_.group_of(pre[i].place);
      if (!group) continue;
      if (pre[i].count > 1) return true;
      for (std::size_t j = 0; j < i; ++j)
        if (net_.group_of(pre[j].place) == group) return true;
    }
    return false;
  }

  void wait(TransitionId t) {
    if (asks_twice_of_a_group(t)) return;
    waits_for_[t.index()] = net_.pre(t).size();
    for (const Tokens& tokens : net_.pre(t)) waiting_[tokens.place.index()].push_back(t);
    if (net_.pre(t).empty()) fire(t);
  }

  void fire(TransitionId t) {
    live_transitions_.push_back(t);
    for (const Tokens& tokens : net_.post(t)) mark(tokens.place);
    for (const PlaceId place : net_.sets(t)) mark(place);
  }

  void mark(PlaceId place) {
    if (live_place_[place.index()]) return;
    live_place_[place.index()] = true;
    fresh_.push_back(place);
  }

  const PetriNet& net_;
  std::vector<bool> live_place_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::vector<TransitionId>> waiting_;
  std::vector<PlaceId> fresh_;
  std::vector<TransitionId> live_transitions_;
};

}  // namespace

LiveNet::LiveNet(const PetriNet& net) : number_of_(net.place_count(), kNone) {
  const Saturation saturation(net);
  number_places(net, saturation.live_places());
  for (const TransitionId t : saturation.live_transitions()) add_transition(net, t);
  compute_floors();
  compute_producers();
}

std::vector<PlaceId> LiveNet::dead_places() const {
  std::vector<PlaceId> dead;
  for (std::size_t p = 0; p < number_of_.size(); ++p)
    if (number_of_[p] == kNone) dead.emplace_back(p);
  return dead;
}

void LiveNet::number_places(const PetriNet& net, const std::vector<bool>& live) {
  for (std::size_t g = 0; g < net.group_count(); ++g) {
    group_begin_.push_back(static_cast<std::uint32_t>(places_.size()));
    for (const PlaceId place : net.group(GroupId(g)))
      if (live[place.index()]) add_place(net, place);
    group_end_.push_back(static_cast<std::uint32_t>(places_.size()));
  }
  for (std::size_t p = 0; p < net.place_count(); ++p)
    if (live[p] && !net.group_of(PlaceId(p))) add_place(net, PlaceId(p));
}

void LiveNet::add_place(const PetriNet& net, PlaceId place) {
  number_of_[place.index()] = static_cast<std::uint32_t>(places_.size());
  places_.push_back(place);
  initial_.push_back(net.initial(place));
  group_.push_back(net.group_of(place) ? net.group_of(place).index() : kNone);
}

void LiveNet::add_transition(const PetriNet& net, TransitionId t) {
  std::vector<Touch> touches;
  for (const Tokens& tokens : net.pre(t)) touches.push_back({number(tokens.place), tokens.count, 0});
  for (const Tokens& tokens : net.post(t)) touches.push_back({number(tokens.place), 0, tokens.count});
  for (const PlaceId place : net.sets(t)) touches.push_back({number(place), 0, 1});
  std::ranges::sort(touches, {}, &Touch::place);
  const std::size_t first = touches_.size();
  for (const Touch& touch : touches) {
    if (touches_.size() > first && touches_.back().place == touch.place) {
      touches_.back().pre += touch.pre;
      touches_.back().post += touch.post;
    } else {
      touches_.push_back(touch);
    }
  }
  for (const PlaceId place : net.sets(t)) sets_.push_back(number(place));
  touch_begin_.push_back(touches_.size());
  set_begin_.push_back(sets_.size());
  transitions_.push_back(t);
}

void LiveNet::compute_floors() {
  floor_ = initial_;
  for (std::uint32_t p = 0; p < place_count(); ++p)
    if (any_number(p)) floor_[p] = 0;
  for (const Touch& touch : touches_)
    if (touch.pre > touch.post) floor_[touch.place] = 0;
  for (const std::uint32_t set : sets_)
    for (std::uint32_t p = group_begin(group(set)); p < group_end(group(set)); ++p)
      if (p != set) floor_[p] = 0;
}

void LiveNet::compute_producers() {
  std::vector<std::vector<std::uint32_t>> lists(place_count());
  for (std::uint32_t t = 0; t < transition_count(); ++t)
    for (const Touch& touch : touches(t))
      if (touch.post > touch.pre) lists[touch.place].push_back(t);
  producer_begin_.push_back(0);
  for (const auto& list : lists) {
    producers_.insert(producers_.end(), list.begin(), list.end());
    producer_begin_.push_back(producers_.size());
  }
}

}  // namespace weir
