#include "engine/array/covering.hpp"

#include <algorithm>
#include <bit>

#include "base/fault.hpp"

namespace weir::array {

namespace {

constexpr std::uint32_t kMostFound = 300;  // instances of one region, before its other renamings are left out

// The highest process a constraint names, plus one; all processes for masks of several processes.
std::uint32_t level(const Constraint& one, std::uint32_t processes, const Vocabulary& vocabulary) {
  const std::uint32_t named =
      about_sum(one) ? vocabulary.processes(one) : one.a.processes() | one.b.processes();
  std::uint32_t level = static_cast<std::uint32_t>(std::bit_width(named));
  if (one.kind == ConstraintKind::kIn && vocabulary.domain(one.a) == Domain::kProcess)
    level = std::has_single_bit(one.mask())
                ? std::max<std::uint32_t>(level, static_cast<std::uint32_t>(std::bit_width(one.mask())))
                : processes;
  return level;
}

bool about_reads(const Constraint& one, const Vocabulary& vocabulary) {
  if (!about_sum(one)) return one.a.is_read() || one.b.is_read();
  const std::vector<Monomial>& monomials = vocabulary.monomials(one.a.is_sum() ? one.a : one.b);
  return std::any_of(monomials.begin(), monomials.end(),
                     [](const Monomial& part) { return part.node.is_read(); });
}

}  // namespace

Covered::Covered(const Region& region, const Vocabulary& vocabulary) : region_(region), facts_(vocabulary) {
  facts_.assume_all(region.constraints);
}

// One search for renamings of `other` into the region.
class Covered::Matching {
 public:
  Matching(const Covered& covered, const Region& other, std::uint32_t most_open,
           std::vector<std::vector<Constraint>>* instances)
      : facts_(covered.facts_),
        region_(covered.region_),
        other_(other),
        vocabulary_(covered.facts_.vocabulary()),
        most_open_(most_open),
        instances_(instances) {
    for (const Constraint& one : other.constraints)
      if (about_reads(one, vocabulary_))
        last_.push_back(&one);
      else if (!fault("wrong-covering") || level(one, other.processes, vocabulary_) > 0)
        timed_.push_back({level(one, other.processes, vocabulary_), &one});
    std::stable_sort(timed_.begin(), timed_.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
  }

  // Whether an instance without open constraints was found.
  bool run() {
    renaming_.processes = other_.processes;
    return match_process(0, 0);
  }

 private:
  // False: the constraint contradicts, or too many are open.
  bool demand(const Constraint& one) {
    Constraint here = one;
    if (about_sum(one)) {
      here = renamed_nodes(one, renaming_, vocabulary_);
    } else {  // the usual case, in the innermost loop of a search
      here.a = one.a.renamed(renaming_);
      here.b = one.b.renamed(renaming_);
    }
    if (one.kind == ConstraintKind::kIn && vocabulary_.domain(one.a) == Domain::kProcess)
      here.value = static_cast<std::int64_t>(
          std::has_single_bit(one.mask())
              ? std::uint64_t{1} << renaming_.process[static_cast<std::size_t>(std::countr_zero(one.mask()))]
              : renamed_processes(one.mask(), renaming_));
    if (facts_.entails(here)) return true;
    if (open_.size() >= most_open_ || facts_.refutes(here)) return false;
    open_.push_back(here);
    return true;
  }

  bool match_process(std::uint32_t process, std::size_t next) {
    if (found_ >= kMostFound) return false;
    const std::size_t open = open_.size();
    bool possible = true;
    while (possible && next < timed_.size() && timed_[next].first <= process)
      possible = demand(*timed_[next++].second);
    if (possible) {
      if (process == other_.processes) {
        if (match_read(0)) return true;
      } else if (process < vocabulary_.pinned()) {
        renaming_.process[process] = static_cast<std::uint8_t>(process);
        used_ |= 1u << process;
        const bool found = match_process(process + 1, next);
        used_ &= ~(1u << process);
        if (found) return true;
      } else {
        for (std::uint32_t to = 0; to < region_.processes; ++to) {
          if (((used_ >> to) & 1) != 0) continue;
          renaming_.process[process] = static_cast<std::uint8_t>(to);
          used_ |= 1u << to;
          const bool found = match_process(process + 1, next);
          used_ &= ~(1u << to);
          if (found) return true;
        }
      }
    }
    open_.resize(open);
    return false;
  }

  bool match_read(std::size_t number) {
    if (number == other_.reads.size()) return finish();
    const Read& read = other_.reads[number];
    const Node cell = read.cell.renamed(renaming_);
    const std::uint8_t process = renaming_.process[read.process];
    // Reads are sorted by cell first, so a group may have got its image from an earlier read.
    std::uint8_t fixed = kGone;
    for (std::size_t i = 0; i < number; ++i)
      if (other_.reads[i].group == read.group) fixed = group_[read.group];
    for (std::size_t i = 0; i < region_.reads.size(); ++i) {
      const Read& candidate = region_.reads[i];
      if (candidate.cell != cell || candidate.process != process) continue;
      if (fixed == kGone ? ((groups_used_ >> candidate.group) & 1) != 0 : candidate.group != fixed) continue;
      renaming_.read[number] = static_cast<std::uint8_t>(i);
      group_[read.group] = candidate.group;
      groups_used_ |= Groups{1} << candidate.group;
      const bool found = match_read(number + 1);
      if (fixed == kGone) groups_used_ &= ~(Groups{1} << candidate.group);
      if (found) return true;
    }
    return false;
  }

  Groups image(Groups groups) const {
    Groups result = 0;
    for (Groups rest = groups; rest != 0; rest &= rest - 1)
      result |= Groups{1} << group_[static_cast<std::size_t>(std::countr_zero(rest))];
    return result;
  }

  bool finish() {
    for (std::size_t g = 0; g < other_.after.size(); ++g)
      if ((image(other_.after[g]) & ~region_.after[group_[g]]) != 0) return false;
    for (const Anchor& anchor : other_.anchors) {
      const std::uint8_t process =
          anchor.kind < AnchorKind::kCell ? renaming_.process[anchor.process] : std::uint8_t{0};
      if ((image(anchor.groups) & ~region_.anchored(anchor.kind, process, anchor.cell.renamed(renaming_))) !=
          0)
        return false;
    }
    const std::size_t open = open_.size();
    bool possible = true;
    for (std::size_t i = 0; possible && i < last_.size(); ++i) possible = demand(*last_[i]);
    const bool whole = possible && open_.empty();
    if (possible && !whole) add_instance();
    open_.resize(open);
    return whole;
  }

  // Processes of which the same is said give the same instance, in as many ways as they can be renamed.
  void add_instance() {
    ++found_;
    const bool again =
        !instances_->empty() &&
        std::equal(open_.begin(), open_.end(), instances_->back().begin(), instances_->back().end());
    if (!again) instances_->push_back({open_.begin(), open_.end()});
  }

  const Facts& facts_;
  const Region& region_;
  const Region& other_;
  const Vocabulary& vocabulary_;
  std::uint32_t most_open_;
  std::vector<std::vector<Constraint>>* instances_;
  absl::InlinedVector<std::pair<std::uint32_t, const Constraint*>, 16> timed_;
  absl::InlinedVector<const Constraint*, 8> last_;
  absl::InlinedVector<Constraint, 8> open_;
  Renaming renaming_;
  std::uint32_t used_ = 0;
  std::array<std::uint8_t, 32> group_{};
  Groups groups_used_ = 0;
  std::uint32_t found_ = 0;  // instances that are not whole, equal ones included
};

bool Covered::by(const Region& other) const {
  if ((other.signature & ~region_.signature) != 0 || other.processes > region_.processes ||
      other.reads.size() > region_.reads.size())
    return false;
  return Matching(*this, other, 0, nullptr).run();
}

bool Covered::nearly_by(const Region& other, std::uint32_t most_open,
                        std::vector<std::vector<Constraint>>& found) const {
  if (other.processes > region_.processes || other.reads.size() > region_.reads.size()) return false;
  return Matching(*this, other, most_open, &found).run();
}

namespace {

bool search(const Facts& facts, std::vector<std::vector<Constraint>> instances, std::uint32_t& budget) {
  if (budget == 0) return false;
  --budget;
  // What follows already is dropped; an instance that is refuted cannot help; one with nothing open covers.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    std::vector<Constraint>& demands = instances[i];
    std::erase_if(demands, [&](const Constraint& one) { return facts.entails(one); });
    if (demands.empty()) return true;
    if (std::any_of(demands.begin(), demands.end(),
                    [&](const Constraint& one) { return facts.refutes(one); }))
      continue;
    if (i != kept) instances[kept] = std::move(demands);
    ++kept;
  }
  instances.resize(kept);
  if (instances.empty()) return false;
  const auto shortest = std::min_element(instances.begin(), instances.end(),
                                         [](const auto& x, const auto& y) { return x.size() < y.size(); });
  // A state outside the shortest one violates one of its demands: the first, or the first holds and the
  // second …
  const std::vector<Constraint> demands = *shortest;
  instances.erase(shortest);
  Facts holding = facts;
  for (const Constraint& one : demands) {
    Facts outside = holding;
    if (outside.assume(negated(one, facts.vocabulary())) && !search(outside, instances, budget)) return false;
    if (!holding.assume(one)) return true;
  }
  return true;
}

}  // namespace

bool covered_by_all(const Facts& facts, const std::vector<std::vector<Constraint>>& instances,
                    std::uint32_t budget) {
  return !instances.empty() && search(facts, instances, budget);
}

}  // namespace weir::array
