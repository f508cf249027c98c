// The part of a Petri net that backward search needs. Searching backward from a target wanders into markings
// that nobody can reach; most of that is avoided by looking forward once, without counting:
//
//  - Forward saturation: a place is live if it is marked at the start or by a live transition; a transition
//  is
//    live if all it takes is live and it does not need two tokens of one exclusive group. Only these remain.
//  - A place from which no live transition takes more than it puts back keeps its initial tokens for ever, so
//    asking for as many is asking for nothing: `floor`. Cells that never change disappear this way.
//
// Places are renumbered so that those of a group are neighbours, and transitions are stored as one sorted
// list of what they do to each place. Linear in the size of the net.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/coverability/petri/net.hpp"

namespace weir {

class LiveNet {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // What a transition does to one place. A set group appears as a place that gains a token.
  struct Touch {
    std::uint32_t place;
    std::uint32_t pre, post;
  };

  explicit LiveNet(const PetriNet& net);

  std::size_t place_count() const { return places_.size(); }
  std::size_t transition_count() const { return transitions_.size(); }

  std::uint32_t number(PlaceId place) const { return number_of_[place.index()]; }  // kNone: dead
  PlaceId place(std::uint32_t number) const { return places_[number]; }
  TransitionId transition(std::uint32_t number) const { return transitions_[number]; }
  std::vector<PlaceId> dead_places() const;

  std::uint32_t initial(std::uint32_t place) const { return initial_[place]; }
  bool any_number(std::uint32_t place) const { return initial_[place] == PetriNet::kAnyNumber; }
  std::uint32_t floor(std::uint32_t place) const { return floor_[place]; }
  // Group of the place, or kNone; the first and one past the last place of a group.
  std::uint32_t group(std::uint32_t place) const { return group_[place]; }
  std::uint32_t group_begin(std::uint32_t group) const { return group_begin_[group]; }
  std::uint32_t group_end(std::uint32_t group) const { return group_end_[group]; }

  std::span<const Touch> touches(std::uint32_t transition) const {
    return row(touches_, touch_begin_, transition);
  }
  std::span<const std::uint32_t> sets(std::uint32_t transition) const {
    return row(sets_, set_begin_, transition);
  }
  // The transitions that put more into the place than they take from it.
  std::span<const std::uint32_t> producers(std::uint32_t place) const {
    return row(producers_, producer_begin_, place);
  }

 private:
  template <class T>
  static std::span<const T> row(const std::vector<T>& table, const std::vector<std::size_t>& begin,
                                std::uint32_t i) {
    return {table.data() + begin[i], table.data() + begin[i + 1]};
  }

  void number_places(const PetriNet& net, const std::vector<bool>& live);
  void add_place(const PetriNet& net, PlaceId place);
  void add_transition(const PetriNet& net, TransitionId t);
  void compute_floors();
  void compute_producers();

  std::vector<std::uint32_t> number_of_;  // per place of the net
  std::vector<PlaceId> places_;
  std::vector<TransitionId> transitions_;
  std::vector<std::uint32_t> initial_, floor_, group_;
  std::vector<std::uint32_t> group_begin_, group_end_;
  std::vector<Touch> touches_;
  std::vector<std::uint32_t> sets_, producers_;
  std::vector<std::size_t> touch_begin_{0}, set_begin_{0}, producer_begin_;
};

}  // namespace weir
