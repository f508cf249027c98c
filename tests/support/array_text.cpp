// Everything that could bind in two ways is in parentheses; the body of a quantifier would reach as far as it
// can.
#include "support/array_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "selfcheck/random/array_builder.hpp"

namespace weir::test {

using namespace selfcheck;

using namespace weir::array;

namespace {

class Printer {
 public:
  explicit Printer(const ArraySystem& system) : system_(system) {}

  std::string run() {
    if (system_.number_of_processes) text_ += fmt::format("number_procs {}\n", *system_.number_of_processes);
    for (const Sort& sort : system_.sorts) add(sort);
    for (const Symbol& symbol : system_.symbols) add(symbol);
    names_ = system_.initial.parameters;
    text_ += fmt::format("\ninit {}{{ {} }}\n", parameters(std::nullopt), formula(system_.initial.formula));
    for (const Cube& cube : system_.unsafe) add(cube, "unsafe");
    for (const Cube& cube : system_.invariants) add(cube, "invariant");
    for (const Transition& transition : system_.transitions) add(transition);
    return text_;
  }

 private:
  void add(const Sort& sort) {
    if (sort.kind == SortKind::kAbstract) text_ += fmt::format("type {}\n", sort.name);
    if (sort.kind == SortKind::kEnumeration)
      text_ += fmt::format("type {} = {}\n", sort.name, fmt::join(sort.constructors, " | "));
  }

  void add(const Symbol& symbol) {
    std::string dimensions;
    for (std::uint32_t place = 0; place < symbol.dimensions; ++place)
      dimensions += place == 0 ? "proc" : ", proc";
    if (!dimensions.empty()) dimensions = "[" + dimensions + "]";
    const char* kind = symbol.constant ? "const" : symbol.dimensions > 0 ? "array" : "var";
    text_ += fmt::format("{}{} {}{} : {}\n", symbol.weak ? "weak " : "", kind, symbol.name, dimensions,
                         system_.sort(symbol.sort).name);
  }

  void add(const Cube& cube, const char* kind) {
    names_ = cube.parameters;
    text_ += fmt::format("\n{}{} {}{{ {} }}\n", kind, cube.name.empty() ? "" : " " + cube.name,
                         parameters(std::nullopt), list(cube.literals, " && "));
  }

  void add(const Transition& transition) {
    names_ = transition.parameters;
    text_ += fmt::format("\ntransition {} {}\nrequires {{ {} }}\n{{\n", transition.name,
                         parameters(transition.performer), formula(transition.guard));
    for (const Update& update : transition.updates) add(update);
    text_ += "}\n";
  }

  void add(const Update& update) {
    const std::size_t known = names_.size();
    std::vector<Process> arguments = update.arguments;
    for (const std::uint32_t variable : update.bound) {
      name(variable);
      arguments.push_back(bound(variable));
    }
    const std::string cell = access({.symbol = update.symbol, .arguments = arguments});
    std::string value;
    if (update.cases.size() == 1)
      value = this->value(update.cases[0].value);
    else
      value = "case";
    if (update.cases.size() > 1)
      for (const UpdateCase& one : update.cases) {
        const bool last = &one == &update.cases.back();
        value += fmt::format("\n    | {} : {}", last ? "_" : formula(one.guard), this->value(one.value));
      }
    text_ += fmt::format("  {} := {};\n", cell, value);
    names_.resize(known);
  }

  std::string value(const std::optional<Term>& term) { return term ? this->term(*term) : "?"; }

  // "(p [q] r) " or nothing.
  std::string parameters(std::optional<std::uint32_t> performer) const {
    std::vector<std::string> shown = names_;
    if (performer) shown[*performer] = "[" + shown[*performer] + "]";
    return shown.empty() ? "" : fmt::format("({}) ", fmt::join(shown, " "));
  }

  const std::string& name(std::uint32_t variable) {
    if (names_.size() <= variable) names_.resize(variable + 1);
    names_[variable] = parameter_name(variable);
    return names_[variable];
  }

  std::string process(const Process& process) const {
    return process.constant ? fmt::format("#{}", process.index + 1) : names_.at(process.index);
  }

  std::string access(const Access& access) const {
    std::vector<std::string> arguments;
    for (const Process& argument : access.arguments) arguments.push_back(process(argument));
    const std::string viewer = access.viewer ? process(*access.viewer) + "@" : "";
    const std::string cell = arguments.empty() ? "" : fmt::format("[{}]", fmt::join(arguments, ", "));
    return viewer + system_.symbol(access.symbol).name + cell;
  }

  static std::string number(const Rational& number, bool real) {
    if (number.denominator != 1) return fmt::format("{}/{}", number.numerator, number.denominator);
    return fmt::format("{}{}", number.numerator, real ? ".0" : "");
  }

  std::string term(const Term& term) const {
    switch (term.kind) {
      case TermKind::kProcess: return process(term.process);
      case TermKind::kConstructor: return system_.sort(term.sort).constructors.at(term.constructor);
      case TermKind::kAccess: return access(term.access);
      case TermKind::kSum: return sum(term);
    }
    return "";
  }

  std::string sum(const Term& term) const {
    const bool real = system_.sort(term.sort).kind == SortKind::kReal;
    std::string text;
    for (const Summand& summand : term.summands) {
      if (!text.empty()) text += " + ";
      if (summand.factor != Rational{.numerator = 1}) text += number(summand.factor, real) + " * ";
      text += access(summand.access);
    }
    if (text.empty()) return number(term.number, real);
    if (term.number.numerator == 0) return text;
    Rational size = term.number;
    const bool negative = size.numerator < 0;
    if (negative) size.numerator = -size.numerator;
    return fmt::format("{} {} {}", text, negative ? "-" : "+", number(size, real));
  }

  std::string list(const std::vector<Formula>& operands, const char* between) {
    std::vector<std::string> shown;
    for (const Formula& operand : operands) shown.push_back(formula(operand));
    return fmt::format("{}", fmt::join(shown, between));
  }

  std::string formula(const Formula& formula) {
    static constexpr const char* kSymbols[] = {"=", "<>", "<", "<="};
    switch (formula.kind) {
      case FormulaKind::kTrue: return "True = True";
      case FormulaKind::kFalse: return "True = False";
      case FormulaKind::kCompare:
        return fmt::format("{} {} {}", term(formula.terms[0]),
                           kSymbols[static_cast<std::size_t>(formula.comparison)], term(formula.terms[1]));
      case FormulaKind::kFence: return "fence()";
      case FormulaKind::kNot: return fmt::format("not ({})", this->formula(formula.operands[0]));
      case FormulaKind::kAnd: return combination(formula, " && ", "True = True");
      case FormulaKind::kOr: return combination(formula, " || ", "True = False");
      case FormulaKind::kForAll: return quantifier(formula, "forall");
      case FormulaKind::kExists: return quantifier(formula, "exists");
    }
    return "";
  }

  std::string combination(const Formula& formula, const char* between, const char* of_none) {
    if (formula.operands.empty()) return of_none;
    if (formula.operands.size() == 1) return this->formula(formula.operands[0]);
    return fmt::format("({})", list(formula.operands, between));
  }

  std::string quantifier(const Formula& formula, const char* word) {
    const std::size_t known = names_.size();
    const std::string variable = name(formula.bound);
    const std::string text =
        fmt::format("({}_other {}. {})", word, variable, this->formula(formula.operands[0]));
    names_.resize(known);
    return text;
  }

  const ArraySystem& system_;
  std::string text_;
  std::vector<std::string> names_;  // of the variables in scope
};

}  // namespace

std::string array_text(const ArraySystem& system) { return Printer(system).run(); }

}  // namespace weir::test
