#include "engine/coverability/petri/forward.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>

#include "base/error.hpp"
#include "base/sequence_interner.hpp"
#include "engine/coverability/petri/live_net.hpp"

namespace weir {

namespace {

constexpr std::uint32_t kMany = PetriNet::kAnyNumber;

class ForwardSearch {
 public:
  ForwardSearch(const PetriNet& net, const Marking& target, const ForwardOptions& options, Context& context)
      : live_(net), options_(options), context_(context), groups_(net.group_count()) {
    for (const Tokens& tokens : normalised(target)) {
      const std::uint32_t place = live_.number(tokens.place);
      never_marked_ |= place == LiveNet::kNone;
      target_.push_back({place, tokens.count});
    }
    find_anchors();
  }

  ForwardResult run() {
    if (never_marked_) return std::move(result_);
    search();
    if (covered_) {
      result_.verdict = CoverVerdict::kCoverable;
    } else if (!limited_ && !context_.stopped()) {
      result_.verdict = CoverVerdict::kNotCoverable;
      take_invariant();
    }
    result_.markings = nodes_.size();
    return std::move(result_);
  }

 private:
  struct Entry {
    std::uint32_t place, count;
  };
  // Of ungrouped places that hold any; ascending. Places that start with any number always have it, and are
  // left out.
  using Counts = std::vector<Entry>;
  using Control = std::vector<std::uint32_t>;  // per group, the place of its token

  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  struct Node {
    std::uint32_t control = 0;
    std::uint32_t parent = kNoParent;
    bool below = false;  // another one
    Counts counts;
  };

  bool grouped(std::uint32_t place) const { return live_.group(place) != LiveNet::kNone; }
  bool always_there(std::uint32_t place) const { return !grouped(place) && live_.any_number(place); }

  // Each transition is tried where one place that it takes from is marked: if possible one of few threads.
  void find_anchors() {
    at_place_.resize(live_.place_count());
    for (std::uint32_t t = 0; t < live_.transition_count(); ++t) {
      std::uint32_t anchor = LiveNet::kNone;
      for (const LiveNet::Touch& touch : live_.touches(t))
        if (touch.pre > 0 && !always_there(touch.place) && better(touch.place, anchor)) anchor = touch.place;
      (anchor == LiveNet::kNone ? anywhere_ : at_place_[anchor]).push_back(t);
    }
  }

  bool better(std::uint32_t place, std::uint32_t than) const {
    if (than == LiveNet::kNone || !grouped(place)) return than == LiveNet::kNone || grouped(than);
    const auto size = [&](std::uint32_t p) {
      return live_.group_end(live_.group(p)) - live_.group_begin(live_.group(p));
    };
    return grouped(than) && size(place) > size(than);
  }

  void search() {
    Control control(groups_);
    Counts counts;
    for (std::uint32_t place = 0; place < live_.place_count(); ++place) {
      if (live_.initial(place) == 0 || always_there(place)) continue;
      if (grouped(place)) {
        control[live_.group(place)] = place;
      } else {
        counts.push_back({place, live_.initial(place)});
      }
    }
    add(control, std::move(counts), kNoParent);
    while (!open_.empty() && !covered_ && !limited_ && !context_.stopped()) {
      const std::uint32_t node = open_.back();
      open_.pop_back();
      if (!nodes_[node].below) expand(node);
      tell_progress();
    }
  }

  void tell_progress() {
    if (context_.progress_due())
      context_.report_progress({.phase = options_.phase, .states = nodes_.size(), .queue = open_.size()});
  }

  // Until it turns out to be below one of its successors, which can do all that it can.
  void expand(std::uint32_t node) {
    const std::span<const std::uint32_t> row = controls_[nodes_[node].control];
    const Control control(row.begin(), row.end());
    const Counts counts = nodes_[node].counts;
    const auto fire_all = [&](const std::vector<std::uint32_t>& transitions) {
      for (const std::uint32_t t : transitions)
        if (!nodes_[node].below && !covered_ && !limited_) fire(t, node, control, counts);
    };
    fire_all(anywhere_);
    for (const Entry& entry : counts) fire_all(at_place_[entry.place]);
    for (const std::uint32_t place : control) fire_all(at_place_[place]);
  }

  void fire(std::uint32_t t, std::uint32_t node, const Control& control, const Counts& counts) {
    for (const LiveNet::Touch& touch : live_.touches(t))
      if (touch.pre > available(touch.place, control, counts)) return;
    Control next_control = control;
    Counts next;
    auto before = counts.begin();
    for (const LiveNet::Touch& touch : live_.touches(t)) {
      if (grouped(touch.place)) {
        if (touch.post > 0) next_control[live_.group(touch.place)] = touch.place;
        continue;
      }
      if (always_there(touch.place)) continue;
      while (before != counts.end() && before->place < touch.place) next.push_back(*before++);
      std::uint32_t count = 0;
      if (before != counts.end() && before->place == touch.place) count = before++->count;
      if (count != kMany) count = count - touch.pre + touch.post;
      if (count > 0) next.push_back({touch.place, count});
    }
    next.insert(next.end(), before, counts.end());
    add(next_control, std::move(next), node);
  }

  std::uint32_t available(std::uint32_t place, const Control& control, const Counts& counts) const {
    if (grouped(place)) return control[live_.group(place)] == place ? 1 : 0;
    return always_there(place) ? kMany : count_in(counts, place);
  }

  static std::uint32_t count_in(const Counts& counts, std::uint32_t place) {
    const auto found = std::ranges::lower_bound(counts, place, {}, &Entry::place);
    return found != counts.end() && found->place == place ? found->count : 0;
  }

  static bool below(const Counts& small, const Counts& large) {
    auto in_large = large.begin();
    for (const Entry& entry : small) {
      while (in_large != large.end() && in_large->place < entry.place) ++in_large;
      if (in_large == large.end() || in_large->place != entry.place || in_large->count < entry.count)
        return false;
    }
    return true;
  }

  // Where the way from an ancestor to here can be repeated, what it adds can be had in any number.
  void accelerate(std::uint32_t control, Counts& counts, std::uint32_t parent) const {
    for (std::uint32_t at = parent; at != kNoParent; at = nodes_[at].parent) {
      const Node& ancestor = nodes_[at];
      if (ancestor.control != control || !below(ancestor.counts, counts)) continue;
      for (Entry& entry : counts)
        if (entry.count > count_in(ancestor.counts, entry.place)) entry.count = kMany;
    }
  }

  void add(const Control& row, Counts counts, std::uint32_t parent) {
    const std::uint32_t control = controls_.intern(row);
    if (control >= maximal_.size()) maximal_.resize(control + 1);
    std::vector<std::uint32_t>& others = maximal_[control];
    const auto is_below = [&](std::uint32_t other) { return below(counts, nodes_[other].counts); };
    if (std::ranges::any_of(others, is_below)) return;
    accelerate(control, counts, parent);
    std::erase_if(others, [&](std::uint32_t other) {
      if (!below(nodes_[other].counts, counts)) return false;
      nodes_[other].below = true;
      return true;
    });
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    others.push_back(node);
    open_.push_back(node);
    covered_ |= covers(row, counts);
    nodes_.push_back({control, parent, false, std::move(counts)});
    limited_ |= nodes_.size() > options_.most_markings;
  }

  bool covers(const Control& control, const Counts& counts) const {
    return std::ranges::all_of(
        target_, [&](const Entry& entry) { return available(entry.place, control, counts) >= entry.count; });
  }

  void take_invariant() {
    for (const Node& node : nodes_) {
      if (node.below) continue;
      Marking marking;
      for (const std::uint32_t place : controls_[node.control]) marking.push_back({live_.place(place)});
      for (const Entry& entry : node.counts) marking.push_back({live_.place(entry.place), entry.count});
      for (std::uint32_t place = 0; place < live_.place_count(); ++place)
        if (always_there(place)) marking.push_back({live_.place(place), kMany});
      std::ranges::sort(marking);
      result_.invariant.push_back(std::move(marking));
    }
  }

  const LiveNet live_;
  const ForwardOptions& options_;
  Context& context_;
  std::size_t groups_;
  Counts target_;
  bool never_marked_ = false;                         // a place of the target
  std::vector<std::uint32_t> anywhere_;               // transitions
  std::vector<std::vector<std::uint32_t>> at_place_;  // the other transitions
  SequenceInterner<std::uint32_t> controls_;
  std::vector<std::vector<std::uint32_t>> maximal_;  // per control, the nodes that are below no other
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;
  bool covered_ = false, limited_ = false;
  ForwardResult result_;
};

}  // namespace

ForwardResult coverable_forward(const PetriNet& net, const Marking& target, const ForwardOptions& options,
                                Context& context) {
  WEIR_CHECK(groups_hold(net), "exclusive groups always hold one token");
  return ForwardSearch(net, target, options, context).run();
}

}  // namespace weir
