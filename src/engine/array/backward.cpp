#include "engine/array/backward.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "engine/array/covering.hpp"
#include "engine/array/discovery.hpp"

namespace weir::array {

namespace {

constexpr std::uint32_t kNoGuess = ~std::uint32_t{0};
constexpr std::uint32_t kMostOpen = 2;  // how far an instance may be from covering to be used as a clause
constexpr std::uint32_t kUnionBudget = 200;  // steps of one search for a state outside all instances
constexpr std::size_t kMostInstances = 400;
constexpr std::uint64_t kTurnOfOldest = 8;

struct Found : Discovery {
  Region region;
  std::uint32_t guess =
      kNoGuess;          // the guess it comes from, as an index; kNoGuess: only exact steps from a root
  bool guessed = false;  // the region is a guess that took the place of a predecessor
  bool dropped = false;
  bool taken = false;  // out of the queue

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(parent, transition, root, parameters, went, approximate);
    archive(region, guess, guessed, dropped, taken);
  }
};

// Of an integer, and of a scaled real.
Rational reduced(std::int64_t number, std::int64_t scale) {
  const std::int64_t divisor = std::gcd(number, scale);
  return {number / divisor, scale / divisor};
}

class Search {
 public:
  Search(const Vocabulary& vocabulary, const Predecessors& predecessors, const Guesser& guess,
         Context& context, std::vector<Region>& bad, SearchResult& result, const SearchOptions& options)
      : vocabulary_(vocabulary),
        predecessors_(predecessors),
        guess_(guess),
        context_(context),
        bad_(bad),
        result_(result),
        options_(options) {}

  // True: the answer is in the result. False: a guess was bad, and the search must start again.
  bool run() {
    if (!resume() && !add_roots()) return over_;
    for (;;) {
      if (options_.checkpoint != nullptr && options_.checkpoint->due()) options_.checkpoint->save(*this);
      const auto next = take();
      if (!next) break;
      if (context_.stopped()) {
        put_back(*next);
        if (options_.checkpoint != nullptr) options_.checkpoint->save(*this);
        return give_up(describe(context_.stop_reason()));
      }
      if (result_.regions >= options_.most_regions) {
        result_.outcome = SearchOutcome::kLimit;
        return true;
      }
      if (context_.progress_due())
        context_.report_progress({"array", result_.regions, queue_.size(), 0, "", "regions"});
      if (found_[*next].dropped || covered(*next)) continue;
      visit(*next);
      if (restart_) return false;
      if (over_) return true;
    }
    result_.outcome = SearchOutcome::kSafe;
    for (const std::uint32_t index : visited_) result_.visited.push_back(std::move(found_[index].region));
    return true;
  }

  // Between two regions. What is in the queue follows from what was found.
  template <class Archive>
  void transfer(Archive& archive) {
    TurnReached turn = options_.turn;
    turn.transfer(archive);
    archive.section("sums");
    archive(vocabulary_.sums());
    archive.section("search");
    archive(bad_, found_, oldest_, turns_, visited_, signatures_);
    archive(result_.regions, result_.predecessors, result_.covered, result_.guesses, result_.restarts);
    if constexpr (Archive::kReads)
      for (std::uint32_t index = 0; index < found_.size(); ++index)
        if (!found_[index].taken) queue_.push({key(found_[index], index), index});
  }

 private:
  using Key = std::tuple<std::uint32_t, std::size_t, std::uint32_t>;

  Key key(const Found& found, std::uint32_t index) const {
    switch (options_.order) {
      case SearchOrder::kSmallest: return {found.region.processes, found.region.size(), index};
      case SearchOrder::kBreadthFirst: return {0, 0, index};
      case SearchOrder::kDepthFirst: return {0, 0, ~index};
    }
    return {};
  }

  // The first of the queue; now and then the oldest, since there may be infinitely many small ones.
  std::optional<std::uint32_t> take() {
    while (!queue_.empty()) {
      std::uint32_t next = queue_.top().second;
      if (found_[next].taken) {
        queue_.pop();
        continue;
      }
      if (options_.order == SearchOrder::kSmallest && ++turns_ % kTurnOfOldest == 0) {
        while (found_[oldest_].taken) ++oldest_;
        next = oldest_;
      }
      found_[next].taken = true;
      return next;
    }
    return std::nullopt;
  }

  // As if it had not been taken.
  void put_back(std::uint32_t index) {
    found_[index].taken = false;
    if (options_.order == SearchOrder::kSmallest) --turns_;
  }

  bool resume() {
    if (options_.checkpoint == nullptr || !options_.checkpoint->found()) return false;
    options_.checkpoint->load(*this);
    return true;
  }

  bool give_up(std::string reason) {
    result_.outcome = SearchOutcome::kGaveUp;
    result_.reason = std::move(reason);
    over_ = true;
    return true;
  }

  // The unsafe cubes, and the author's invariants: what they say is unreachable must be, too. About weak
  // memory an invariant says more as a guess: that even once buffers have been flushed no process sees these
  // values; at least not after all writes of the cells.
  bool add_roots() {
    const ArraySystem& system = vocabulary_.system();
    std::uint32_t root = 0;
    for (const auto* cubes : {&system.unsafe, &system.invariants})
      for (const Cube& cube : *cubes) {
        for (Region& region : predecessors_.of_cube(cube)) {
          if (cubes == &system.invariants && !region.anchors.empty() && !add_flushed(region, root))
            return false;
          Found found;
          found.region = std::move(region);
          found.root = root;
          if (!add(std::move(found))) return false;
        }
        ++root;
      }
    return true;
  }

  bool add_flushed(const Region& region, std::uint32_t root) {
    Found found;
    found.region = region;
    found.root = root;
    found.guess = static_cast<std::uint32_t>(found_.size());
    found.guessed = true;
    found.region.anchors.clear();
    if (!is_bad(found.region)) return add(std::move(found));
    for (const Read& read : region.reads)
      found.region.anchor(AnchorKind::kCell, 0, read.cell, Groups{1} << read.group);
    std::sort(found.region.anchors.begin(), found.region.anchors.end());
    return is_bad(found.region) || add(std::move(found));
  }

  bool is_bad(const Region& region) const {
    return std::any_of(bad_.begin(), bad_.end(),
                       [&](const Region& one) { return Covered(one, vocabulary_).by(region); });
  }

  // False: the search is over, or must start again.
  bool add(Found found) {
    if (predecessors_.meets_initial(found.region)) {
      meet_initial(std::move(found));
      return false;
    }
    const auto index = static_cast<std::uint32_t>(found_.size());
    queue_.push({key(found, index), index});
    found_.push_back(std::move(found));
    return true;
  }

  void meet_initial(Found found) {
    if (found.guess != kNoGuess) {
      bad_.push_back(found.guessed ? found.region : found_[found.guess].region);
      ++result_.restarts;
      restart_ = true;
      return;
    }
    over_ = true;
    const auto initial = predecessors_.initial_states(found.region);
    for (const std::int64_t number : initial ? initial->some_numbers() : std::vector<std::int64_t>{})
      for (const std::int64_t scale : {std::int64_t{1}, vocabulary_.real_scale()})
        result_.trace.numbers.push_back(reduced(number, scale));
    found_.push_back(std::move(found));
    answer_unsafe(
        found_, vocabulary_.system(), [](const Found& one) { return one.region.processes; }, result_);
  }

  bool covered(std::uint32_t index) {
    const Covered here(found_[index].region, vocabulary_);
    std::vector<std::vector<Constraint>> instances;
    const std::uint64_t signature = here.region().signature;
    for (std::size_t i = visited_.size(); i-- > 0;)
      if ((signatures_[i] & ~signature) == 0 && here.by(found_[visited_[i]].region)) return count_covered();
    for (std::size_t i = visited_.size(); i-- > 0 && instances.size() < kMostInstances;)
      if (here.nearly_by(found_[visited_[i]].region, kMostOpen, instances)) return count_covered();
    return covered_by_all(here.facts(), instances, kUnionBudget) && count_covered();
  }
  bool count_covered() {
    ++result_.covered;
    return true;
  }

  // Visited regions that the new one covers are not needed any more.
  void drop_covered_by(std::uint32_t index) {
    const Region& region = found_[index].region;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < visited_.size(); ++i) {
      Found& other = found_[visited_[i]];
      const bool candidate =
          (region.signature & ~signatures_[i]) == 0 && region.processes <= other.region.processes;
      if (candidate && Covered(other.region, vocabulary_).by(region)) {
        other.dropped = true;
        continue;
      }
      visited_[kept] = visited_[i];
      signatures_[kept++] = signatures_[i];
    }
    visited_.resize(kept);
    signatures_.resize(kept);
  }

  void visit(std::uint32_t index) {
    drop_covered_by(index);
    visited_.push_back(index);
    signatures_.push_back(found_[index].region.signature);
    ++result_.regions;
    const Region region = found_[index].region;  // found_ grows below
    const bool complete = predecessors_.each(region, [&](Predecessor&& one) {
      if (over_ || restart_) return;
      ++result_.predecessors;
      accept(std::move(one), index);
    });
    if (!complete && !over_ && !restart_)
      give_up("a region needs more than 30 processes or 31 reads at once");
  }

  void accept(Predecessor&& one, std::uint32_t parent) {
    const Covered here(one.region, vocabulary_);
    for (std::size_t i = visited_.size(); i-- > 0;)
      if ((signatures_[i] & ~one.region.signature) == 0 && here.by(found_[visited_[i]].region)) {
        ++result_.covered;
        return;
      }
    Found found;
    found.parent = parent;
    found.transition = one.transition;
    found.root = found_[parent].root;
    found.guess = found_[parent].guess;
    found.parameters = std::move(one.parameters);
    found.went = std::move(one.went);
    found.approximate = one.approximate;
    if (guess_) {
      if (auto guessed = guess_(one.region, bad_)) {
        ++result_.guesses;
        found.region = std::move(*guessed);
        found.guess = static_cast<std::uint32_t>(found_.size());
        found.guessed = true;
        add(std::move(found));
        return;
      }
    }
    found.region = std::move(one.region);
    add(std::move(found));
  }

  const Vocabulary& vocabulary_;
  const Predecessors& predecessors_;
  const Guesser& guess_;
  Context& context_;
  std::vector<Region>& bad_;
  SearchResult& result_;
  const SearchOptions& options_;
  std::vector<Found> found_;
  using Item = std::pair<Key, std::uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  std::uint32_t oldest_ = 0;  // none before it is in the queue
  std::uint64_t turns_ = 0;
  std::vector<std::uint32_t> visited_;
  std::vector<std::uint64_t> signatures_;
  bool over_ = false;
  bool restart_ = false;
};

}  // namespace

SearchResult search_backward(const Vocabulary& vocabulary, const Guesser& guess, Context& context,
                             const SearchOptions& options) {
  SearchResult result;
  const Predecessors predecessors(vocabulary);
  std::vector<Region> bad;
  while (!Search(vocabulary, predecessors, guess, context, bad, result, options).run()) {
  }
  return result;
}

}  // namespace weir::array
