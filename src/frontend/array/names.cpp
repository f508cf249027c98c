#include "frontend/array/names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "base/nearest_word.hpp"

namespace weir::cub {

namespace {

template <class Map>
std::vector<std::string> keys(const Map& map) {
  std::vector<std::string> result;
  for (const auto& [key, value] : map) result.push_back(key);
  std::ranges::sort(result);  // so that messages do not depend on the hash table
  return result;
}

// Does `work`, and turns a failure into a diagnostic.
template <class Work>
void collect(std::vector<Diagnostic>& diagnostics, const Work& work) {
  try {
    work();
  } catch (SyntaxError& error) {
    diagnostics.push_back(std::move(error.diagnostic));
  }
}

}  // namespace

void expect_different(const std::vector<Name>& names, std::string_view what) {
  std::unordered_set<std::string> seen;
  for (const Name& name : names)
    if (!seen.insert(name.text).second)
      fail(name.position, fmt::format("a second {} named '{}'", what, shortened(name.text)));
}

Names::Names(const SystemSyntax& syntax, ArraySystem& system, std::vector<Diagnostic>& diagnostics) {
  add_builtin(system, "proc", array::SortKind::kProcess, {});
  add_builtin(system, "bool", array::SortKind::kBoolean, {"False", "True"});
  add_builtin(system, "int", array::SortKind::kInteger, {});
  add_builtin(system, "real", array::SortKind::kReal, {});
  for (const TypeSyntax& type : syntax.types) collect(diagnostics, [&] { add_type(system, type); });
  for (const SymbolSyntax& symbol : syntax.symbols) collect(diagnostics, [&] { add_symbol(system, symbol); });
  for (const PredicateSyntax& predicate : syntax.predicates)
    collect(diagnostics, [&] { add_predicate(predicate); });
}

void Names::add_builtin(ArraySystem& system, std::string name, array::SortKind kind,
                        std::vector<std::string> constructors) {
  const SortId sort(system.sorts.size());
  sorts_.emplace(name, sort);
  for (std::uint32_t i = 0; i < constructors.size(); ++i)
    meanings_.emplace(constructors[i], Constructor{sort, i});
  system.sorts.push_back({std::move(name), kind, std::move(constructors)});
}

void Names::add_type(ArraySystem& system, const TypeSyntax& type) {
  const SortId sort(system.sorts.size());
  if (!sorts_.emplace(type.name.text, sort).second)
    fail(type.name.position, fmt::format("a second type named '{}'", shortened(type.name.text)));
  system.sorts.push_back(
      {type.name.text, type.enumeration ? array::SortKind::kEnumeration : array::SortKind::kAbstract, {}});
  std::vector<std::string>& constructors = system.sorts.back().constructors;
  for (const Name& constructor : type.constructors) {
    add_meaning(constructor, Constructor{sort, static_cast<std::uint32_t>(constructors.size())});
    constructors.push_back(constructor.text);
  }
}

void Names::add_symbol(ArraySystem& system, const SymbolSyntax& symbol) {
  const auto sort = sorts_.find(symbol.sort.text);
  if (sort == sorts_.end())
    fail(symbol.sort.position, fmt::format("unknown type '{}'", shortened(symbol.sort.text)),
         did_you_mean(symbol.sort.text, keys(sorts_)));
  add_meaning(symbol.name, SymbolId(system.symbols.size()));
  system.symbols.push_back({symbol.name.text, sort->second, symbol.dimensions, symbol.weak, symbol.constant,
                            symbol.name.position});
}

void Names::add_meaning(const Name& name, Meaning meaning) {
  const auto [entry, is_new] = meanings_.emplace(name.text, meaning);
  if (is_new) return;
  const bool constructor = std::holds_alternative<Constructor>(entry->second);
  const std::string text = shortened(name.text);
  if (constructor && std::holds_alternative<Constructor>(meaning))
    fail(name.position, fmt::format("'{}' is a constructor already", text),
         "a constructor belongs to one type");
  fail(name.position, fmt::format("'{}' is a {} already", text, constructor ? "constructor" : "variable"));
}

void Names::add_predicate(const PredicateSyntax& predicate) {
  expect_different(predicate.parameters, "parameter");
  if (!predicate_numbers_.emplace(predicate.name.text, predicates_.size()).second)
    fail(predicate.name.position,
         fmt::format("a second predicate named '{}'", shortened(predicate.name.text)));
  predicates_.push_back(&predicate);
}

const Names::Meaning& Names::meaning(const Name& name) const {
  const auto found = meanings_.find(name.text);
  if (found == meanings_.end())
    fail(name.position, fmt::format("unknown variable '{}'", shortened(name.text)),
         did_you_mean(name.text, keys(meanings_)));
  return found->second;
}

Names::Predicate Names::predicate(const Name& name, std::size_t visible) const {
  const auto found = predicate_numbers_.find(name.text);
  if (found == predicate_numbers_.end())
    fail(name.position, fmt::format("unknown predicate '{}'", shortened(name.text)),
         did_you_mean(name.text, keys(predicate_numbers_)));
  if (found->second >= visible)
    fail(name.position, fmt::format("predicate '{}' is used before its definition", shortened(name.text)));
  return {predicates_[found->second], found->second};
}

}  // namespace weir::cub
