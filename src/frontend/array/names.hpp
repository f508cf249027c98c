// What the declared names of a system mean.
#pragma once

#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "frontend/array/syntax.hpp"

namespace weir::cub {

using array::ArraySystem;
using array::SortId;
using array::SymbolId;

// Every system has these four sorts, and first of all.
inline constexpr SortId kProcessSort{0}, kBooleanSort{1}, kIntegerSort{2}, kRealSort{3};

struct Constructor {
  SortId sort;
  std::uint32_t number = 0;
};

class Names {
 public:
  // Adds the sorts and symbols of `syntax` to `system`, and the mistakes to `diagnostics`.
  Names(const SystemSyntax& syntax, ArraySystem& system, std::vector<Diagnostic>& diagnostics);

  using Meaning = std::variant<SymbolId, Constructor>;
  const Meaning& meaning(const Name& name) const;  // fails if there is none

  bool is_free(const std::string& name) const { return !meanings_.contains(name); }

  // The predicate and its number. Only the first `visible` are looked at.
  struct Predicate {
    const PredicateSyntax* syntax;
    std::size_t number;
  };
  Predicate predicate(const Name& name, std::size_t visible) const;  // fails if there is none

 private:
  void add_builtin(ArraySystem& system, std::string name, array::SortKind kind,
                   std::vector<std::string> constructors);
  void add_type(ArraySystem& system, const TypeSyntax& type);
  void add_symbol(ArraySystem& system, const SymbolSyntax& symbol);
  void add_predicate(const PredicateSyntax& predicate);
  void add_meaning(const Name& name, Meaning meaning);

  std::unordered_map<std::string, SortId> sorts_;
  std::unordered_map<std::string, Meaning> meanings_;
  std::unordered_map<std::string, std::size_t> predicate_numbers_;
  std::vector<const PredicateSyntax*> predicates_;
};

// Fails if two names are the same.
void expect_different(const std::vector<Name>& names, std::string_view what);

}  // namespace weir::cub
