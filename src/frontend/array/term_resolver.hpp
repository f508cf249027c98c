// Terms with their names looked up and their sorts checked: processes, cells, and sums in a normal form.
#pragma once

#include "frontend/array/names.hpp"

namespace weir::cub {

using array::Access;
using array::Process;
using array::Term;

// Where a term stands: it decides how weak symbols are written.
enum class Place : std::uint8_t { kInitial, kCube, kTransition };

class TermResolver {
 public:
  // `parameters` become the processes 0, 1, …; `performer` only in transitions.
  TermResolver(const Names& names, const ArraySystem& system, Place place,
               const std::vector<Name>& parameters, std::optional<std::uint32_t> performer);

  Term term(const TermSyntax& syntax) const;
  Term value_for(SymbolId symbol, const TermSyntax& syntax) const;  // of the symbol's sort
  Process process(const Name& name) const;
  SymbolId written_symbol(const AtomSyntax& target) const;  // checks all but the processes

  // Makes the sorts of both sides equal, or fails.
  void unify(Term& left, Term& right) const;

  Term cell(SymbolId symbol, std::vector<Process> arguments, SourcePosition position) const;
  void need_performer(SourcePosition position, std::string_view what) const;
  void need_performer_is(const Name& name) const;

  // Names in scope. `hide` begins an empty scope, for the body of a predicate.
  bool knows(const Name& name) const;
  void bind(const Name& name, Term term);        // fails if the name is in scope already
  std::uint32_t bind_process(const Name& name);  // its number
  std::uint32_t bind_nameless();
  struct Mark {
    std::size_t names, hidden;
    std::uint32_t processes;
  };
  Mark mark() const { return {scope_.size(), hidden_, processes_}; }
  void hide() { hidden_ = scope_.size(); }
  void release(const Mark& mark);

  Place place() const { return place_; }
  std::uint32_t parameters() const { return parameters_; }
  std::optional<std::uint32_t> performer() const { return performer_; }
  const Names& names() const { return names_; }

 private:
  struct Entry {
    std::string name;
    Term term;
  };

  const Entry* find(const std::string& name) const;
  Term atom(const AtomSyntax& syntax) const;
  Term process_or_let(const Name& name) const;
  Term symbol_or_constructor(const AtomSyntax& syntax) const;
  void check_dimensions(const AtomSyntax& syntax, SymbolId symbol) const;
  std::optional<Process> viewer(const AtomSyntax& syntax, SymbolId symbol) const;
  Term product(const ProductSyntax& syntax, SourcePosition position) const;
  void add(Term& sum, const Term& term, SourcePosition position) const;

  const Names& names_;
  const ArraySystem& system_;
  Place place_;
  std::uint32_t parameters_ = 0, processes_ = 0;
  // A transition without brackets has the performer that its first `p@X` or `fence(p)` names.
  mutable std::optional<std::uint32_t> performer_;
  std::vector<Entry> scope_;
  std::size_t hidden_ = 0;  // names before this are out of scope
};

}  // namespace weir::cub
