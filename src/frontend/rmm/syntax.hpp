// RMM programs as syntax: what the parser produces and lowering consumes.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/syntax_error.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/text/token.hpp"
#include "program/program.hpp"

namespace weir::rmm {

using text::Name;

// Arithmetic expressions and conditions live in one table and refer to each other by index, operands first.
using TermId = Id<struct TermTag>;

struct Term {
  // kConstant, kRegister, kNegate, kAdd, kSub; in conditions also comparisons and logical operators.
  ExprOp op = ExprOp::kConstant;
  Value value = 0;
  std::string reg;
  TermId a, b;
  std::uint32_t depth = 1;
  SourcePosition position;
};

class Terms {
 public:
  const Term& operator[](TermId id) const { return terms_[id.index()]; }

  // Sets the depth; the parser bounds it.
  TermId add(Term term) {
    for (const TermId operand : {term.a, term.b})
      if (operand) term.depth = std::max(term.depth, terms_[operand.index()].depth + 1);
    terms_.push_back(std::move(term));
    return TermId(terms_.size() - 1);
  }

  auto begin() const { return terms_.begin(); }
  auto end() const { return terms_.end(); }

 private:
  std::vector<Term> terms_;
};

// What a read or a write names.
struct Place {
  enum class Kind : std::uint8_t {
    kGlobal,   // x
    kOwn,      // x[my]
    kOther,    // x[other]
    kPointer,  // [address]
  };

  Kind kind = Kind::kGlobal;
  Name name;
  std::size_t other = 0;
  TermId address;
  SourcePosition position;
};

struct Statement {
  enum class Kind : std::uint8_t {
    kNop,
    kAwait,        // read: place = value
    kRead,         // read: reg := place
    kWrite,        // write: place := value
    kLockedWrite,  // locked write: place := value
    kCas,          // cas(place, value, replacement)
    kFence,
    kAssign,    // reg := value
    kAssume,    // assume: value
    kIf,        // if value then branches[0] else branches[1]
    kWhile,     // while value do branches[0]
    kGoto,      // goto target
    kEither,    // either { branches, separated by `or` }
    kLocked,    // locked { branches, separated by `or` }
    kSequence,  // { branches[0] }
  };

  Kind kind = Kind::kNop;
  Name label;
  Name reg;
  Name target;
  Place place;
  TermId value, replacement;
  std::vector<std::vector<Statement>> branches;
  SourcePosition position;  // behind the label
};

struct Range {
  Value low = 0, high = 0;

  bool contains(Value value) const { return low <= value && value <= high; }
  bool contains(const Range& other) const { return low <= other.low && other.high <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

// name = initial : range
struct Declaration {
  Name name;
  std::optional<Value> initial;  // none: any value
  std::optional<Range> range;    // none: every integer
};

struct Process {
  std::size_t copies = 1;
  std::vector<Declaration> data, registers;
  std::vector<Statement> body;
  SourcePosition position;
};

struct ProgramSyntax {
  std::vector<std::vector<Name>> forbidden;  // labels, and "*" for anywhere
  Terms terms;
  std::vector<Declaration> data;
  std::vector<Process> processes;
};

ProgramSyntax parse(FileId file, std::string_view text);
void lower(const ProgramSyntax& syntax, OutsideRange outside, Program& program);

}  // namespace weir::rmm
