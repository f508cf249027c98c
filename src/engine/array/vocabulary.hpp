// What the array engine's formulas speak about, made small enough for the inner loops.
//
// A cube names its processes 0, 1, 2, …, all different. A `Node` is a 32-bit name of something that has a
// value: a cell (a symbol at some of these processes), or the value that a weak read of the cube returns. A
// `Constraint` says something about one or two nodes.
//
// Values of finite sorts (Booleans, enumerations, processes) are bits of a 64-bit mask, and what is known
// about one node is a single mask, so that `X = A || X = B` is one constraint and not two cubes. For sort
// `proc` bit p is process p of the cube; all bits beyond the cube's processes are equal and say whether the
// node may be a process the cube does not name. Numbers are kept as differences, a - b <= c, with a node that
// is always zero; the constants of a system's reals are scaled to integers once.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "program/array_system.hpp"

namespace weir::array {

inline constexpr std::uint32_t kMostProcesses = 31;
inline constexpr std::uint32_t kMostDimensions = 3;
inline constexpr std::uint32_t kMostReads = 32;

// Where the processes and reads of one cube go in another.
struct Renaming {
  std::array<std::uint8_t, kMostProcesses> process{};
  std::array<std::uint8_t, kMostReads> read{};
  std::uint32_t processes = 0;  // how many processes of the source are mapped: the first ones

  static Renaming identity(std::uint32_t processes);
};

class Node {
 public:
  constexpr Node() = default;
  static Node cell(SymbolId symbol, const std::uint8_t* processes, std::uint32_t dimensions);
  // What read number `read` of the cube, of a cell of `symbol`, returns.
  static Node value_of_read(SymbolId symbol, std::uint32_t read) {
    return Node(kReadBit | symbol.index() << 15 | read);
  }
  static Node zero() { return Node(kZero); }

  bool is_zero() const { return bits_ == kZero; }
  bool is_read() const { return (bits_ & kReadBit) != 0 && bits_ != kZero; }
  bool is_cell() const { return (bits_ & kReadBit) == 0; }
  SymbolId symbol() const { return SymbolId((bits_ >> 15) & 0xFFFF); }
  std::uint32_t read() const { return bits_ & 0x7FFF; }
  // The process at place `place` of a cell; 31: the symbol has fewer dimensions.
  std::uint32_t process(std::uint32_t place) const { return (bits_ >> (5 * place)) & 31; }
  std::uint32_t dimensions() const;
  std::uint32_t processes() const;  // the set of processes that a cell names

  Node renamed(const Renaming& renaming) const;

  std::uint32_t bits() const { return bits_; }
  friend constexpr auto operator<=>(Node, Node) = default;

 private:
  static constexpr std::uint32_t kReadBit = 1u << 31;
  static constexpr std::uint32_t kZero = 0xFFFFFFFF;
  constexpr explicit Node(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = kZero;
};

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
  Domain domain(Node node) const { return domain(node.symbol()); }
  bool numeric(Node node) const { return node.is_zero() || domain(node) >= Domain::kInteger; }
  bool integer(Node a, Node b) const { return domain(a.is_zero() ? b : a) == Domain::kInteger; }
  // All values of a finite sort or of `proc`; all ones for the other sorts.
  std::uint64_t everything(Node node) const { return masks_[node.symbol().index()]; }
  bool has_masks(Node node) const { return !node.is_zero() && domain(node) <= Domain::kProcess; }
  // A number as the engine keeps it; none if the scale does not fit it.
  std::optional<std::int64_t> scaled(Rational number, SortId sort) const;
  // How many constant processes (#1, #2, …) the system names: in every cube these are its first processes.
  std::uint32_t pinned() const { return pinned_; }
  std::int64_t real_scale() const { return real_scale_; }

  const ArraySystem& system() const { return *system_; }

 private:
  const ArraySystem* system_;
  std::vector<Domain> domains_;
  std::vector<std::uint64_t> masks_;
  std::int64_t real_scale_ = 1;
  std::uint32_t pinned_ = 0;
};

// A constraint with its nodes and its mask of processes renamed.
Constraint renamed(const Constraint& constraint, const Renaming& renaming, const Vocabulary& vocabulary);
std::uint64_t renamed_processes(std::uint64_t mask, const Renaming& renaming);

// What says the opposite.
Constraint negated(const Constraint& constraint, const Vocabulary& vocabulary);

// For messages and tests: "PC[#1] in {Idle, Want}".
std::string describe(const Constraint& constraint, const Vocabulary& vocabulary);
std::string describe(Node node, const Vocabulary& vocabulary);

}  // namespace weir::array
