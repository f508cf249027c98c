// Array systems as syntax: what the parser produces and the resolver consumes. Names are not looked up yet.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/syntax_error.hpp"
#include "frontend/text/token.hpp"
#include "program/array/system.hpp"

namespace weir::cub {

using array::Comparison;
using array::Rational;

// Formulas in formulas, and predicates in predicates.
inline constexpr std::uint32_t kMaximalNesting = 400;
// More mistakes than these are not told.
inline constexpr std::size_t kMostDiagnostics = 20;

using text::Name;  // a process may be "#1"
using text::shortened;

struct TermSyntax;

struct AtomSyntax {
  enum class Kind : std::uint8_t { kNumber, kProcess, kSymbol, kNested };  // kProcess: also what `let` binds

  Kind kind = Kind::kNumber;
  Rational number;
  bool decimal = false;  // written with a point or a fraction
  Name name;
  bool indexed = false;            // kSymbol: has brackets
  std::vector<Name> arguments;     // the processes in them
  std::optional<Name> viewer;      // p@X
  std::vector<TermSyntax> nested;  // kNested: the term in parentheses
};

struct ProductSyntax {
  bool negative = false;
  std::vector<AtomSyntax> factors;
};

// A sum of products; most terms are a single atom.
struct TermSyntax {
  std::vector<ProductSyntax> products;
  SourcePosition position;
};

struct FormulaSyntax {
  enum class Kind : std::uint8_t {
    kTrue,
    kFalse,
    kCompare,  // terms[0] comparison terms[1]
    kFence,    // names: the process, or nothing
    kCall,     // of the predicate names[0] with `terms`
    kNot,
    kAnd,
    kOr,
    kImplies,
    kEquivalent,
    kIf,      // condition, then, else
    kForAll,  // names, all different
    kExists,
  };

  Kind kind = Kind::kTrue;
  Comparison comparison = Comparison::kEqual;
  bool others = false;  // forall_other, exists_other
  std::vector<Name> names;
  std::vector<TermSyntax> terms;
  std::vector<FormulaSyntax> operands;
  SourcePosition position;
};

struct CaseSyntax {
  std::optional<FormulaSyntax> guard;  // none: _
  std::optional<TermSyntax> value;     // none: anything
};

struct UpdateSyntax {
  AtomSyntax target;
  bool by_case = false;
  std::vector<CaseSyntax> cases;
};

struct LetSyntax {
  Name name;
  TermSyntax value;
};

struct TypeSyntax {
  Name name;
  bool enumeration = false;
  std::vector<Name> constructors;
};

struct SymbolSyntax {
  Name name;
  Name sort;
  std::uint32_t dimensions = 0;
  bool weak = false;
  bool constant = false;
};

struct PredicateSyntax {
  Name name;
  std::vector<Name> parameters;
  FormulaSyntax body;
};

// init, unsafe and invariant
struct PropertySyntax {
  std::string name;
  std::vector<Name> parameters;
  FormulaSyntax formula;
  SourcePosition position;
};

struct TransitionSyntax {
  Name name;
  std::vector<Name> parameters;
  std::optional<std::uint32_t> performer;
  FormulaSyntax guard;
  std::vector<LetSyntax> lets;  // each may mention those before it
  std::vector<UpdateSyntax> updates;
};

struct SystemSyntax {
  std::optional<std::uint32_t> number_of_processes;
  std::vector<TypeSyntax> types;
  std::vector<SymbolSyntax> symbols;
  std::vector<PredicateSyntax> predicates;
  std::vector<PropertySyntax> initials, unsafe, invariants;
  std::vector<TransitionSyntax> transitions;
  SourcePosition end;
};

// Both add their mistakes to `diagnostics`; what they give back is of use only if there were none.
SystemSyntax parse(FileId file, std::string_view text, std::vector<Diagnostic>& diagnostics);
void resolve(const SystemSyntax& syntax, array::ArraySystem& system, std::vector<Diagnostic>& diagnostics);

}  // namespace weir::cub
