// Petri nets, and whether a marking can be covered in them: reached, or exceeded in every place.
//
// Two things are added to the textbook, both for nets that count the threads of a program [Bouajjani13,
// Section 6]. A place may start with any number of tokens: instances of a thread that are still to start. And
// the caller may declare exclusive groups, places that together always hold exactly one token: the values of
// one cell. A transition can then *set* a group: the token leaves whatever place of the group it is in. That
// is one transition for a store that does not look at the old value, instead of one per old value.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/ids.hpp"
#include "base/statistics.hpp"
#include "engine/coverability/backward_search.hpp"

namespace weir {

using PlaceId = Id<struct PlaceTag>;
using TransitionId = Id<struct TransitionTag>;
using GroupId = Id<struct GroupTag>;

struct Tokens {
  PlaceId place;
  std::uint32_t count = 1;

  friend auto operator<=>(const Tokens&, const Tokens&) = default;
};

// Each place at most once, in ascending order, with a positive count.
using Marking = std::vector<Tokens>;

// Sorted, with the counts of equal places added.
Marking normalised(Marking marking);

class PetriNet {
 public:
  static constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

  PlaceId add_place(std::uint32_t initial = 0);
  // Takes `pre`, puts `post`, and moves the token of the group of each place in `sets` to that place.
  TransitionId add_transition(Marking pre, Marking post, std::vector<PlaceId> sets = {});
  // Groups are disjoint. That they are exclusive is checked by `groups_hold`.
  GroupId add_exclusive_group(std::span<const PlaceId> places);

  std::size_t place_count() const { return initial_.size(); }
  std::size_t transition_count() const { return bounds_.size() - 1; }
  std::size_t group_count() const { return groups_.size(); }

  std::uint32_t initial(PlaceId place) const { return initial_[place.index()]; }
  bool any_number(PlaceId place) const { return initial(place) == kAnyNumber; }
  GroupId group_of(PlaceId place) const { return group_of_[place.index()]; }  // none for most
  std::span<const PlaceId> group(GroupId id) const { return groups_[id.index()]; }
  // Valid until the next transition is added.
  std::span<const Tokens> pre(TransitionId t) const {
    return {tokens_.data() + bounds_[t.index()].pre, tokens_.data() + bounds_[t.index()].post};
  }
  std::span<const Tokens> post(TransitionId t) const {
    return {tokens_.data() + bounds_[t.index()].post, tokens_.data() + bounds_[t.index() + 1].pre};
  }
  std::span<const PlaceId> sets(TransitionId t) const {
    return {set_places_.data() + bounds_[t.index()].sets, set_places_.data() + bounds_[t.index() + 1].sets};
  }

 private:
  // Where the parts of a transition begin in the tables below; they end where those of the next one begin.
  struct Bounds {
    std::size_t pre = 0, post = 0, sets = 0;
  };

  std::vector<std::uint32_t> initial_;
  std::vector<GroupId> group_of_;
  std::vector<std::vector<PlaceId>> groups_;
  std::vector<Tokens> tokens_;  // pre and post of the first transition, pre and post of the second, …
  std::vector<PlaceId> set_places_;
  std::vector<Bounds> bounds_{1};
};

// Does each group hold one token at the start and after every transition, whatever else is marked?
bool groups_hold(const PetriNet& net);

enum class CoverVerdict : std::uint8_t { kCoverable, kNotCoverable, kStopped };

const char* name(CoverVerdict verdict);  // "coverable", "not-coverable", "stopped"

// From the initial marking with `demand` in the places that may hold any number, fire these.
struct FiringSequence {
  Marking demand;
  std::vector<TransitionId> transitions;

  std::uint64_t demanded() const;
};

// Proves that a marking is not coverable; see certificate.hpp.
struct CoverCertificate {
  std::vector<Marking> basis;
  std::vector<PlaceId> dead;  // places that are never marked
};

struct CoverOptions {
  bool least_demand = false;  // find the fewest tokens, in total, that places with any number must start with
  std::string phase = "coverability";
};

struct CoverStatistics {
  std::uint64_t places = 0, transitions = 0;            // of the net
  std::uint64_t live_places = 0, live_transitions = 0;  // that forward saturation leaves
  BackwardStatistics search;

  void publish(Statistics& statistics) const;
};

struct CoverResult {
  CoverVerdict verdict = CoverVerdict::kStopped;
  FiringSequence run;            // coverable
  bool least = false;            // coverable: no other run demands fewer tokens; false if stopped before that
  CoverCertificate certificate;  // not coverable
  CoverStatistics statistics;
};

// The groups must hold.
CoverResult coverable(const PetriNet& net, const Marking& target, const CoverOptions& options,
                      Context& context);

}  // namespace weir
