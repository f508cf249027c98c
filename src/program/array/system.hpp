// A parameterized system: any number of processes that read and write variables and arrays whose cells are
// named by processes. It is what the array front end produces and what the array engine proves things about.
//
// A state gives every variable, and every array at every tuple of processes, a value. A transition names some
// distinct processes (its parameters), may fire when its guard holds for them, and then performs all its
// updates at once, each computed in the state before. Unsafe cubes say which states must not be reached; they
// hold when there are distinct processes for their parameters.
//
// Weak variables and arrays obey total store order. A transition that touches them has a performing process:
// its weak writes go together, as one entry, to the end of that process's buffer and reach memory together,
// later; its weak reads happen together and see the newest buffered write of the cell, or else memory. A
// transition that both reads and writes weak cells finds the buffer empty and leaves it empty: its writes
// reach memory at once. `fence()` in a guard holds when the buffer of the performing process is empty.
//
// The struct is plain data. The front end has resolved names, checked sorts, expanded predicates and `let`,
// and rewritten =>, <=> and if-then-else; after that everybody only reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/source.hpp"

namespace weir::array {

using SortId = Id<struct SortTag>;
using SymbolId = Id<struct SymbolTag>;

enum class SortKind : std::uint8_t {
  kProcess,      // the processes; `proc`
  kBoolean,      // constructors False and True, in this order
  kEnumeration,  // its constructors, all different
  kAbstract,     // any set of values, compared by = and <> only
  kInteger,
  kReal,
};

struct Sort {
  std::string name;
  SortKind kind = SortKind::kAbstract;
  std::vector<std::string> constructors;  // kBoolean, kEnumeration

  bool numeric() const { return kind == SortKind::kInteger || kind == SortKind::kReal; }
};

// A variable (no dimension) or an array with one cell per tuple of `dimensions` processes.
struct Symbol {
  std::string name;
  SortId sort;
  std::uint32_t dimensions = 0;
  bool weak = false;
  bool constant = false;  // never written; its value is not known unless init says so
  SourcePosition position;
};

// A process named in a formula: a bound variable or the constant process #(index + 1). Bound variables are
// numbered by where they are bound: first the parameters, from 0, then what quantifiers and updates bind
// inside.
struct Process {
  bool constant = false;
  std::uint32_t index = 0;

  friend auto operator<=>(const Process&, const Process&) = default;
};

// A cell, and the process through whose eyes it is seen: given in `p@X`; elsewhere, for weak symbols, the
// performing process.
struct Access {
  SymbolId symbol;
  std::vector<Process> arguments;  // one per dimension
  std::optional<Process>
      viewer;  // only in unsafe and invariant cubes, only for weak symbols, and always there

  friend bool operator==(const Access&, const Access&) = default;
};

struct Rational {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;  // positive, without a common factor

  friend bool operator==(const Rational&, const Rational&) = default;
};

struct Summand {
  Rational factor;
  Access access;  // of a numeric sort; no cell twice in a sum
};

enum class TermKind : std::uint8_t {
  kProcess,      // `process`
  kConstructor,  // number `constructor` of `sort`
  kAccess,       // `access`, of a sort that is not numeric
  kSum,          // the summands plus `number`; every term of a numeric sort has this kind
};

struct Term {
  TermKind kind = TermKind::kSum;
  SortId sort;
  Process process;
  std::uint32_t constructor = 0;
  Access access;
  std::vector<Summand> summands;
  Rational number;
  SourcePosition position;
};

enum class Comparison : std::uint8_t { kEqual, kDifferent, kLess, kLessEqual };  // > and >= are turned round

enum class FormulaKind : std::uint8_t {
  kTrue,
  kFalse,
  kCompare,  // left `comparison` right; < and <= for numeric sorts only
  kFence,    // the performing process has an empty buffer
  kNot,
  kAnd,     // of `operands`, none: true
  kOr,      // of `operands`, none: false
  kForAll,  // for every process `bound`, different from all of `others`: operands[0]
  kExists,  // for some such process
};

struct Formula {
  FormulaKind kind = FormulaKind::kTrue;
  Comparison comparison = Comparison::kEqual;
  std::vector<Term> terms;  // kCompare: left and right
  std::vector<Formula> operands;
  std::uint32_t bound = 0;      // kForAll, kExists: the number of the variable
  std::vector<Process> others;  // kForAll, kExists; `forall_other` in a transition: all its parameters
  SourcePosition position;
};

// What a cell becomes where the first guard that holds is this one; without a value: anything of its sort.
struct UpdateCase {
  Formula guard;
  std::optional<Term> value;
};

// Either one cell, given by `arguments`; or every cell of the array at once, its arguments bound to the
// variables `bound` (one per dimension), which guards and values may mention. The last guard is true.
// A cell of a weak array whose case gives back the cell itself (`_ : A[j]`) is neither read nor written.
struct Update {
  SymbolId symbol;
  bool everywhere = false;
  std::vector<Process> arguments;
  std::vector<std::uint32_t> bound;
  std::vector<UpdateCase> cases;
  SourcePosition position;
};

struct Transition {
  std::string name;
  std::vector<std::string> parameters;  // different processes
  std::optional<std::uint32_t>
      performer;  // the parameter in brackets; always there if a weak symbol or fence() is used
  Formula guard;
  std::vector<Update> updates;  // no cell twice
  SourcePosition position;
};

// `exists` different processes for the parameters such that all literals hold.
struct Cube {
  std::string name;  // "" where the file gives none
  std::vector<std::string> parameters;
  std::vector<Formula> literals;  // each kCompare
  SourcePosition position;
};

// Holds in a state if it does for all choices of different processes for the parameters. For weak symbols it
// speaks of memory; buffers are empty at the beginning.
struct Initial {
  std::vector<std::string> parameters;
  Formula formula;
  SourcePosition position;
};

struct ArraySystem {
  std::string name;
  SourceMap sources;
  std::vector<Sort> sorts;
  std::vector<Symbol> symbols;
  Initial initial;
  std::vector<Cube> unsafe;
  std::vector<Cube> invariants;  // states that the author says cannot be reached
  std::vector<Transition> transitions;
  std::optional<std::uint32_t> number_of_processes;  // `number_procs`: there are at most so many

  const Sort& sort(SortId id) const { return sorts.at(id.index()); }
  const Symbol& symbol(SymbolId id) const { return symbols.at(id.index()); }
  bool weak() const {
    for (const Symbol& symbol : symbols)
      if (symbol.weak) return true;
    return false;
  }
};

}  // namespace weir::array
