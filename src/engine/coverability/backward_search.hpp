// Is a configuration above a target reachable? Backward search in well-structured transition systems
// [Abdulla96, FinkelSchnoebelen01]: configurations are well-quasi-ordered, and whatever a configuration can
// do, a larger one can do as well. So the configurations that reach the target are an upward closed set,
// given by its finitely many minimal elements, the basis. It starts as the target; minimal predecessors are
// added until nothing new comes, which must happen because no infinite sequence avoids being above an earlier
// element. The basis then proves that no initial configuration reaches the target.
//
// Differs from the textbook in the order: elements are expanded lightest first, and an element above a new
// one leaves the basis and is not expanded. The cost is the number of configurations generated times a
// look-up in the index; there is no useful bound on that number.
//
// A system that allows it is searched by several workers: they expand the next few elements, and look up what
// they find in the basis as it was before; then what is left is added, in order. How many elements that are
// does not depend on the number of workers, so neither does the answer, nor any figure.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "base/error.hpp"
#include "base/statistics.hpp"
#include "base/threads/workers.hpp"
#include "engine/coverability/subsumption_index.hpp"

namespace weir {

// What the search asks of a system. `a` is below `b` if everything above b is above a.
//   key(c)              what comparable configurations share, e.g. control state and memory; may be constant.
//                       See also Layered
//   signature(c)        a cheap necessary condition: see Signature
//   covers(a, b)        is a below b? Asked only if their keys are equal and their signatures allow it
//   predecessors(c, s)  calls s(predecessor, label) so that the predecessors are a finite basis of all
//                       configurations with a step to something above c. Those that are above c, or that
//                       cannot be reached, may be left out.
//   initial(c)          is an initial configuration above c?
//   weight(c)           lighter configurations are expanded first
template <class S>
concept WellStructured = std::movable<typename S::Configuration> && std::copyable<typename S::Label> &&
    requires(S& system, const typename S::Configuration& c,
             void (*sink)(typename S::Configuration&&, const typename S::Label&)) {
  absl::Hash<std::remove_cvref_t<decltype(system.key(c))>>();
  { system.signature(c) } -> std::same_as<Signature>;
  { system.covers(c, c) } -> std::same_as<bool>;
  { system.initial(c) } -> std::same_as<bool>;
  { system.weight(c) } -> std::convertible_to<std::uint64_t>;
  system.predecessors(c, sink);
};

// A system in which configurations with different keys can be comparable, but with few keys below a given
// one.
//   keys_below(c)            about how many there are
//   any_key_below(c, visit)  calls visit(key) for the keys of all that may be below c, its own included,
//   until
//                            one returns true; returns whether one did
template <class S>
concept Layered = WellStructured<S> && requires(S& system, const typename S::Configuration& c) {
  { system.keys_below(c) } -> std::convertible_to<std::uint64_t>;
  {
    system.any_key_below(c, [](const auto&) { return true; })
    } -> std::same_as<bool>;
};

// A system whose functions may be called by several threads at a time.
template <class S>
concept Concurrent = WellStructured<S> && S::kConcurrent;

// A system in which one can ask for the cheapest way to the target. Both figures grow along the order.
//   cost(c)         of the cheapest initial configuration above c, if there is one
//   cost_behind(c)  at most the cost of any initial configuration from which c, or something above it, is
//                   reached
template <class S>
concept Priced = WellStructured<S> && requires(S& system, const typename S::Configuration& c) {
  { system.cost(c) } -> std::convertible_to<std::uint64_t>;
  { system.cost_behind(c) } -> std::convertible_to<std::uint64_t>;
};

// What the caller wants to find in a checkpoint besides, with `look_at`.
struct BackwardNotes {
  std::vector<std::vector<std::uint64_t>> words;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("notes");
    archive(words);
  }
};

struct BackwardOptions {
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  std::string phase = "backward";       // in progress reports
  bool least_cost = false;              // go on to the cheapest initial configuration; needs a Priced system
  std::uint64_t cost_limit = kNoLimit;  // least_cost: only what is cheaper than this counts
  std::size_t jobs = 1;                 // for Concurrent systems
  // If set, what is known is saved there now and then, and what was saved is where the search begins. Needs
  // configurations and labels that can be saved (base/archive.hpp).
  Checkpoint* checkpoint = nullptr;
  BackwardNotes notes = {};
};

struct BackwardStatistics {
  std::uint64_t generated = 0;  // predecessors computed, and the targets
  std::uint64_t subsumed = 0;   // of these, dropped because something below them was known
  std::uint64_t removed = 0;    // left the basis when something below them came
  std::uint64_t expanded = 0;
  std::uint64_t kept = 0;   // in the basis at the end
  std::uint64_t depth = 0;  // longest chain of predecessors

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(generated, subsumed, removed, expanded, kept, depth);
  }
  void publish(Statistics& statistics) const {
    statistics.set("configurations kept", kept);
    statistics.set("configurations generated", generated);
    statistics.set("configurations subsumed", subsumed);
    statistics.set("configurations removed", removed);
    statistics.set("configurations expanded", expanded);
    statistics.set("depth", depth);
  }
  BackwardStatistics& operator+=(const BackwardStatistics& other) {
    generated += other.generated;
    subsumed += other.subsumed;
    removed += other.removed;
    expanded += other.expanded;
    kept = other.kept;
    depth = std::max(depth, other.depth);
    return *this;
  }
};

template <class S>
struct BackwardResult {
  // A way from an initial configuration above `start` to something above a target.
  struct Path {
    typename S::Configuration start;
    std::vector<typename S::Label> labels;  // in the order in which the steps are taken
    std::size_t target = 0;
    std::uint64_t cost = 0;  // least_cost only
  };

  std::optional<Path> path;
  // The search ended by itself: without a path, the target is not reachable (within the cost limit); with a
  // path and least_cost, there is no cheaper one.
  bool complete = false;
  std::vector<typename S::Configuration> basis;  // complete and without a path: the proof
  BackwardStatistics statistics;
};

template <WellStructured System>
class BackwardSearch {
 public:
  using Configuration = typename System::Configuration;
  using Label = typename System::Label;
  using Result = BackwardResult<System>;

  BackwardSearch(System& system, const BackwardOptions& options, Context& context)
      : system_(system), options_(options), context_(context), cost_limit_(options.cost_limit) {
    WEIR_CHECK(!options.least_cost || Priced<System>, "costs are asked of a system that has some");
    WEIR_CHECK(options.checkpoint == nullptr || kSaves, "checkpoints are of what can be saved");
  }

  // May be called once.
  Result run(std::vector<Configuration> targets) {
    if (!resume())
      for (std::size_t i = 0; i < targets.size(); ++i) {
        Candidate candidate{std::move(targets[i]), {}, kNone, i};
        added_.clear();
        prepare(candidate);
        admit(std::move(candidate));
      }
    std::optional<Workers> workers;
    if (Concurrent<System> && options_.jobs > 1) workers.emplace(options_.jobs);
    while (!finished()) {
      save_if(options_.checkpoint != nullptr && options_.checkpoint->due());
      take_lightest();
      if (taken_ == 0) break;
      if (workers && taken_ == kTaken)
        workers->run(taken_, [&](std::size_t i) { expand(expansions_[i]); });
      else
        for (std::size_t i = 0; i < taken_; ++i) expand(expansions_[i]);
      added_.clear();
      for (std::size_t i = 0; i < taken_; ++i) admit_all(expansions_[i]);
    }
    save_if(context_.stopped() && found_ == kNone && !exhausted_);
    return result();
  }

  // Between two rounds of `run`. What is in the basis and what waits follows from the elements.
  template <class Archive>
  void transfer(Archive& archive) {
    BackwardNotes notes = options_.notes;
    notes.transfer(archive);
    archive.section("basis");
    archive(statistics_, cost_limit_, found_, elements_);
    if constexpr (Archive::kReads)
      for (std::size_t i = 0; i < elements_.size(); ++i) restore(static_cast<Index>(i));
  }

 private:
  using Index = std::uint32_t;
  using Key = std::remove_cvref_t<decltype(std::declval<System&>().key(std::declval<Configuration&>()))>;
  static constexpr Index kNone = 0xFFFFFFFF;
  // So many keys are looked up in less time than the tree of all elements takes.
  static constexpr std::uint64_t kFewKeys = 64;
  static constexpr bool kSaves = detail::Archivable<Configuration> && detail::Archivable<Label>;
  // How many elements are expanded before what they give is added.
  static constexpr std::size_t kTaken = Concurrent<System> ? 32 : 1;

  struct Candidate {
    Configuration configuration;
    Label label{};
    Index successor = kNone;
    std::size_t target = 0;
    Signature signature{};
    Key key{};
    bool subsumed = false;     // by something in the basis as it was when the candidate was prepared
    std::vector<Index> above;  // what was above it then
  };
  struct Expansion {
    Index element = kNone;
    std::vector<Candidate> candidates;
  };
  // Elements that left the basis stay in the table, because paths lead through them.
  struct Element {
    Configuration configuration{};
    Signature signature{};
    Key key{};
    Index successor = kNone;  // the element that this one is a predecessor of, by a step with this label
    Label label{};
    std::uint32_t target = 0;
    std::uint32_t depth = 0;
    bool kept = true;
    bool waits = true;  // to be expanded

    // Without what follows from the configuration.
    template <class Archive>
    void transfer(Archive& archive) {
      archive(configuration, successor, label, target, depth, kept, waits);
    }
  };
  struct Waiting {
    std::uint64_t cost_behind, weight;
    Index index;
    // Of equal ones the oldest comes first, which keeps paths short and runs repeatable.
    friend auto operator<=>(const Waiting&, const Waiting&) = default;
  };

  bool finished() {
    if (context_.progress_due())
      context_.report_progress({options_.phase, statistics_.kept, waiting_.size(), statistics_.depth});
    return context_.stopped() || (found_ != kNone && !options_.least_cost);
  }

  bool resume() {
    if (options_.checkpoint == nullptr || !options_.checkpoint->found()) return false;
    if constexpr (kSaves) options_.checkpoint->load(*this);
    return true;
  }

  void save_if(bool wanted) {
    if constexpr (kSaves)
      if (wanted && options_.checkpoint != nullptr) options_.checkpoint->save(*this);
  }

  void restore(Index index) {
    Element& element = elements_[index];
    if (element.successor != kNone && element.successor >= elements_.size())
      throw ArchiveError("a configuration comes from one that is not there");
    element.signature = system_.signature(element.configuration);
    element.key = system_.key(element.configuration);
    if (!element.kept) return;
    basis_[element.key].insert(element.signature, index);
    if constexpr (Layered<System>) all_.insert(element.signature, index);
    if (element.waits)
      waiting_.push({cost_behind(element.configuration), system_.weight(element.configuration), index});
  }

  void take_lightest() {
    for (taken_ = 0; taken_ < kTaken && !waiting_.empty();) {
      const Waiting next = waiting_.top();
      waiting_.pop();
      elements_[next.index].waits = false;
      if (elements_[next.index].kept && next.cost_behind < cost_limit_)
        expansions_[taken_++].element = next.index;
    }
    exhausted_ = taken_ == 0;
  }

  // Collects the predecessors, touching nothing but the expansion.
  void expand(Expansion& expansion) const {
    expansion.candidates.clear();
    const Element& element = elements_[expansion.element];
    system_.predecessors(element.configuration, [&](Configuration&& predecessor, const Label& label) {
      expansion.candidates.push_back({std::move(predecessor), label, expansion.element, element.target});
      prepare(expansion.candidates.back());
    });
  }

  void prepare(Candidate& candidate) const {
    candidate.signature = system_.signature(candidate.configuration);
    candidate.key = system_.key(candidate.configuration);
    candidate.subsumed = subsumed(candidate);
    if (!candidate.subsumed) find_above(candidate);
  }

  // What comes of an element that has left the basis meanwhile is covered by what comes of the one that
  // removed it.
  void admit_all(Expansion& expansion) {
    if (!elements_[expansion.element].kept) return;
    ++statistics_.expanded;
    for (Candidate& candidate : expansion.candidates) {
      // Half of a round could not be saved.
      if (options_.checkpoint == nullptr ? finished() : found_ != kNone && !options_.least_cost) return;
      admit(std::move(candidate));
    }
  }

  // Adds the candidate to the basis unless something below it is there.
  void admit(Candidate&& candidate) {
    ++statistics_.generated;
    const std::uint64_t behind = cost_behind(candidate.configuration);
    if (behind >= cost_limit_) return;
    if (candidate.subsumed || subsumed_by_added(candidate)) {
      ++statistics_.subsumed;
      return;
    }
    remove_above(candidate);
    const Signature signature = candidate.signature;
    const Key key = candidate.key;
    const Index added = add(std::move(candidate));
    added_.push_back(added);
    basis_[key].insert(signature, added);
    if constexpr (Layered<System>) all_.insert(signature, added);
    if (system_.initial(elements_[added].configuration)) reached_initial(added);
    waiting_.push({behind, system_.weight(elements_[added].configuration), added});
  }

  bool subsumed(const Candidate& candidate) const {
    const auto covers = [&](Index other) {
      return system_.covers(elements_[other].configuration, candidate.configuration);
    };
    const auto below_with = [&](const Key& key) {
      const auto index = basis_.find(key);
      return index != basis_.end() && index->second.any_below(candidate.signature, covers);
    };
    if constexpr (Layered<System>) {
      if (system_.keys_below(candidate.configuration) <= kFewKeys + statistics_.kept / 8)
        return system_.any_key_below(candidate.configuration, below_with);
      return all_.any_below(candidate.signature, covers);
    } else {
      return below_with(candidate.key);
    }
  }

  // Keys of configurations that may be comparable.
  static bool comparable(const Key& a, const Key& b) { return Layered<System> || a == b; }

  // By what was added since it was prepared.
  bool subsumed_by_added(const Candidate& candidate) const {
    return std::ranges::any_of(added_, [&](Index other) {
      return elements_[other].kept && comparable(elements_[other].key, candidate.key) &&
             may_be_below(elements_[other].signature, candidate.signature) &&
             system_.covers(elements_[other].configuration, candidate.configuration);
    });
  }

  void find_above(Candidate& candidate) const {
    const auto note = [&](Index other) {
      if (system_.covers(candidate.configuration, elements_[other].configuration))
        candidate.above.push_back(other);
    };
    if constexpr (Layered<System>)
      all_.for_each_above(candidate.signature, note);
    else if (const auto index = basis_.find(candidate.key); index != basis_.end())
      index->second.for_each_above(candidate.signature, note);
  }

  void remove_above(Candidate& candidate) {
    for (const Index other : added_)
      if (comparable(elements_[other].key, candidate.key) &&
          may_be_below(candidate.signature, elements_[other].signature) &&
          system_.covers(candidate.configuration, elements_[other].configuration))
        candidate.above.push_back(other);
    std::erase_if(candidate.above, [&](Index other) { return !elements_[other].kept; });
    for (const Index other : candidate.above) {
      Element& element = elements_[other];
      basis_[element.key].erase(element.signature, other);
      if constexpr (Layered<System>) all_.erase(element.signature, other);
      element.kept = false;
    }
    statistics_.removed += candidate.above.size();
    statistics_.kept -= candidate.above.size();
  }

  Index add(Candidate&& candidate) {
    const auto index = static_cast<Index>(elements_.size());
    WEIR_CHECK(index != kNone, "more than four billion configurations");
    const std::uint32_t depth = candidate.successor == kNone ? 0 : elements_[candidate.successor].depth + 1;
    elements_.push_back({std::move(candidate.configuration), candidate.signature, candidate.key,
                         candidate.successor, std::move(candidate.label),
                         static_cast<std::uint32_t>(candidate.target), depth, true, true});
    statistics_.depth = std::max<std::uint64_t>(statistics_.depth, depth);
    ++statistics_.kept;
    return index;
  }

  void reached_initial(Index index) {
    if (!options_.least_cost) {
      if (found_ == kNone) found_ = index;
      return;
    }
    const std::uint64_t cost = cost_of(elements_[index].configuration);
    if (cost >= cost_limit_) return;
    cost_limit_ = cost;
    found_ = index;
  }

  std::uint64_t cost_of(const Configuration& configuration) {
    if constexpr (Priced<System>) return system_.cost(configuration);
    return 0;
  }
  std::uint64_t cost_behind(const Configuration& configuration) {
    if constexpr (Priced<System>)
      if (options_.least_cost) return system_.cost_behind(configuration);
    return 0;
  }

  Result result() {
    Result result;
    result.complete = exhausted_ || (found_ != kNone && !options_.least_cost);
    if (found_ != kNone) {
      result.path = path_from(found_);
    } else if (exhausted_) {
      for (Element& element : elements_)
        if (element.kept) result.basis.push_back(std::move(element.configuration));
    }
    result.statistics = statistics_;
    return result;
  }

  typename Result::Path path_from(Index start) {
    typename Result::Path path{.start = std::move(elements_[start].configuration),
                               .target = elements_[start].target};
    if (options_.least_cost) path.cost = cost_limit_;
    for (Index i = start; elements_[i].successor != kNone; i = elements_[i].successor)
      path.labels.push_back(elements_[i].label);
    return path;
  }

  System& system_;
  const BackwardOptions& options_;
  Context& context_;
  std::uint64_t cost_limit_;  // of the cheapest path known

  std::vector<Element> elements_;
  absl::flat_hash_map<Key, SubsumptionIndex> basis_;
  SubsumptionIndex all_;  // Layered: the whole basis once more, to find what is above
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::array<Expansion, kTaken> expansions_;
  std::size_t taken_ = 0;     // of these
  std::vector<Index> added_;  // since the candidates at hand were prepared
  Index found_ = kNone;
  bool exhausted_ = false;
  BackwardStatistics statistics_;
};

template <WellStructured System>
BackwardResult<System> search_backward(System& system, std::vector<typename System::Configuration> targets,
                                       const BackwardOptions& options, Context& context) {
  return BackwardSearch<System>(system, options, context).run(std::move(targets));
}

}  // namespace weir
