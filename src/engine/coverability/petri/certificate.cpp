#include "engine/coverability/petri/certificate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace weir {

namespace {

using Counts = std::map<PlaceId, std::uint64_t>;  // only positive counts

Counts counts_of(const Marking& marking) {
  Counts counts;
  for (const Tokens& tokens : marking)
    if (tokens.count > 0) counts[tokens.place] += tokens.count;
  return counts;
}

bool above(const Counts& large, const Counts& small) {
  return std::ranges::all_of(small, [&](const auto& entry) {
    const auto found = large.find(entry.first);
    return found != large.end() && found->second >= entry.second;
  });
}

bool contains(std::span<const PlaceId> places, PlaceId place) {
  return std::ranges::find(places, place) != places.end();
}

std::uint64_t sum_in(std::span<const Tokens> tokens, std::span<const PlaceId> places) {
  std::uint64_t sum = 0;
  for (const Tokens& entry : tokens)
    if (contains(places, entry.place)) sum += entry.count;
  return sum;
}

bool exclusive(const PetriNet& net, GroupId group) {
  const std::span<const PlaceId> places = net.group(group);
  std::uint64_t sum = 0;
  for (const PlaceId place : places) sum += net.initial(place);
  if (sum != 1) return false;
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const TransitionId t(i);
    const std::uint64_t taken = sum_in(net.pre(t), places), put = sum_in(net.post(t), places);
    const auto set = std::ranges::count_if(net.sets(t), [&](PlaceId p) { return contains(places, p); });
    if (set == 0 ? taken != put : set > 1 || taken + put > 0) return false;
  }
  return true;
}

bool sets_of_groups_only(const PetriNet& net) {
  for (std::size_t t = 0; t < net.transition_count(); ++t)
    for (const PlaceId place : net.sets(TransitionId(t)))
      if (!net.group_of(place)) return false;
  return true;
}

// What is wrong with the groups; empty if each holds one token for ever.
std::string mistake_in_groups(const PetriNet& net) {
  for (std::size_t g = 0; g < net.group_count(); ++g)
    if (!exclusive(net, GroupId(g))) return fmt::format("group {} is not exclusive", g);
  return sets_of_groups_only(net) ? "" : "a transition sets a place that is in no group";
}

class CertificateCheck {
 public:
  CertificateCheck(const PetriNet& net, const CoverCertificate& certificate)
      : net_(net), dead_(certificate.dead) {
    for (const Marking& marking : certificate.basis) basis_.push_back(counts_of(marking));
  }

  std::string run(const Marking& target) const {
    if (const std::string mistake = mistake_in_groups(net_); !mistake.empty()) return mistake;
    for (const PlaceId place : dead_)
      if (net_.initial(place) != 0) return fmt::format("dead place {} is marked at the start", place.index());
    for (std::size_t t = 0; t < net_.transition_count(); ++t)
      if (!leaves_dead(TransitionId(t))) return fmt::format("transition {} marks a dead place", t);
    if (!accounted_for(counts_of(target))) return "the target is not above the basis";
    for (std::size_t i = 0; i < basis_.size(); ++i) {
      if (below_initial(basis_[i])) return fmt::format("an initial marking is above element {}", i);
      for (std::size_t t = 0; t < net_.transition_count(); ++t)
        if (!closed_under(basis_[i], TransitionId(t)))
          return fmt::format("the predecessor of element {} by transition {} is not above the basis", i, t);
    }
    return "";
  }

 private:
  bool leaves_dead(TransitionId t) const {
    const auto is_dead = [&](PlaceId place) { return contains(dead_, place); };
    const bool marks = std::ranges::any_of(net_.post(t), is_dead, &Tokens::place) ||
                       std::ranges::any_of(net_.sets(t), is_dead);
    return !marks || std::ranges::any_of(net_.pre(t), is_dead, &Tokens::place) || !possible(t);
  }

  bool possible(TransitionId t) const { return !asks_too_much({net_.pre(t).begin(), net_.pre(t).end()}); }

  bool asks_too_much(const Marking& marking) const {
    for (std::size_t g = 0; g < net_.group_count(); ++g)
      if (sum_in(marking, net_.group(GroupId(g))) > 1) return true;
    return false;
  }

  bool below_initial(const Counts& counts) const {
    return std::ranges::all_of(counts, [&](const auto& entry) {
      return net_.any_number(entry.first) || net_.initial(entry.first) >= entry.second;
    });
  }

  bool unreachable(const Counts& counts) const {
    std::map<GroupId, std::uint64_t> asked;
    for (const auto& [place, count] : counts) {
      if (contains(dead_, place)) return true;
      const GroupId group = net_.group_of(place);
      if (group && (asked[group] += count) > 1) return true;
    }
    return false;
  }

  bool accounted_for(const Counts& counts) const {
    return unreachable(counts) ||
           std::ranges::any_of(basis_, [&](const Counts& element) { return above(counts, element); });
  }

  bool closed_under(const Counts& element, TransitionId t) const {
    Counts before = element;
    for (const PlaceId set : net_.sets(t))
      for (const PlaceId place : net_.group(net_.group_of(set))) {
        if (place != set && before.contains(place)) return true;  // t does not lead above the element
        before.erase(place);
      }
    for (const Tokens& tokens : net_.post(t)) {
      const auto found = before.find(tokens.place);
      if (found == before.end()) continue;
      if (found->second <= tokens.count) {
        before.erase(found);
      } else {
        found->second -= tokens.count;
      }
    }
    for (const Tokens& tokens : net_.pre(t)) before[tokens.place] += tokens.count;
    return above(before, element) || accounted_for(before);
  }

  const PetriNet& net_;
  const std::vector<PlaceId>& dead_;
  std::vector<Counts> basis_;
};

// Markings are tables of all places here; kAnyNumber is larger than every count and stays what it is.
class InvariantCheck {
 public:
  InvariantCheck(const PetriNet& net, const std::vector<Marking>& invariant) : net_(net) {
    for (const Marking& marking : invariant) {
      Table table(net.place_count());
      for (const Tokens& tokens : marking) table[tokens.place.index()] = tokens.count;
      with_groups_[places_of_groups(table)].push_back(elements_.size());
      elements_.push_back(std::move(table));
    }
  }

  std::string run(const Marking& target) const {
    if (const std::string mistake = mistake_in_groups(net_); !mistake.empty()) return mistake;
    Table initial(net_.place_count());
    for (std::size_t p = 0; p < initial.size(); ++p) initial[p] = net_.initial(PlaceId(p));
    if (!below_an_element(initial)) return "the initial marking is not below an element";
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (has(elements_[i], target)) return fmt::format("element {} is above the target", i);
      for (std::size_t t = 0; t < net_.transition_count(); ++t) {
        const auto pre = net_.pre(TransitionId(t));
        if (has(elements_[i], pre) && !below_an_element(fired(elements_[i], TransitionId(t))))
          return fmt::format("what transition {} makes of element {} is not below an element", t, i);
      }
    }
    return "";
  }

 private:
  using Table = std::vector<std::uint32_t>;

  static bool has(const Table& table, std::span<const Tokens> tokens) {
    return std::ranges::all_of(
        tokens, [&](const Tokens& asked) { return table[asked.place.index()] >= asked.count; });
  }

  Table fired(Table table, TransitionId t) const {
    const auto change = [&](PlaceId place, std::uint32_t count, bool add) {
      std::uint32_t& here = table[place.index()];
      if (here != PetriNet::kAnyNumber) here = add ? here + count : here - count;
    };
    for (const Tokens& tokens : net_.pre(t)) change(tokens.place, tokens.count, false);
    for (const Tokens& tokens : net_.post(t)) change(tokens.place, tokens.count, true);
    for (const PlaceId set : net_.sets(t)) {
      for (const PlaceId place : net_.group(net_.group_of(set))) table[place.index()] = 0;
      table[set.index()] = 1;
    }
    return table;
  }

  std::vector<std::size_t> places_of_groups(const Table& table) const {
    std::vector<std::size_t> places;
    for (std::size_t g = 0; g < net_.group_count(); ++g)
      for (const PlaceId place : net_.group(GroupId(g)))
        if (table[place.index()] > 0) places.push_back(place.index());
    return places;
  }

  bool below_an_element(const Table& table) const {
    const auto found = with_groups_.find(places_of_groups(table));
    return found != with_groups_.end() && std::ranges::any_of(found->second, [&](std::size_t i) {
             return std::ranges::equal(table, elements_[i], std::less_equal{});
           });
  }

  const PetriNet& net_;
  std::vector<Table> elements_;
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> with_groups_;
};

}  // namespace

std::string check_invariant(const PetriNet& net, const Marking& target,
                            const std::vector<Marking>& invariant) {
  return InvariantCheck(net, invariant).run(target);
}

std::string check_certificate(const PetriNet& net, const Marking& target,
                              const CoverCertificate& certificate) {
  return CertificateCheck(net, certificate).run(target);
}

std::string check_run(const PetriNet& net, const Marking& target, const FiringSequence& run) {
  std::vector<std::uint64_t> marked(net.place_count());
  for (std::size_t p = 0; p < marked.size(); ++p)
    if (!net.any_number(PlaceId(p))) marked[p] = net.initial(PlaceId(p));
  for (const Tokens& tokens : run.demand) {
    if (!net.any_number(tokens.place)) return "demands tokens of a place with a fixed number";
    marked[tokens.place.index()] += tokens.count;
  }
  for (std::size_t i = 0; i < run.transitions.size(); ++i) {
    const TransitionId t = run.transitions[i];
    for (const Tokens& tokens : net.pre(t)) {
      if (marked[tokens.place.index()] < tokens.count) return fmt::format("step {} is not enabled", i);
      marked[tokens.place.index()] -= tokens.count;
    }
    for (const Tokens& tokens : net.post(t)) marked[tokens.place.index()] += tokens.count;
    for (const PlaceId set : net.sets(t)) {
      for (const PlaceId place : net.group(net.group_of(set))) marked[place.index()] = 0;
      marked[set.index()] = 1;
    }
  }
  for (const Tokens& tokens : target)
    if (marked[tokens.place.index()] < tokens.count) return "the target is not covered at the end";
  return "";
}

}  // namespace weir
