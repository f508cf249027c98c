// Coverability on random small nets. Every answer carries its own proof, which is checked; how many tokens
// are needed at least is compared with brute force on nets without growth, where forward search is exact.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>

#include "engine/coverability/petri/certificate.hpp"
#include "engine/coverability/petri/forward.hpp"
#include "engine/coverability/petri/net.hpp"

namespace weir::petri_random_test {

// A net as plain numbers, each of which may be shrunk. In lists, 0 is no token and others name a place,
// modulo what there is.
struct TransitionGenes {
  std::vector<int> pre, post;
  int cell_action = 0;  // none, require `value`, from `value` to `other`, set to `other`
  int value = 0, other = 0;
};
struct NetGenes {
  int places = 3, cell_values = 2;
  std::vector<int> initial;  // per place: 3 is any number
  std::vector<TransitionGenes> transitions;
  std::vector<int> target;
  int target_value = 0;  // of the cell, if there is such a value
  bool growing = true;   // if not, transitions put at most as many tokens as they take
};

PlaceId pick(const std::vector<PlaceId>& places, int number) {
  return places[static_cast<std::size_t>(number) % places.size()];
}

struct GeneratedNet {
  PetriNet net;
  std::vector<PlaceId> places, cell;
  Marking target;

  explicit GeneratedNet(const NetGenes& genes) {
    for (int i = 0; i < genes.places; ++i) {
      const int initial = genes.initial[static_cast<std::size_t>(i)];
      places.push_back(
          net.add_place(initial == 3 ? PetriNet::kAnyNumber : static_cast<std::uint32_t>(initial)));
    }
    for (int i = 0; i < genes.cell_values; ++i) cell.push_back(net.add_place(i == 0));
    if (!cell.empty()) net.add_exclusive_group(cell);
    for (const TransitionGenes& t : genes.transitions) add(t, genes.growing);
    target = tokens(genes.target, genes.target.size());
    if (static_cast<std::size_t>(genes.target_value) < cell.size())
      target.push_back({cell[static_cast<std::size_t>(genes.target_value)]});
    target = normalised(target);
  }

  Marking tokens(const std::vector<int>& numbers, std::size_t most) const {
    Marking marking;
    for (const int number : numbers)
      if (number > 0 && marking.size() < most) marking.push_back({pick(places, number)});
    return marking;
  }

  void add(const TransitionGenes& genes, bool growing) {
    Marking pre = tokens(genes.pre, genes.pre.size());
    Marking post = tokens(genes.post, growing ? genes.post.size() : pre.size());
    std::vector<PlaceId> sets;
    if (!cell.empty()) {
      const PlaceId value = pick(cell, genes.value), other = pick(cell, genes.other);
      if (genes.cell_action == 1 || genes.cell_action == 2) pre.push_back({value});
      if (genes.cell_action == 1) post.push_back({value});
      if (genes.cell_action == 2) post.push_back({other});
      if (genes.cell_action == 3) sets.push_back(other);
    }
    net.add_transition(pre, post, sets);
  }
};

void showValue(const NetGenes& genes, std::ostream& out) {
  const auto list = [&](const std::vector<int>& numbers) {
    for (const int number : numbers) out << ' ' << number;
  };
  out << genes.places << " places, initially";
  list(genes.initial);
  out << "; " << genes.cell_values << " cell values; target";
  list(genes.target);
  out << ", cell " << genes.target_value << (genes.growing ? "" : "; not growing") << "\n";
  for (const TransitionGenes& t : genes.transitions) {
    list(t.pre);
    out << " ->";
    list(t.post);
    out << "; cell action " << t.cell_action << ": " << t.value << ", " << t.other << "\n";
  }
}

rc::Gen<NetGenes> arbitrary_net(bool growing) {
  const auto numbers = [](std::size_t count) {
    return rc::gen::container<std::vector<int>>(
        count, rc::gen::oneOf(rc::gen::just(0), rc::gen::inRange(0, 7), rc::gen::inRange(0, 7)));
  };
  const auto transition = rc::gen::build<TransitionGenes>(
      rc::gen::set(&TransitionGenes::pre, numbers(3)), rc::gen::set(&TransitionGenes::post, numbers(3)),
      rc::gen::set(&TransitionGenes::cell_action, rc::gen::inRange(0, 4)),
      rc::gen::set(&TransitionGenes::value, rc::gen::inRange(0, 3)),
      rc::gen::set(&TransitionGenes::other, rc::gen::inRange(0, 3)));
  return rc::gen::build<NetGenes>(
      rc::gen::set(&NetGenes::places, rc::gen::inRange(3, 7)),
      rc::gen::set(&NetGenes::cell_values, rc::gen::inRange(0, 4)),
      rc::gen::set(&NetGenes::initial,
                   rc::gen::container<std::vector<int>>(
                       6, rc::gen::weightedElement<int>({{4, 0}, {2, 1}, {1, 2}, {2, 3}}))),
      rc::gen::set(&NetGenes::transitions, rc::gen::container<std::vector<TransitionGenes>>(6, transition)),
      rc::gen::set(&NetGenes::target, numbers(4)),
      rc::gen::set(&NetGenes::target_value, rc::gen::inRange(0, 6)),
      rc::gen::set(&NetGenes::growing, rc::gen::just(growing)));
}

// Forward search from one initial marking, in which no place may hold more than `most` tokens.
class Forward {
 public:
  Forward(const GeneratedNet& generated, std::uint32_t most) : net_(generated.net), most_(most) {}

  bool covers(std::vector<std::uint32_t> marking, const Marking& target) {
    std::set<std::vector<std::uint32_t>> seen{marking};
    std::vector<std::vector<std::uint32_t>> open{marking};
    while (!open.empty()) {
      marking = open.back();
      open.pop_back();
      if (contains(marking, target)) return true;
      for (std::size_t t = 0; t < net_.transition_count(); ++t) {
        auto next = marking;
        if (fire(TransitionId(t), next) && seen.insert(next).second) open.push_back(next);
      }
    }
    return false;
  }

 private:
  static bool contains(const std::vector<std::uint32_t>& marking, std::span<const Tokens> asked) {
    return std::ranges::all_of(asked, [&](const Tokens& t) { return marking[t.place.index()] >= t.count; });
  }
  bool fire(TransitionId t, std::vector<std::uint32_t>& marking) const {
    if (!contains(marking, net_.pre(t))) return false;
    for (const Tokens& tokens : net_.pre(t)) marking[tokens.place.index()] -= tokens.count;
    for (const Tokens& tokens : net_.post(t)) marking[tokens.place.index()] += tokens.count;
    for (const PlaceId set : net_.sets(t)) {
      for (const PlaceId place : net_.group(net_.group_of(set))) marking[place.index()] = 0;
      marking[set.index()] = 1;
    }
    return std::ranges::all_of(marking, [&](std::uint32_t count) { return count <= most_; });
  }

  const PetriNet& net_;
  std::uint32_t most_;
};

// Is the target covered with `total` tokens in the places that may hold any number?
bool covered_with(const GeneratedNet& generated, std::uint32_t total, std::uint32_t most) {
  std::vector<std::uint32_t> marking(generated.net.place_count());
  std::vector<std::size_t> open_places;
  for (std::size_t p = 0; p < marking.size(); ++p) {
    if (generated.net.any_number(PlaceId(p))) {
      open_places.push_back(p);
    } else {
      marking[p] = generated.net.initial(PlaceId(p));
    }
  }
  const std::function<bool(std::size_t, std::uint32_t)> distribute = [&](std::size_t i, std::uint32_t rest) {
    if (i == open_places.size())
      return rest == 0 && Forward(generated, most).covers(marking, generated.target);
    for (std::uint32_t here = 0; here <= rest; ++here) {
      marking[open_places[i]] = here;
      if (distribute(i + 1, rest - here)) return true;
    }
    return false;
  };
  return distribute(0, total);
}

CoverResult checked_answer(const GeneratedNet& generated) {
  Context context(Limits{.timeout = std::chrono::milliseconds(2000)}, {}, false);
  const CoverResult result = coverable(generated.net, generated.target, {.least_demand = true}, context);
  if (result.verdict == CoverVerdict::kCoverable) {
    RC_ASSERT(check_run(generated.net, generated.target, result.run) == "");
  } else if (result.verdict == CoverVerdict::kNotCoverable) {
    RC_ASSERT(check_certificate(generated.net, generated.target, result.certificate) == "");
  }
  const ForwardResult forward = coverable_forward(generated.net, generated.target, {}, context);
  if (forward.verdict != CoverVerdict::kStopped && result.verdict != CoverVerdict::kStopped)
    RC_ASSERT(forward.verdict == result.verdict);
  if (forward.verdict == CoverVerdict::kNotCoverable)
    RC_ASSERT(check_invariant(generated.net, generated.target, forward.invariant) == "");
  return result;
}

// On a net that does not grow.
void compare_least_demand(const GeneratedNet& generated) {
  const CoverResult result = checked_answer(generated);
  if (result.verdict != CoverVerdict::kNotCoverable && !result.least) return;
  constexpr std::uint32_t kMost = 4;
  std::optional<std::uint32_t> least;
  for (std::uint32_t total = 0; total <= kMost && !least; ++total)
    if (covered_with(generated, total, 100)) least = total;
  if (least) {
    RC_ASSERT(result.verdict == CoverVerdict::kCoverable);
    RC_ASSERT(result.run.demanded() == *least);
  } else if (result.verdict == CoverVerdict::kCoverable) {
    RC_ASSERT(result.run.demanded() > kMost);
  }
}

// On any net: forward search with a bound finds some of what can be covered.
void compare_from_below(const GeneratedNet& generated) {
  const CoverResult result = checked_answer(generated);
  if (result.verdict != CoverVerdict::kNotCoverable && !result.least) return;
  for (std::uint32_t total = 0; total <= 2; ++total) {
    if (!covered_with(generated, total, 3)) continue;
    RC_ASSERT(result.verdict == CoverVerdict::kCoverable);
    RC_ASSERT(result.run.demanded() <= total);
    break;
  }
}

constexpr std::size_t kNets = 10;  // per case, of which RapidCheck runs a hundred

RC_GTEST_PROP(RandomNets, TheLeastDemandIsThatOfBruteForce, ()) {
  for (const NetGenes& genes : *rc::gen::container<std::vector<NetGenes>>(kNets, arbitrary_net(false)))
    compare_least_demand(GeneratedNet(genes));
}

RC_GTEST_PROP(RandomNets, WhatForwardSearchCoversIsCoverable, ()) {
  for (const NetGenes& genes : *rc::gen::container<std::vector<NetGenes>>(kNets, arbitrary_net(true)))
    compare_from_below(GeneratedNet(genes));
}

}  // namespace weir::petri_random_test
