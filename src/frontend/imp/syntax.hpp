// IMP programs as syntax: what the parser produces and lowering consumes, and what the printer prints.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/syntax_error.hpp"
#include "frontend/text/token.hpp"
#include "program/program.hpp"

namespace weir::imp {

using text::Name;

// Expressions live in one table and refer to each other by index, operands first.
using TermId = Id<struct TermTag>;

struct Term {
  enum class Kind : std::uint8_t {
    kNumber,    // value
    kName,      // name
    kElement,   // name[a]
    kAddress,   // [a]: only in invariants
    kRegister,  // thread.name: only in invariants
    kUnary,     // op a
    kBinary,    // a op b
  };

  Kind kind = Kind::kNumber;
  ExprOp op = ExprOp::kConstant;
  Value value = 0;
  std::string name;
  std::string thread;
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

  TermId number(Value value) { return add({.kind = Term::Kind::kNumber, .value = value}); }
  TermId name(std::string text) { return add({.kind = Term::Kind::kName, .name = std::move(text)}); }
  TermId element(std::string text, TermId index) {
    return add({.kind = Term::Kind::kElement, .name = std::move(text), .a = index});
  }
  TermId unary(ExprOp op, TermId a) { return add({.kind = Term::Kind::kUnary, .op = op, .a = a}); }
  TermId binary(ExprOp op, TermId a, TermId b) {
    return add({.kind = Term::Kind::kBinary, .op = op, .a = a, .b = b});
  }

 private:
  std::vector<Term> terms_;
};

struct Statement {
  enum class Kind : std::uint8_t {
    kSkip,
    kLocal,   // local target [:= value]
    kAssign,  // target [index] := value
    kIf,      // if value then body else otherwise fi
    kWhile,   // while value do body od
    kFence,
    kAtomic,  // atomic { body }
    kAssert,
    kAssume,
  };

  Kind kind = Kind::kSkip;
  Name label;
  Name target;
  TermId index, value;
  std::vector<Statement> body, otherwise;
  SourcePosition position;  // behind the label
  SourcePosition closing;   // while: of its `od`
};

struct Variable {
  Name name;
  bool is_array = false;
  std::vector<Value> initial;
};

// "9", or "P0:9"
struct Place {
  Name process;
  Name label;
};

struct Process {
  Name name;
  std::size_t copies = 0;  // process P[copies]; 0 for a plain process
  std::vector<Statement> body;
};

struct ProgramSyntax {
  std::string name;
  Terms terms;
  std::vector<Variable> variables;
  std::vector<std::vector<Place>> exclusive;
  std::vector<Place> goal;
  std::vector<Process> processes;
};

// The name of a copy's own number.
inline constexpr const char* kOwnNumber = "me";

ProgramSyntax parse(FileId file, std::string_view text);
void lower(const ProgramSyntax& syntax, Program& program);
std::string print(const ProgramSyntax& syntax);
std::string print(const Terms& terms, TermId term);

}  // namespace weir::imp
