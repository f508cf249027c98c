#include "frontend/array/term_resolver.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/nearest_word.hpp"
#include "frontend/array/rational.hpp"

namespace weir::cub {

namespace {

using array::Summand;
using array::TermKind;

constexpr std::string_view kBrackets = "write the performing process in brackets: transition t ([p] q)";

bool is_number(const Term& term) { return term.kind == TermKind::kSum && term.summands.empty(); }

Rational fitting(std::optional<Rational> result, SourcePosition position) {
  if (!result) fail(position, "the numbers in this term do not fit into 64 bits");
  return *result;
}

Term number_term(const AtomSyntax& syntax) {
  return {.kind = TermKind::kSum,
          .sort = syntax.decimal ? kRealSort : kIntegerSort,
          .number = syntax.number,
          .position = syntax.name.position};
}

Term scaled(Term term, Rational factor, SourcePosition position) {
  term.number = fitting(product(term.number, factor), position);
  for (Summand& summand : term.summands) summand.factor = fitting(product(summand.factor, factor), position);
  if (factor.numerator == 0) term.summands.clear();
  return term;
}

}  // namespace

TermResolver::TermResolver(const Names& names, const ArraySystem& system, Place place,
                           const std::vector<Name>& parameters, std::optional<std::uint32_t> performer)
    : names_(names), system_(system), place_(place), performer_(performer) {
  expect_different(parameters, "parameter");
  for (const Name& name : parameters) bind_process(name);
  parameters_ = processes_;
}

// Scope.

const TermResolver::Entry* TermResolver::find(const std::string& name) const {
  for (std::size_t i = scope_.size(); i > hidden_; --i)
    if (scope_[i - 1].name == name) return &scope_[i - 1];
  return nullptr;
}

bool TermResolver::knows(const Name& name) const { return find(name.text) != nullptr; }

void TermResolver::bind(const Name& name, Term term) {
  if (knows(name))
    fail(name.position, fmt::format("'{}' is the name of something else here", shortened(name.text)),
         "choose a name that is not a parameter and not bound around this");
  scope_.push_back({name.text, std::move(term)});
}

std::uint32_t TermResolver::bind_process(const Name& name) {
  bind(name, {.kind = TermKind::kProcess,
              .sort = kProcessSort,
              .process = {.index = processes_},
              .position = name.position});
  return processes_++;
}

std::uint32_t TermResolver::bind_nameless() { return processes_++; }

void TermResolver::release(const Mark& mark) {
  scope_.resize(mark.names);
  hidden_ = mark.hidden;
  processes_ = mark.processes;
}

// Processes.

Process TermResolver::process(const Name& name) const {
  if (name.text[0] == '#') {
    std::uint32_t number = 0;
    const char* const end = name.text.data() + name.text.size();
    const auto parsed = std::from_chars(name.text.data() + 1, end, number);
    if (!system_.number_of_processes)
      fail(name.position, fmt::format("{} needs a number of processes", shortened(name.text)),
           "start the file with 'number_procs N'");
    if (parsed.ec != std::errc() || number < 1 || number > *system_.number_of_processes)
      fail(name.position, fmt::format("there is no process {}; the last is #{}", shortened(name.text),
                                      *system_.number_of_processes));
    return {.constant = true, .index = number - 1};
  }
  const Entry* const entry = find(name.text);
  if (entry == nullptr) {
    std::vector<std::string> known;
    for (std::size_t i = hidden_; i < scope_.size(); ++i) known.push_back(scope_[i].name);
    std::string hint = did_you_mean(name.text, known);
    if (hint.empty()) hint = "processes are the parameters, and what quantifiers bind";
    fail(name.position, fmt::format("unknown process '{}'", shortened(name.text)), std::move(hint));
  }
  if (entry->term.kind != TermKind::kProcess)
    fail(name.position, fmt::format("'{}' stands for a value of type {}, not for a process",
                                    shortened(name.text), system_.sort(entry->term.sort).name));
  return entry->term.process;
}

void TermResolver::need_performer(SourcePosition position, std::string_view what) const {
  WEIR_CHECK(place_ == Place::kTransition, "only transitions have a performing process");
  if (!performer_) fail(position, fmt::format("{} needs a performing process", what), std::string(kBrackets));
}

void TermResolver::need_performer_is(const Name& name) const {
  const Process named = process(name);
  const bool parameter = !named.constant && named.index < parameters_;
  if (!performer_ && parameter) performer_ = named.index;
  if (!performer_ || named.constant || named.index != *performer_)
    fail(name.position, fmt::format("'{}' is not the performing process", shortened(name.text)),
         "one process performs the weak reads and writes of a transition");
}

// Atoms.

Term TermResolver::atom(const AtomSyntax& syntax) const {
  switch (syntax.kind) {
    case AtomSyntax::Kind::kNumber: return number_term(syntax);
    case AtomSyntax::Kind::kProcess: return process_or_let(syntax.name);
    case AtomSyntax::Kind::kNested: return term(syntax.nested[0]);
    case AtomSyntax::Kind::kSymbol: break;
  }
  return symbol_or_constructor(syntax);
}

Term TermResolver::process_or_let(const Name& name) const {
  const Entry* const entry = find(name.text);
  Term result = entry != nullptr
                    ? entry->term
                    : Term{.kind = TermKind::kProcess, .sort = kProcessSort, .process = process(name)};
  result.position = name.position;
  return result;
}

Term TermResolver::symbol_or_constructor(const AtomSyntax& syntax) const {
  const Names::Meaning& meaning = names_.meaning(syntax.name);
  if (const auto* constructor = std::get_if<Constructor>(&meaning)) {
    if (syntax.indexed || syntax.viewer)
      fail(syntax.name.position,
           fmt::format("'{}' is a constructor, not an array or a variable", shortened(syntax.name.text)));
    return {.kind = TermKind::kConstructor,
            .sort = constructor->sort,
            .constructor = constructor->number,
            .position = syntax.name.position};
  }
  const SymbolId symbol = std::get<SymbolId>(meaning);
  check_dimensions(syntax, symbol);
  std::vector<Process> arguments;
  for (const Name& argument : syntax.arguments) arguments.push_back(process(argument));
  Term result = cell(symbol, std::move(arguments), syntax.name.position);
  Access& access = result.kind == TermKind::kSum ? result.summands[0].access : result.access;
  access.viewer = viewer(syntax, symbol);
  return result;
}

void TermResolver::check_dimensions(const AtomSyntax& syntax, SymbolId id) const {
  const array::Symbol& symbol = system_.symbol(id);
  const std::string name = shortened(symbol.name);
  if (symbol.dimensions > 0 && !syntax.indexed)
    fail(syntax.name.position, fmt::format("'{}' is an array, and its cell is not given", name),
         fmt::format("write {}[p]", name));
  if (symbol.dimensions == 0 && syntax.indexed)
    fail(syntax.name.position, fmt::format("'{}' is a variable, not an array", name));
  if (symbol.dimensions != syntax.arguments.size())
    fail(syntax.name.position, fmt::format("'{}' has {} dimension{}, but {} given here", name,
                                           symbol.dimensions, symbol.dimensions == 1 ? "" : "s",
                                           syntax.arguments.size() == 1
                                               ? "1 process is"
                                               : fmt::format("{} processes are", syntax.arguments.size())));
}

std::optional<Process> TermResolver::viewer(const AtomSyntax& syntax, SymbolId id) const {
  const array::Symbol& symbol = system_.symbol(id);
  const std::string name = shortened(symbol.name);
  if (syntax.viewer && place_ == Place::kInitial)
    fail(syntax.viewer->position, "'@' in the initial formula",
         "all processes see the same in the beginning, so it is left out");
  if (syntax.viewer && place_ == Place::kTransition && symbol.weak) need_performer_is(*syntax.viewer);
  if (!symbol.weak) {
    if (syntax.viewer) process(*syntax.viewer);  // everybody sees the same, but the name must be right
    return std::nullopt;
  }
  if (place_ == Place::kTransition) need_performer(syntax.name.position, fmt::format("the weak '{}'", name));
  if (place_ != Place::kCube) return std::nullopt;
  if (!syntax.viewer)
    fail(syntax.name.position, fmt::format("the weak '{}' is seen by which process?", name),
         fmt::format("write p@{} for what process p sees", name));
  return process(*syntax.viewer);
}

SymbolId TermResolver::written_symbol(const AtomSyntax& target) const {
  const Names::Meaning& meaning = names_.meaning(target.name);
  const auto* id = std::get_if<SymbolId>(&meaning);
  const std::string name = shortened(target.name.text);
  if (id == nullptr)
    fail(target.name.position, fmt::format("'{}' is a constructor and cannot be changed", name));
  if (system_.symbol(*id).constant)
    fail(target.name.position, fmt::format("'{}' is a constant and cannot be changed", name),
         "declare it with 'var' or 'array'");
  check_dimensions(target, *id);
  if (!system_.symbol(*id).weak) return *id;
  if (target.viewer) need_performer_is(*target.viewer);
  need_performer(target.name.position, fmt::format("writing the weak '{}'", name));
  return *id;
}

Term TermResolver::cell(SymbolId symbol, std::vector<Process> arguments, SourcePosition position) const {
  Term result{.sort = system_.symbol(symbol).sort, .position = position};
  Access access{.symbol = symbol, .arguments = std::move(arguments)};
  const bool numeric = system_.sort(result.sort).numeric();
  result.kind = numeric ? TermKind::kSum : TermKind::kAccess;
  if (numeric) {
    result.summands.push_back({.factor = {1, 1}, .access = std::move(access)});
  } else {
    result.access = std::move(access);
  }
  return result;
}

// Sums.

Term TermResolver::term(const TermSyntax& syntax) const {
  Term result = product(syntax.products[0], syntax.position);
  for (std::size_t i = 1; i < syntax.products.size(); ++i)
    add(result, product(syntax.products[i], syntax.position), syntax.position);
  result.position = syntax.position;
  return result;
}

Term TermResolver::product(const ProductSyntax& syntax, SourcePosition position) const {
  Term result = atom(syntax.factors[0]);
  const bool simple = syntax.factors.size() == 1 && !syntax.negative;
  if (!simple && !system_.sort(result.sort).numeric())
    fail(result.position, fmt::format("arithmetic on a value of type {}", system_.sort(result.sort).name),
         "only int and real have arithmetic");
  for (std::size_t i = 1; i < syntax.factors.size(); ++i) {
    Term factor = atom(syntax.factors[i]);
    if (!system_.sort(factor.sort).numeric())
      fail(factor.position, fmt::format("arithmetic on a value of type {}", system_.sort(factor.sort).name),
           "only int and real have arithmetic");
    if (!is_number(result) && !is_number(factor))
      fail(factor.position, "the product of two variables is not linear", "one side of '*' must be a number");
    if (is_number(result)) std::swap(result, factor);
    const bool real = result.sort == kRealSort || factor.sort == kRealSort;
    if (real && result.sort == kIntegerSort && !is_number(result))
      fail(factor.position, "an integer cannot be multiplied by a real number");
    if (real) result.sort = kRealSort;
    result = scaled(std::move(result), factor.number, position);
  }
  return syntax.negative ? scaled(std::move(result), {-1, 1}, position) : result;
}

void TermResolver::add(Term& sum, const Term& other, SourcePosition position) const {
  for (const Term* term : {static_cast<const Term*>(&sum), &other})
    if (!system_.sort(term->sort).numeric())
      fail(term->position, fmt::format("arithmetic on a value of type {}", system_.sort(term->sort).name),
           "only int and real have arithmetic");
  Term right = other;
  unify(sum, right);
  sum.number = fitting(cub::sum(sum.number, right.number), position);
  for (const Summand& added : right.summands) {
    const auto same = std::find_if(sum.summands.begin(), sum.summands.end(),
                                   [&](const Summand& summand) { return summand.access == added.access; });
    if (same == sum.summands.end()) {
      sum.summands.push_back(added);
    } else {
      same->factor = fitting(cub::sum(same->factor, added.factor), position);
      if (same->factor.numerator == 0) sum.summands.erase(same);
    }
  }
}

void TermResolver::unify(Term& left, Term& right) const {
  if (left.sort == kIntegerSort && right.sort == kRealSort && is_number(left)) left.sort = kRealSort;
  if (right.sort == kIntegerSort && left.sort == kRealSort && is_number(right)) right.sort = kRealSort;
  if (left.sort != right.sort)
    fail(right.position, fmt::format("this is of type {}, but {} is needed here",
                                     system_.sort(right.sort).name, system_.sort(left.sort).name));
}

Term TermResolver::value_for(SymbolId symbol, const TermSyntax& syntax) const {
  Term target = {.sort = system_.symbol(symbol).sort};
  Term result = term(syntax);
  if (result.sort == target.sort) return result;
  target.kind = TermKind::kAccess;  // not a number: it keeps its sort
  unify(target, result);
  return result;
}

}  // namespace weir::cub
