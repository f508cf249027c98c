// The theory solver of the array engine: what follows from a conjunction of constraints.
//
// Nodes without numbers are kept in classes of equals with a mask of possible values each (bounds consistency
// of = and <> over finite sorts, congruence being trivial since cells are named by distinct processes).
// Numeric nodes are kept in a matrix of tightest differences, closed after every step, with disequalities
// that sharpen integer bounds. Both are complete but for <> between nodes that are still open on both sides;
// `satisfiable` splits those. Cost: O(m^2) per numeric constraint for m numeric nodes, near constant
// otherwise.
//
// Constraints about sums (linear_sum.hpp) are kept in a list of their own, with nodes that equal others
// replaced by these (facts_linear.cpp). What follows from them together with the differences between the
// nodes of their sums is decided by elimination (linear_system.hpp); differences with other nodes add
// nothing, since the matrix is closed. Where there is no sum, nothing of this is done.
#pragma once

#include <absl/container/inlined_vector.h>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/array/vocabulary.hpp"

namespace weir::array {

class Facts {
 public:
  explicit Facts(const Vocabulary& vocabulary) : vocabulary_(&vocabulary) {}

  // Adds a constraint. False: it contradicts the others, and nothing more may be asked or added.
  bool assume(const Constraint& constraint);
  bool assume_all(const std::vector<Constraint>& constraints);
  // Whether the constraint follows (for a constraint about <> or masks: follows without splitting).
  bool entails(const Constraint& constraint) const;
  // Whether it contradicts the others, as far as is seen without splitting.
  bool refutes(const Constraint& constraint) const;
  // Whether there are values for all nodes. Splits where it must.
  bool satisfiable() const;
  // The mask of values still possible for a node.
  std::uint64_t mask(Node node) const;
  // Some numbers that a node may be: its bounds, or 0 and 1 where it has none.
  std::vector<std::int64_t> few_numbers(Node node) const;
  // Values for the numbers, if they are satisfiable; without those for which no simple one was found.
  std::vector<std::int64_t> some_numbers() const;

  // An equivalent list of constraints without redundant ones, sorted: the normal form of a cube's
  // constraints.
  void normal_form(std::vector<Constraint>& result) const;
  // All that follows about two numeric nodes, redundant or not.
  std::vector<Constraint> differences() const;
  // Forgets a node: what is left is what follows about the others, if it is not open in a disequality (see
  // `open_finite` and `open_number`). False: what is left says less, because that would need divisibility, or
  // numbers that do not fit.
  bool forget(Node node);
  // Whether the node stands in a disequality with its mask still open.
  bool open_finite(Node node) const;
  // A disequality between numbers that must be split before the node is forgotten.
  std::optional<Constraint> open_number(Node node) const;

  const Vocabulary& vocabulary() const { return *vocabulary_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNowhere = ~Index{0};
  // Bounds are 2c + 1 for "<= c" and 2c for "< c".
  using Bound = std::int64_t;
  static constexpr Bound kNoBound = std::int64_t{1} << 60;

  struct Entry {
    Node node;
    Index parent;        // the class it belongs to, for nodes that are not numeric
    std::uint64_t mask;  // of the class, at its root
    Index numeric;       // its row in the matrix, or kNowhere
    bool forgotten = false;
  };
  struct Disequality {
    Index a, b;
    std::int64_t value;
  };

  Index find(Node node) const;
  Index add(Node node);
  Index root(Index index) const;
  static Bound at_most(std::int64_t value) { return 2 * value + 1; }
  static Bound below(std::int64_t value) { return 2 * value; }
  static Bound sum(Bound x, Bound y);
  Bound& bound(Index row, Index column) { return bounds_[row * width_ + column]; }
  Bound bound(Index row, Index column) const { return bounds_[row * width_ + column]; }

  bool restrict(Index index, std::uint64_t mask);
  bool merge(Index a, Index b);
  bool separate(Index a, Index b, std::int64_t value);
  bool tighten(Index row, Index column, Bound value);
  bool apply_disequalities();
  bool difference_excludes(Index a, Index b, std::int64_t value) const;
  bool difference_follows(const Constraint& constraint, Index a, Index b) const;
  bool classes_satisfiable() const;
  void classes_in_normal_form(std::vector<Constraint>& result) const;
  void differences_in_normal_form(std::vector<Constraint>& result) const;
  void widen(Index columns);

  // Sums (facts_linear.cpp).
  bool assume_plain(const Constraint& constraint);
  bool assume_sum(const Constraint& constraint);
  bool simplify_sums();
  bool combine_sums();
  Index speaker(Index row) const;
  bool rewrite(LinearSum& sum) const;
  bool entails_number(const Constraint& constraint) const;
  bool possible_with(Domain domain, const Constraint* extra) const;
  bool numbers_satisfiable() const;
  std::optional<Constraint> open_disequality() const;
  void sums_in_normal_form(std::vector<Constraint>& result) const;

  // Forgetting (facts_forget.cpp).
  struct Relation;
  bool bounded_on_both_sides(Node node) const;
  bool assume_shadow(const Relation& one, const Relation& other, Index column, Comparison comparison);
  std::vector<Relation> take_relations(Node node);
  bool eliminate(Node node);

  const Vocabulary* vocabulary_;
  absl::InlinedVector<Entry, 16> entries_;
  absl::InlinedVector<Disequality, 8> disequalities_;
  absl::InlinedVector<Bound, 16> bounds_;
  std::vector<Constraint> sums_;  // about sums, rewritten
  Index width_ = 0;
  Index numerics_ = 0;
};

}  // namespace weir::array
