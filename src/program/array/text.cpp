// Formulas are printed with parentheses wherever an operator stands in another, so that the text has the same
// shape as the formula. Quantifiers over all processes but some come in two forms that the language has words
// for (`forall_other`, `forall p <> q`); any other set of exceptions is put into the body.
#include "program/array/text.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/array/assumptions.hpp"

namespace weir {

namespace {

using namespace array;

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

// The numerator over a power of ten, if there is a small one; "1/3" otherwise.
std::string number_text(Rational number, bool decimal) {
  if (number.denominator == 1) return fmt::format("{}{}", number.numerator, decimal ? ".0" : "");
  const bool negative = number.numerator < 0;
  const auto magnitude = negative ? -static_cast<__int128>(number.numerator) : __int128{number.numerator};
  __int128 power = 1;
  for (std::size_t digits = 1; digits <= 18; ++digits) {
    power *= 10;
    if (power % number.denominator != 0) continue;
    const __int128 scaled = magnitude * (power / number.denominator);
    if (scaled > INT64_MAX) break;
    return fmt::format("{}{}.{:0{}}", negative ? "-" : "", static_cast<std::int64_t>(scaled / power),
                       static_cast<std::int64_t>(scaled % power), digits);
  }
  return fmt::format("{}/{}", number.numerator, number.denominator);
}

// Prints what belongs to one declaration with parameters.
class BodyPrinter {
 public:
  BodyPrinter(const ArraySystem& system, const std::vector<std::string>& parameters)
      : system_(system), parameters_(parameters) {}

  std::string process(Process process) const {
    if (process.constant) return fmt::format("#{}", process.index + 1);
    if (process.index < parameters_.size()) return parameters_[process.index];
    std::string name = fmt::format("j{}", process.index);
    while (std::ranges::find(parameters_, name) != parameters_.end()) name += "_";
    return name;
  }

  std::string access(const Access& access) const {
    std::string result = system_.symbol(access.symbol).name;
    if (!access.arguments.empty()) result += "[" + list(access.arguments, ", ") + "]";
    return access.viewer ? fmt::format("{}@{}", process(*access.viewer), result) : result;
  }

  std::string list(const std::vector<Process>& processes, std::string_view between) const {
    std::vector<std::string> words;
    for (const Process one : processes) words.push_back(process(one));
    return joined(words, between);
  }

  std::string term(const Term& term) const {
    switch (term.kind) {
      case TermKind::kProcess: return process(term.process);
      case TermKind::kConstructor: return system_.sort(term.sort).constructors.at(term.constructor);
      case TermKind::kAccess: return access(term.access);
      case TermKind::kSum: break;
    }
    return sum(term);
  }

  std::string formula(const Formula& formula) const {
    switch (formula.kind) {
      case FormulaKind::kTrue: return "true";
      case FormulaKind::kFalse: return "false";
      case FormulaKind::kFence: return "fence()";
      case FormulaKind::kCompare: return comparison(formula);
      case FormulaKind::kNot: return "not " + nested(formula.operands[0]);
      case FormulaKind::kAnd: return operands(formula, " && ", "true");
      case FormulaKind::kOr: return operands(formula, " || ", "false");
      case FormulaKind::kForAll:
      case FormulaKind::kExists: break;
    }
    return quantified(formula);
  }

  std::string update(const Update& update) const {
    std::vector<Process> arguments = update.arguments;
    for (const std::uint32_t bound : update.bound) arguments.push_back({.index = bound});
    std::string result = access({.symbol = update.symbol, .arguments = std::move(arguments)}) + " := ";
    if (!update.everywhere && update.cases.size() == 1) return result + value(update.cases[0]);
    result += "case";
    for (std::size_t i = 0; i < update.cases.size(); ++i) {
      const bool last = i + 1 == update.cases.size();
      result +=
          fmt::format("\n    | {} : {}", last ? "_" : formula(update.cases[i].guard), value(update.cases[i]));
    }
    return result;
  }

 private:
  std::string value(const UpdateCase& one) const { return one.value ? term(*one.value) : "?"; }

  std::string sum(const Term& term) const {
    const bool real = system_.sort(term.sort).kind == SortKind::kReal;
    std::string result;
    for (const Summand& summand : term.summands) {
      const bool negative = summand.factor.numerator < 0;
      const Rational size = negative ? negated(summand.factor) : summand.factor;
      result += result.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
      if (size != Rational{1, 1}) result += number_text(size, false) + " * ";
      result += access(summand.access);
    }
    if (result.empty()) return number_text(term.number, real);
    if (term.number.numerator < 0) result += " - " + number_text(negated(term.number), false);
    if (term.number.numerator > 0) result += " + " + number_text(term.number, false);
    return result;
  }

  static Rational negated(Rational number) { return {-number.numerator, number.denominator}; }

  std::string comparison(const Formula& formula) const {
    static constexpr std::string_view kWords[] = {"=", "<>", "<", "<="};
    return fmt::format("{} {} {}", term(formula.terms[0]),
                       kWords[static_cast<std::size_t>(formula.comparison)], term(formula.terms[1]));
  }

  // Of a conjunction or disjunction; one operand is the whole.
  std::string operands(const Formula& whole, std::string_view between, std::string_view nothing) const {
    if (whole.operands.empty()) return std::string(nothing);
    if (whole.operands.size() == 1) return formula(whole.operands[0]);
    std::vector<std::string> words;
    for (const Formula& operand : whole.operands) words.push_back(nested(operand));
    return joined(words, between);
  }

  std::string nested(const Formula& inner) const {
    const bool list = inner.kind == FormulaKind::kAnd || inner.kind == FormulaKind::kOr;
    if (list && inner.operands.size() == 1) return nested(inner.operands[0]);
    const bool simple = inner.kind <= FormulaKind::kFence || (list && inner.operands.empty());
    return simple ? formula(inner) : "(" + formula(inner) + ")";
  }

  std::string quantified(const Formula& formula) const {
    const std::string word = formula.kind == FormulaKind::kForAll ? "forall" : "exists";
    const std::string name = process({.index = formula.bound});
    const Formula& body = formula.operands[0];
    if (formula.others.empty()) {
      std::vector<std::string> names{name};
      const Formula& inner = end_of_chain(formula, names);
      return fmt::format("{} {}. {}", word, joined(names, " <> "), nested(inner));
    }
    if (all_parameters(formula.others)) return fmt::format("{}_other {}. {}", word, name, nested(body));
    const bool for_all = formula.kind == FormulaKind::kForAll;
    std::string exceptions;
    for (const Process other : formula.others)
      exceptions +=
          fmt::format("{} {} {} {} ", name, for_all ? "=" : "<>", process(other), for_all ? "||" : "&&");
    return fmt::format("{} {}. ({}{})", word, name, exceptions, nested(body));
  }

  bool all_parameters(const std::vector<Process>& others) const {
    if (others.size() != parameters_.size()) return false;
    for (std::uint32_t i = 0; i < others.size(); ++i)
      if (others[i] != Process{.index = i}) return false;
    return true;
  }

  // What is under `forall p <> q <> …`, a quantifier over all processes and then over what differs from it.
  const Formula& end_of_chain(const Formula& first, std::vector<std::string>& names) const {
    std::vector<Process> others{{.index = first.bound}};
    const Formula* inner = &first.operands[0];
    while (inner->kind == first.kind && inner->others == others) {
      names.push_back(process({.index = inner->bound}));
      others.push_back({.index = inner->bound});
      inner = &inner->operands[0];
    }
    return *inner;
  }

  const ArraySystem& system_;
  const std::vector<std::string>& parameters_;
};

std::string sort_text(const Sort& sort) {
  if (sort.kind == SortKind::kAbstract) return fmt::format("type {}\n", sort.name);
  if (sort.kind != SortKind::kEnumeration) return "";
  return fmt::format("type {} = {}\n", sort.name, joined(sort.constructors, " | "));
}

std::string symbol_text(const ArraySystem& system, const Symbol& symbol) {
  const std::string_view word = symbol.constant ? "const" : symbol.dimensions > 0 ? "array" : "var";
  std::string dimensions;
  for (std::uint32_t i = 0; i < symbol.dimensions; ++i) dimensions += i == 0 ? "[proc" : ", proc";
  if (symbol.dimensions > 0) dimensions += "]";
  return fmt::format("{}{} {}{} : {}\n", symbol.weak ? "weak " : "", word, symbol.name, dimensions,
                     system.sort(symbol.sort).name);
}

std::string cube_text(const ArraySystem& system, const Cube& cube, std::string_view word) {
  const BodyPrinter printer(system, cube.parameters);
  std::vector<std::string> literals;
  for (const Formula& literal : cube.literals) literals.push_back(printer.formula(literal));
  return fmt::format("\n{} {}({}) {{ {} }}\n", word, cube.name.empty() ? "" : cube.name + " ",
                     joined(cube.parameters, " "), literals.empty() ? "true" : joined(literals, " && "));
}

std::string transition_text(const ArraySystem& system, const Transition& transition) {
  const BodyPrinter printer(system, transition.parameters);
  std::vector<std::string> parameters = transition.parameters, updates;
  if (transition.performer)
    parameters.at(*transition.performer) = "[" + parameters.at(*transition.performer) + "]";
  for (const Update& update : transition.updates) updates.push_back(printer.update(update));
  return fmt::format("\ntransition {} ({})\nrequires {{ {} }}\n{{ {}}}\n", transition.name,
                     joined(parameters, " "), printer.formula(transition.guard),
                     joined(updates, ";\n  ") + (updates.empty() ? "" : " "));
}

}  // namespace

std::string print_array_system(const ArraySystem& system) {
  std::string text;
  if (system.number_of_processes) text += fmt::format("number_procs {}\n\n", *system.number_of_processes);
  for (const Sort& sort : system.sorts) text += sort_text(sort);
  for (const Symbol& symbol : system.symbols) text += symbol_text(system, symbol);
  text += fmt::format("\ninit ({}) {{ {} }}\n", joined(system.initial.parameters, " "),
                      BodyPrinter(system, system.initial.parameters).formula(system.initial.formula));
  for (const Cube& cube : system.invariants)
    if (!is_assumed(system, cube)) text += cube_text(system, cube, "invariant");  // others are in init
  for (const Cube& cube : system.unsafe) text += cube_text(system, cube, "unsafe");
  for (const Transition& transition : system.transitions) text += transition_text(system, transition);
  return text;
}

std::string array::processes_text(const ArraySystem& system) {
  std::string text = "any number of processes";
  if (const auto most = system.number_of_processes)
    text = fmt::format("at most {} process{}", *most, *most == 1 ? "" : "es");
  std::vector<std::string> lines;
  for (const Cube& cube : system.invariants) {
    if (!is_assumed(system, cube)) continue;
    std::string line = std::to_string(cube.position.line);
    if (lines.empty() || lines.back() != line) lines.push_back(std::move(line));
  }
  if (lines.empty()) return text;
  return fmt::format("{} that {} the invariant{} of line{} {}", text,
                     system.number_of_processes == 1 ? "satisfies" : "satisfy", lines.size() == 1 ? "" : "s",
                     lines.size() == 1 ? "" : "s", joined(lines, ", "));
}

}  // namespace weir
