// A walk through everything, with the variables in scope. The first complaint is kept; what is reached
// through a wrong id is not looked at.
#include "program/array/validate.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <vector>

namespace weir::array {

namespace {

// Where a formula stands decides what it may contain.
enum class Place : std::uint8_t { kInitial, kCube, kTransition };

class Validator {
 public:
  explicit Validator(const ArraySystem& system) : system_(system) {}

  std::string run() {
    for (const Sort& sort : system_.sorts) see(sort);
    for (const Symbol& symbol : system_.symbols) see(symbol);
    if (problem_.empty()) see_formulas();
    return problem_;
  }

 private:
  void see_formulas() {
    enter("init", Place::kInitial, system_.initial.parameters.size());
    see(system_.initial.formula);
    for (const Cube& cube : system_.unsafe) see(cube, "unsafe");
    for (const Cube& cube : system_.invariants) see(cube, "invariant");
    for (const Transition& transition : system_.transitions) see(transition);
    if (system_.number_of_processes == 0) complain("number_procs: there are no processes");
  }

  void complain(const std::string& message) {
    if (!problem_.empty()) return;
    problem_ = where_.empty() ? message : fmt::format("{}: {}", where_, message);
  }

  // True if everything is as it should be.
  bool expect(bool condition, const std::string& message) {
    if (!condition) complain(message);
    return condition;
  }

  void enter(std::string where, Place place, std::size_t parameters) {
    where_ = std::move(where);
    place_ = place;
    performer_ = false;
    parameters_ = parameters;
    scope_.clear();
    for (std::uint32_t parameter = 0; parameter < parameters; ++parameter) scope_.push_back(parameter);
  }

  // Declarations.

  void see(const Sort& sort) {
    where_ = fmt::format("type {}", sort.name);
    if (sort.kind == SortKind::kBoolean) {
      expect(sort.constructors == std::vector<std::string>{"False", "True"},
             "the Boolean constructors are False and True");
    } else if (sort.kind == SortKind::kEnumeration) {
      expect(!sort.constructors.empty(), "an enumeration without constructors");
      const std::set<std::string> different(sort.constructors.begin(), sort.constructors.end());
      expect(different.size() == sort.constructors.size(), "a constructor twice");
    } else {
      expect(sort.constructors.empty(), "only enumerations have constructors");
    }
  }

  void see(const Symbol& symbol) {
    where_ = symbol.name;
    expect(symbol.sort.index() < system_.sorts.size(), "its type does not exist");
    expect(!symbol.weak || !symbol.constant, "a constant cannot be weak");
  }

  void see(const Cube& cube, const char* kind) {
    enter(cube.name.empty() ? kind : fmt::format("{} {}", kind, cube.name), Place::kCube,
          cube.parameters.size());
    for (const Formula& literal : cube.literals)
      if (expect(literal.kind == FormulaKind::kCompare, "a cube consists of comparisons")) see(literal);
  }

  // Transitions.

  void see(const Transition& transition) {
    enter(fmt::format("transition {}", transition.name), Place::kTransition, transition.parameters.size());
    performer_ = transition.performer.has_value();
    if (performer_)
      expect(*transition.performer < transition.parameters.size(), "the performer is no parameter");
    see(transition.guard);
    for (const Update& update : transition.updates) see(update);
    for (std::size_t one = 0; one < transition.updates.size(); ++one)
      for (std::size_t other = 0; other < one; ++other)
        expect(apart(transition.updates[one], transition.updates[other]), "a cell may be updated twice");
  }

  // Do they update different cells, whatever the processes are?
  static bool apart(const Update& one, const Update& other) {
    if (one.symbol != other.symbol) return true;
    if (one.everywhere || other.everywhere) return false;
    for (std::size_t place = 0; place < one.arguments.size() && place < other.arguments.size(); ++place)
      if (one.arguments[place].constant == other.arguments[place].constant &&
          one.arguments[place].index != other.arguments[place].index)
        return true;
    return false;
  }

  void see(const Update& update) {
    if (!expect(update.symbol.index() < system_.symbols.size(), "an update of nothing")) return;
    const Symbol& symbol = system_.symbol(update.symbol);
    expect(!symbol.constant, fmt::format("{} is constant", symbol.name));
    expect(!symbol.weak || performer_, "it writes a weak cell, but no process performs it");
    const std::size_t given = update.everywhere ? update.bound.size() : update.arguments.size();
    expect(given == symbol.dimensions, fmt::format("{} has {} dimensions", symbol.name, symbol.dimensions));
    expect(!update.everywhere || symbol.dimensions > 0, "only arrays are updated everywhere");
    expect((update.everywhere ? update.arguments.size() : update.bound.size()) == 0,
           "an update names one cell or binds variables for all");
    for (const Process& argument : update.arguments) see(argument);
    for (const std::uint32_t variable : update.bound) bind(variable);
    see_cases(update, symbol);
    for (std::size_t count = update.bound.size(); count > 0; --count) scope_.pop_back();
  }

  void see_cases(const Update& update, const Symbol& symbol) {
    if (expect(!update.cases.empty(), "an update without cases"))
      expect(update.cases.back().guard.kind == FormulaKind::kTrue, "the last case of an update has a guard");
    for (const UpdateCase& one : update.cases) {
      see(one.guard);
      if (!one.value) continue;
      see(*one.value);
      expect(one.value->sort == symbol.sort, fmt::format("{} gets a value of another type", symbol.name));
    }
  }

  // Formulas.

  void bind(std::uint32_t variable) {
    expect(variable >= parameters_ && std::ranges::find(scope_, variable) == scope_.end(),
           "a variable is bound twice");
    scope_.push_back(variable);
  }

  void see(const Formula& formula) {
    const bool quantifier = formula.kind == FormulaKind::kForAll || formula.kind == FormulaKind::kExists;
    const bool single = quantifier || formula.kind == FormulaKind::kNot;
    const bool several = formula.kind == FormulaKind::kAnd || formula.kind == FormulaKind::kOr;
    expect(several || formula.operands.size() == (single ? 1 : 0),
           "a formula with a wrong number of operands");
    expect(quantifier || formula.others.empty(), "only quantifiers leave processes out");
    if (formula.kind == FormulaKind::kCompare)
      see_comparison(formula);
    else
      expect(formula.terms.empty(), "only comparisons have terms");
    if (formula.kind == FormulaKind::kFence) {
      expect(place_ == Place::kTransition, "fence() outside a transition");
      expect(performer_, "fence(), but no process performs the transition");
    }
    for (const Process& other : formula.others) see(other);
    if (quantifier) bind(formula.bound);
    for (const Formula& operand : formula.operands) see(operand);
    if (quantifier) scope_.pop_back();
  }

  void see_comparison(const Formula& formula) {
    if (!expect(formula.terms.size() == 2, "a comparison of other than two terms")) return;
    for (const Term& term : formula.terms) see(term);
    if (!problem_.empty()) return;
    const Term& left = formula.terms[0];
    expect(left.sort == formula.terms[1].sort, "a comparison of two types");
    const bool order =
        formula.comparison == Comparison::kLess || formula.comparison == Comparison::kLessEqual;
    expect(!order || system_.sort(left.sort).numeric(), "only numbers are ordered");
  }

  void see(const Term& term) {
    if (!expect(term.sort.index() < system_.sorts.size(), "a term without a type")) return;
    const Sort& sort = system_.sort(term.sort);
    expect(sort.numeric() == (term.kind == TermKind::kSum), "numbers are sums, and nothing else is");
    switch (term.kind) {
      case TermKind::kProcess:
        expect(sort.kind == SortKind::kProcess, "a process of another type");
        see(term.process);
        break;
      case TermKind::kConstructor:
        expect(term.constructor < sort.constructors.size(), "no such constructor");
        break;
      case TermKind::kAccess: see(term.access, term.sort); break;
      case TermKind::kSum: see_sum(term, sort); break;
    }
  }

  void see_sum(const Term& term, const Sort& sort) {
    see(term.number, sort);
    for (std::size_t one = 0; one < term.summands.size(); ++one) {
      see(term.summands[one].factor, sort);
      see(term.summands[one].access, term.sort);
      for (std::size_t other = 0; other < one; ++other)
        expect(!(term.summands[one].access == term.summands[other].access), "a cell twice in a sum");
    }
  }

  void see(const Rational& number, const Sort& sort) {
    expect(number.denominator > 0, "a fraction whose denominator is not positive");
    const auto size = [](std::int64_t value) {
      return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    };
    expect(std::gcd(size(number.numerator), size(number.denominator)) == 1, "a fraction that is not reduced");
    expect(sort.kind != SortKind::kInteger || number.denominator == 1, "a fraction among integers");
  }

  void see(const Access& access, SortId sort) {
    if (!expect(access.symbol.index() < system_.symbols.size(), "an access to nothing")) return;
    const Symbol& symbol = system_.symbol(access.symbol);
    expect(symbol.sort == sort, fmt::format("{} has another type", symbol.name));
    expect(access.arguments.size() == symbol.dimensions,
           fmt::format("{} has {} dimensions", symbol.name, symbol.dimensions));
    for (const Process& argument : access.arguments) see(argument);
    const bool seen_by_someone = symbol.weak && place_ == Place::kCube;
    expect(access.viewer.has_value() == seen_by_someone,
           seen_by_someone ? fmt::format("nobody is said to see {}", symbol.name)
                           : fmt::format("{} is the same for all processes here", symbol.name));
    if (access.viewer) see(*access.viewer);
    expect(!symbol.weak || place_ != Place::kTransition || performer_,
           "it reads a weak cell, but no process performs it");
  }

  void see(const Process& process) {
    expect(process.constant || std::ranges::find(scope_, process.index) != scope_.end(),
           "a process variable that nothing binds");
  }

  const ArraySystem& system_;
  std::string problem_;
  std::string where_;
  Place place_ = Place::kInitial;
  bool performer_ = false;
  std::size_t parameters_ = 0;
  std::vector<std::uint32_t> scope_;  // the variables that may be used
};

}  // namespace

std::string problem(const ArraySystem& system) { return Validator(system).run(); }

}  // namespace weir::array
