// What the array engine's formulas speak about, made small enough for the inner loops.
//
// A `Constraint` says something about one or two nodes (node.hpp).
//
// Values of finite sorts (Booleans, enumerations, processes) are bits of a 64-bit mask, and what is known
// about one node is a single mask, so that `X = A || X = B` is one constraint and not two cubes. For sort
// `proc` bit p is process p of the cube; all bits beyond the cube's processes are equal and say whether the
// node may be a process the cube does not name. Numbers are kept as differences, a - b <= c, with a node that
// is always zero; the constants of a system's reals are scaled to integers once. A constraint beyond
// differences compares a sum (linear_sum.hpp) with zero.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/array/node.hpp"
#include "engine/array/theory/linear_sum.hpp"
#include "program/array/system.hpp"

namespace weir::array {

enum class ConstraintKind : std::uint8_t {
  kIn,         // a is one of the values in mask `value`
  kEqual,      // a = b + value
  kDifferent,  // a <> b + value
  kAtMost,     // a - b <= value
  kBelow,      // a - b < value; only for reals
};

struct Constraint {
  ConstraintKind kind = ConstraintKind::kIn;
  Node a;
  Node b;  // zero for kIn
  std::int64_t value = 0;

  std::uint64_t mask() const { return static_cast<std::uint64_t>(value); }
  static Constraint in(Node a, std::uint64_t mask) {
    return {ConstraintKind::kIn, a, Node::zero(), static_cast<std::int64_t>(mask)};
  }
  template <class Archive>
  void transfer(Archive& archive) {
    archive(kind, a, b, value);
  }
  friend auto operator<=>(const Constraint&, const Constraint&) = default;
};

enum class Domain : std::uint8_t { kFinite, kProcess, kAbstract, kInteger, kReal };

// Why the engine cannot take the system: too many dimensions, constructors or symbols. Empty if it can.
std::string obstacle(const ArraySystem& system);

// What the engine looks up about symbols.
class Vocabulary {
 public:
  explicit Vocabulary(const ArraySystem& system);

  Domain domain(SymbolId symbol) const { return domains_[symbol.index()]; }
  Domain domain(Node node) const {
    return domain((node.is_sum() ? monomials(node).front().node : node).symbol());
  }
  bool numeric(Node node) const { return node.is_zero() || domain(node) >= Domain::kInteger; }
  bool integer(Node a, Node b) const { return domain(a.is_zero() ? b : a) == Domain::kInteger; }
  // All values of a finite sort or of `proc`; all ones for the other sorts.
  std::uint64_t everything(Node node) const { return masks_[node.symbol().index()]; }
  bool has_masks(Node node) const { return !node.is_zero() && domain(node) <= Domain::kProcess; }
  const std::vector<Monomial>& monomials(Node sum) const { return sums_->monomials(sum); }
  // The node of a sum. Sums get their nodes when they are first met.
  Node sum(const std::vector<Monomial>& monomials) const { return sums_->node_of(monomials); }
  // Calls `visit` for every cell and read that the node stands for, or that the constraint speaks of.
  template <class Visit>
  void each_part(Node node, const Visit& visit) const {
    if (node.is_sum())
      for (const Monomial& one : monomials(node)) visit(one.node);
    else if (!node.is_zero())
      visit(node);
  }
  template <class Visit>
  void each_part(const Constraint& constraint, const Visit& visit) const {
    each_part(constraint.a, visit);
    each_part(constraint.b, visit);
  }
  // The processes that the cells in a constraint are named by.
  std::uint32_t processes(const Constraint& constraint) const {
    std::uint32_t set = 0;
    each_part(constraint, [&](Node node) { set |= node.processes(); });
    return set;
  }
  // A number as the engine keeps it; none if the scale does not fit it.
  std::optional<std::int64_t> scaled(Rational number, SortId sort) const;
  // How many constant processes (#1, #2, …) the system names: in every cube these are its first processes.
  std::uint32_t pinned() const { return pinned_; }
  // How many processes there can be at most.
  std::uint32_t most_processes() const { return system_->number_of_processes.value_or(~std::uint32_t{0}); }
  std::int64_t real_scale() const { return real_scale_; }

  const ArraySystem& system() const { return *system_; }

  // Those that have nodes by now; see base/archive.hpp.
  SumTable& sums() const { return *sums_; }

 private:
  const ArraySystem* system_;
  std::vector<Domain> domains_;
  std::vector<std::uint64_t> masks_;
  std::unique_ptr<SumTable> sums_ = std::make_unique<SumTable>();
  std::int64_t real_scale_ = 1;
  std::uint32_t pinned_ = 0;
};

// A constraint with its nodes renamed; and with its mask of processes, too.
Constraint renamed_nodes(const Constraint& constraint, const Renaming& renaming,
                         const Vocabulary& vocabulary);
Constraint renamed(const Constraint& constraint, const Renaming& renaming, const Vocabulary& vocabulary);
std::uint64_t renamed_processes(std::uint64_t mask, const Renaming& renaming);

// Whether a literal is decided at once. kHard: its numbers do not fit.
enum class Truth : std::uint8_t { kFalse, kTrue, kOpen, kHard };

// sum `comparison` 0 as a constraint, which is in `result` if it is open.
Truth compare_with_zero(const LinearSum& sum, Comparison comparison, const Vocabulary& vocabulary,
                        Constraint& result);
// The other way round: a constraint about numbers as a - b - value.
LinearSum as_sum(const Constraint& constraint, const Vocabulary& vocabulary);
Comparison comparison_of(ConstraintKind kind);
inline bool about_sum(const Constraint& constraint) { return constraint.a.is_sum() || constraint.b.is_sum(); }

// The two ways for numbers to be different: a < b + value and a > b + value.
std::array<Constraint, 2> sides(const Constraint& different, const Vocabulary& vocabulary);

// What says the opposite.
Constraint negated(const Constraint& constraint, const Vocabulary& vocabulary);

// For messages and tests: "PC[#1] in {Idle, Want}".
std::string describe(const Constraint& constraint, const Vocabulary& vocabulary);
std::string describe(Node node, const Vocabulary& vocabulary);

}  // namespace weir::array
