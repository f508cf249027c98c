#include "engine/array/guesses.hpp"

#include <absl/container/node_hash_map.h>
#include <algorithm>
#include <bit>

#include "base/hash.hpp"
#include "engine/array/covering.hpp"

namespace weir::array {

namespace {

constexpr std::size_t kLargestPart = 3;
constexpr std::size_t kMostParts = 2000;  // tried for one region

// A constraint about the processes of an instance; reads are told apart by what is read, not by number.
struct Key {
  ConstraintKind kind;
  Node a, b;
  std::int64_t value;
  absl::InlinedVector<std::uint64_t, 2> reads;

  friend bool operator==(const Key&, const Key&) = default;
  template <class H>
  friend H AbslHashValue(H state, const Key& key) {
    return H::combine(std::move(state), key.kind, key.a.bits(), key.b.bits(), key.value, key.reads);
  }
};

// Whether it is a = b + c or a - b <= c about numbers, and not about a sum.
bool is_difference(const Constraint& one, const Vocabulary& vocabulary) {
  return one.kind != ConstraintKind::kIn && one.kind != ConstraintKind::kDifferent && !about_sum(one) &&
         vocabulary.numeric(one.a.is_zero() ? one.b : one.a);
}

// What a constraint about a sum implies that is worth guessing: itself, and for an equation its two halves.
std::vector<Constraint> weaker_sums(const Constraint& one) {
  if (one.kind != ConstraintKind::kEqual) return {one};
  return {one,
          {ConstraintKind::kAtMost, one.a, one.b, one.value},
          {ConstraintKind::kAtMost, one.b, one.a, -one.value}};
}

// What a constraint about numbers implies that is worth guessing. X = Y stays as it is; from X = Y + 2 what
// is likely to hold for any number of processes is X > Y. Other distances are kept only from constants.
std::vector<Constraint> weaker_forms(const Constraint& one) {
  std::vector<Constraint> forms;
  const auto add = [&](const Constraint& form) {
    if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(form);
  };
  const auto relax = [&](Node a, Node b, std::int64_t value) {  // a - b <= value
    if (value < 0) add({ConstraintKind::kAtMost, a, b, -1});
    if (value <= 0) add({ConstraintKind::kAtMost, a, b, 0});
  };
  const bool constant = one.a.is_zero() || one.b.is_zero();
  if (constant || one.value == 0) add(one);
  relax(one.a, one.b, one.value);
  if (one.kind == ConstraintKind::kEqual) relax(one.b, one.a, -one.value);
  return forms;
}

void arrange(std::vector<std::vector<Constraint>>& choices, std::uint32_t order) {
  if (order == 1) std::reverse(choices.begin(), choices.end());
  if (order < 2) return;
  std::uint64_t random = order;
  for (std::size_t i = choices.size(); i > 1; --i) {
    random = random * 6364136223846793005ull + 1442695040888963407ull;
    std::swap(choices[i - 1], choices[(random >> 33) % i]);
  }
}

// The processes that some constraints, with their reads, are about.
std::uint32_t processes_of(const std::vector<Constraint>& constraints, const Region& region,
                           const Vocabulary& vocabulary) {
  std::uint32_t set = (1u << vocabulary.pinned()) - 1;
  const auto add = [&](Node node) {
    if (node.is_read()) {
      const Read& read = region.reads[node.read()];
      set |= 1u << read.process | read.cell.processes();
    } else {
      set |= node.processes();
    }
  };
  for (const Constraint& one : constraints) {
    vocabulary.each_part(one, add);
    if (one.kind == ConstraintKind::kIn && vocabulary.domain(one.a) == Domain::kProcess) {
      const std::uint64_t mask = (one.mask() >> 63) != 0 ? ~one.mask() : one.mask();
      set |= static_cast<std::uint32_t>(mask & ((std::uint64_t{1} << region.processes) - 1));
    }
  }
  return set;
}

}  // namespace

struct Guesses::Tested {
  Tested(const Vocabulary& vocabulary, std::uint32_t processes) : instance(vocabulary, processes) {}
  Instance instance;
  absl::node_hash_map<Key, States> holding;  // references stay valid while it grows
};

Guesses::Guesses(const Vocabulary& vocabulary, const std::vector<std::uint32_t>& processes,
                 std::size_t states_each, const Context& context)
    : vocabulary_(vocabulary) {
  for (const std::uint32_t count : processes) {
    instances_.push_back(std::make_unique<Tested>(vocabulary, std::max(count, vocabulary.pinned())));
    instances_.back()->instance.explore(states_each, context);
  }
}

Guesses::~Guesses() = default;

std::size_t Guesses::states() const {
  std::size_t sum = 0;
  for (const auto& tested : instances_) sum += tested->instance.states();
  return sum;
}

const Guesses::States& Guesses::states_of(Tested& tested, const Constraint& constraint, const Region& region,
                                          const Renaming& renaming) {
  const Constraint here = renamed(constraint, renaming, vocabulary_);
  std::vector<Read> reads = region.reads;
  for (Read& read : reads) {
    read.cell = read.cell.renamed(renaming);
    read.process = renaming.process[read.process];
  }
  Key key{here.kind, here.a, here.b, here.value, {}};
  vocabulary_.each_part(here, [&](Node node) {
    if (!node.is_read()) return;
    const Read& read = reads[node.read()];
    key.reads.push_back(std::uint64_t{read.cell.bits()} << 8 | read.process);
  });
  if (here.a.is_read()) key.a = Node::value_of_read(here.a.symbol(), 0);
  if (here.b.is_read()) key.b = Node::value_of_read(here.b.symbol(), 0);
  const auto [place, fresh] = tested.holding.try_emplace(key);
  if (!fresh) return place->second;
  const std::size_t count = tested.instance.states();
  States& states = place->second;
  states.assign((count + 63) / 64, 0);
  for (std::size_t i = 0; i < count; ++i)
    if (tested.instance.holds(here, reads, i)) states[i / 64] |= std::uint64_t{1} << (i % 64);
  return states;
}

bool Guesses::reached_in(Tested& tested, const std::vector<Constraint>& constraints, const Region& region) {
  const std::uint32_t used = processes_of(constraints, region, vocabulary_);
  const std::uint32_t available = tested.instance.processes();
  std::vector<std::uint32_t> order;
  for (std::uint32_t p = 0; p < region.processes; ++p)
    if (((used >> p) & 1) != 0) order.push_back(p);
  if (order.size() > available) return true;  // cannot say: as if it were
  Renaming renaming = Renaming::identity(region.processes);
  // Processes that are not used must not stand for one that is; a number beyond the instance says "another
  // one".
  for (std::uint32_t p = 0; p < region.processes; ++p)
    if (((used >> p) & 1) == 0) renaming.process[p] = 30;
  std::uint32_t taken = 0;
  const std::function<bool(std::size_t)> choose = [&](std::size_t next) {
    if (next == order.size()) {
      std::vector<const States*> sets;
      for (const Constraint& one : constraints) sets.push_back(&states_of(tested, one, region, renaming));
      for (std::size_t word = 0; word < (tested.instance.states() + 63) / 64; ++word) {
        std::uint64_t common = ~std::uint64_t{0};
        for (const States* set : sets) common &= (*set)[word];
        if (common != 0) return true;
      }
      return false;
    }
    const bool pinned = order[next] < vocabulary_.pinned();
    for (std::uint32_t to = pinned ? order[next] : 0; to < (pinned ? order[next] + 1 : available); ++to) {
      if (((taken >> to) & 1) != 0) continue;
      taken |= 1u << to;
      renaming.process[order[next]] = static_cast<std::uint8_t>(to);
      const bool found = choose(next + 1);
      taken &= ~(1u << to);
      if (found) return true;
    }
    return false;
  };
  return choose(0);
}

bool Guesses::reached(const std::vector<Constraint>& constraints, const Region& region) {
  return std::any_of(instances_.begin(), instances_.end(),
                     [&](const auto& tested) { return reached_in(*tested, constraints, region); });
}

std::optional<Region> Guesses::accept(const std::vector<Constraint>& constraints, const Region& region,
                                      const std::vector<Region>& bad) {
  enum class Order : std::uint8_t { kNone, kCells, kAll };  // how much of the order of events is kept
  for (const Order order : {Order::kNone, Order::kCells, Order::kAll}) {
    if (order != Order::kNone && region.anchors.empty()) break;
    Region part = region;
    if (order != Order::kAll) {
      std::erase_if(part.anchors, [&](const Anchor& anchor) {
        return order == Order::kNone || anchor.kind != AnchorKind::kCell;
      });
      std::fill(part.after.begin(), part.after.end(), 0);
    }
    Facts facts(vocabulary_);
    if (!facts.assume_all(constraints)) return std::nullopt;
    settle(part, facts);
    const bool is_bad = std::any_of(bad.begin(), bad.end(),
                                    [&](const Region& one) { return Covered(one, vocabulary_).by(part); });
    if (!is_bad) return part;
  }
  return std::nullopt;
}

std::optional<Region> Guesses::propose(const Region& region, const std::vector<Region>& bad,
                                       std::uint32_t order) {
  std::vector<std::vector<Constraint>> choices;
  Facts facts(vocabulary_);
  if (!facts.assume_all(region.constraints)) return std::nullopt;
  for (const Constraint& one : region.constraints)
    if (about_sum(one))
      choices.push_back(weaker_sums(one));
    else if (one.kind <= ConstraintKind::kDifferent && !is_difference(one, vocabulary_))
      choices.push_back({one});
  for (const Constraint& one : facts.differences()) choices.push_back(weaker_forms(one));
  arrange(choices, order);
  std::size_t tried = 0;
  std::optional<Region> result;
  std::vector<Constraint> part;
  const std::function<bool(std::size_t, std::size_t)> choose = [&](std::size_t next, std::size_t size) {
    if (size == 0) {
      if (++tried > kMostParts) return true;
      if (reached(part, region)) return false;
      result = accept(part, region, bad);
      return result.has_value();  // the region itself, if nothing simpler than it came before
    }
    for (std::size_t i = next; i + size <= choices.size(); ++i)
      for (const Constraint& form : choices[i]) {
        part.push_back(form);
        const bool done = choose(i + 1, size - 1);
        part.pop_back();
        if (done) return true;
      }
    return false;
  };
  const std::size_t largest = std::min(kLargestPart, choices.size());
  for (std::size_t size = 1; size <= largest; ++size)
    if (choose(0, size)) break;
  if (result && *result == region) return std::nullopt;
  return result;
}

}  // namespace weir::array
