#include "engine/array/certificate.hpp"

#include <fmt/format.h>
#include <functional>

#include "base/error.hpp"
#include "engine/array/predecessors.hpp"
#include "program/array/text.hpp"

namespace weir::array {

namespace {

// The names of processes and groups in one formula.
struct Names {
  std::vector<std::string> processes;
  std::vector<std::string> groups;
};

std::string join(std::string_view operation, const std::vector<std::string>& parts,
                 std::string_view nothing) {
  if (parts.empty()) return std::string(nothing);
  if (parts.size() == 1) return parts[0];
  return fmt::format("({} {})", operation, fmt::join(parts, " "));
}
std::string all_of(const std::vector<std::string>& parts) { return join("and", parts, "true"); }
std::string any_of(const std::vector<std::string>& parts) { return join("or", parts, "false"); }
std::string negation(const std::string& formula) { return fmt::format("(not {})", formula); }

class Writer {
 public:
  Writer(const Vocabulary& vocabulary, const std::vector<Region>& regions)
      : vocabulary_(vocabulary), system_(vocabulary.system()), regions_(regions), predecessors_(vocabulary) {}

  Certificate write() {
    head();
    for (std::size_t i = 0; i < regions_.size(); ++i) initial(i);
    for (const Region& region : regions_) assert_formula(negation(exists(region)));
    line("");
    for (const Cube& cube : system_.unsafe) unsafe(cube);
    if (system_.weak()) {
      for (std::size_t i = 0; i < regions_.size(); ++i) weak_steps(i);
    } else {
      for (const Transition& transition : system_.transitions)
        for (std::size_t i = 0; i < regions_.size(); ++i) step(transition, i);
    }
    return {std::move(text_), questions_};
  }

 private:
  // Names in the file start with a letter that says what they are, so that none is a word of SMT-LIB.
  std::string symbol_name(SymbolId symbol) const { return "v_" + system_.symbol(symbol).name; }
  std::string sort_name(const Sort& sort) const {
    switch (sort.kind) {
      case SortKind::kProcess: return "Process";
      case SortKind::kInteger: return "Int";
      case SortKind::kReal: return "Real";
      case SortKind::kBoolean:
      case SortKind::kEnumeration:
      case SortKind::kAbstract: break;
    }
    return "s_" + sort.name;
  }
  static std::string constructor_name(const Sort& sort, std::size_t number) {
    return "c_" + sort.constructors[number];
  }

  void line(std::string_view text) { text_ += fmt::format("{}\n", text); }
  void assert_formula(const std::string& formula) { line(fmt::format("(assert {})", formula)); }
  void ask(std::string_view about) {
    ++questions_;
    line(fmt::format("; question {}: {}", questions_, about));
  }

  void head() {
    line(fmt::format("; Unsafe states cannot be reached, for {}: every (check-sat) must answer unsat.",
                     processes_text(system_)));
    line("(set-logic ALL)");
    line("(declare-sort Process 0)");
    if (system_.weak()) line("(declare-sort Group 0)");
    for (const Sort& sort : system_.sorts) {
      if (sort.kind == SortKind::kAbstract) line(fmt::format("(declare-sort s_{} 0)", sort.name));
      if (sort.constructors.empty()) continue;
      std::string constructors;
      for (std::size_t i = 0; i < sort.constructors.size(); ++i)
        constructors += fmt::format(" ({})", constructor_name(sort, i));
      line(fmt::format("(declare-datatypes ((s_{} 0)) (({} )))", sort.name, constructors.substr(1)));
    }
    for (std::size_t s = 0; s < system_.symbols.size(); ++s) declare(SymbolId(s));
    for (std::uint32_t i = 0; i < vocabulary_.pinned(); ++i)
      line(fmt::format("(declare-const fixed{} Process)", i + 1));
    if (vocabulary_.pinned() > 1) assert_formula(distinct(fixed()));
    if (system_.number_of_processes) at_most(*system_.number_of_processes);
    if (system_.weak()) {
      line("(declare-fun before (Group Group) Bool)");
      for (const char* anchor : {"writes", "fenced", "events"})
        line(fmt::format("(declare-fun {} (Process Group) Bool)", anchor));
      line("(declare-fun everyone (Group) Bool)");
    }
    line("");
  }

  void at_most(std::uint32_t processes) {
    std::vector<std::string> cases;
    for (std::uint32_t i = 0; i < processes; ++i) {
      line(fmt::format("(declare-const some{} Process)", i + 1));
      cases.push_back(fmt::format("(= p some{})", i + 1));
    }
    assert_formula(fmt::format("(forall ((p Process)) {})", any_of(cases)));
  }

  void declare(SymbolId id) {
    const Symbol& symbol = system_.symbol(id);
    std::string arguments;
    for (std::uint32_t i = 0; i < symbol.dimensions; ++i) arguments += i == 0 ? "Process" : " Process";
    const std::string sort = sort_name(system_.sort(symbol.sort));
    line(fmt::format("(declare-fun {} ({}) {})", symbol_name(id), arguments, sort));
    if (!symbol.weak) return;
    // What a group reads for a process, whether it reads it, and what comes after the writes of a cell.
    line(fmt::format("(declare-fun read_{} (Group Process {}) {})", symbol.name, arguments, sort));
    line(fmt::format("(declare-fun reads_{} (Group Process {}) Bool)", symbol.name, arguments));
    line(fmt::format("(declare-fun cell_{} ({} Group) Bool)", symbol.name, arguments));
  }

  std::vector<std::string> fixed() const {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < vocabulary_.pinned(); ++i) names.push_back(fmt::format("fixed{}", i + 1));
    return names;
  }
  static std::string distinct(const std::vector<std::string>& names) {
    return names.size() < 2 ? "true" : fmt::format("(distinct {})", fmt::join(names, " "));
  }

  // Regions
  // -------------------------------------------------------------------------------------------------------

  Names names_for(const Region& region, std::string_view process, std::string_view group) const {
    Names names;
    for (std::uint32_t i = 0; i < region.processes; ++i)
      names.processes.push_back(i < vocabulary_.pinned() ? fmt::format("fixed{}", i + 1)
                                                         : fmt::format("{}{}", process, i));
    for (std::size_t g = 0; g < region.after.size(); ++g)
      names.groups.push_back(fmt::format("{}{}", group, g));
    return names;
  }

  std::string cell_arguments(Node cell, const Names& names) const {
    std::string text;
    for (std::uint32_t place = 0; place < cell.dimensions(); ++place)
      text += " " + names.processes[cell.process(place)];
    return text;
  }

  std::string node_text(Node node, const Names& names, const Region& region, std::string_view suffix) const {
    if (node.is_zero()) return "0";
    if (node.is_sum()) return sum_text(node, names, region, suffix);
    if (node.is_read()) {
      const Read& read = region.reads[node.read()];
      return fmt::format("(read_{} {} {}{})", system_.symbol(node.symbol()).name, names.groups[read.group],
                         names.processes[read.process], cell_arguments(read.cell, names));
    }
    const std::string name = symbol_name(node.symbol()) + std::string(suffix);
    if (node.dimensions() == 0) return name;
    return fmt::format("({}{})", name, cell_arguments(node, names));
  }

  std::string sum_text(Node sum, const Names& names, const Region& region, std::string_view suffix) const {
    const bool real = vocabulary_.domain(sum) == Domain::kReal;
    std::vector<std::string> parts;
    for (const Monomial& one : vocabulary_.monomials(sum)) {
      const std::string node = node_text(one.node, names, region, suffix);
      parts.push_back(one.factor == 1 ? node
                                      : fmt::format("(* {} {})", rational_text({one.factor, 1}, real), node));
    }
    return join("+", parts, "0");
  }

  std::string number_text(std::int64_t number, Node node) const {
    const bool real = vocabulary_.domain(node) == Domain::kReal;
    const std::string digits = number < 0 ? fmt::format("(- {}{})", -number, real ? ".0" : "")
                                          : fmt::format("{}{}", number, real ? ".0" : "");
    return real && vocabulary_.real_scale() != 1
               ? fmt::format("(/ {} {}.0)", digits, vocabulary_.real_scale())
               : digits;
  }

  std::string constraint_text(const Constraint& one, const Names& names, const Region& region,
                              std::string_view suffix) const {
    const std::string a = node_text(one.a, names, region, suffix);
    if (one.kind == ConstraintKind::kIn) return mask_text(one, a, names);
    const std::string b = node_text(one.b, names, region, suffix);
    const Node typed = one.a.is_zero() ? one.b : one.a;
    if (!vocabulary_.numeric(typed)) {
      const std::string equal = fmt::format("(= {} {})", a, b);
      return one.kind == ConstraintKind::kEqual ? equal : negation(equal);
    }
    const std::string difference =
        fmt::format("(- {} {})", a == "0" && vocabulary_.domain(typed) == Domain::kReal ? "0.0" : a,
                    b == "0" && vocabulary_.domain(typed) == Domain::kReal ? "0.0" : b);
    const std::string value = number_text(one.value, typed);
    switch (one.kind) {
      case ConstraintKind::kEqual: return fmt::format("(= {} {})", difference, value);
      case ConstraintKind::kDifferent: return fmt::format("(not (= {} {}))", difference, value);
      case ConstraintKind::kAtMost: return fmt::format("(<= {} {})", difference, value);
      case ConstraintKind::kBelow: return fmt::format("(< {} {})", difference, value);
      case ConstraintKind::kIn: break;
    }
    return "true";
  }

  std::string mask_text(const Constraint& one, const std::string& node, const Names& names) const {
    std::vector<std::string> cases;
    if (vocabulary_.domain(one.a) == Domain::kProcess) {
      const bool others = (one.mask() >> 63) != 0;
      for (std::size_t i = 0; i < names.processes.size(); ++i)
        if ((((one.mask() >> i) & 1) != 0) != others)
          cases.push_back(fmt::format("(= {} {})", node, names.processes[i]));
      return others ? negation(any_of(cases)) : any_of(cases);
    }
    const Sort& sort = system_.sort(system_.symbol(one.a.symbol()).sort);
    for (std::size_t i = 0; i < sort.constructors.size(); ++i)
      if (((one.mask() >> i) & 1) != 0)
        cases.push_back(fmt::format("(= {} {})", node, constructor_name(sort, i)));
    return any_of(cases);
  }

  // All that the region says of the processes and groups with these names.
  std::string region_text(const Region& region, const Names& names, std::string_view suffix) const {
    std::vector<std::string> parts;
    if (names.processes.size() > 1) parts.push_back(distinct(names.processes));
    if (names.groups.size() > 1) parts.push_back(distinct(names.groups));
    for (const Constraint& one : region.constraints)
      parts.push_back(constraint_text(one, names, region, suffix));
    for (const Read& read : region.reads)
      parts.push_back(fmt::format("(reads_{} {} {}{})", system_.symbol(read.cell.symbol()).name,
                                  names.groups[read.group], names.processes[read.process],
                                  cell_arguments(read.cell, names)));
    const auto each = [&](Groups groups, const std::function<std::string(const std::string&)>& text) {
      for (std::size_t g = 0; g < names.groups.size(); ++g)
        if (((groups >> g) & 1) != 0) parts.push_back(text(names.groups[g]));
    };
    for (std::size_t g = 0; g < region.after.size(); ++g)
      each(region.after[g],
           [&](const std::string& later) { return fmt::format("(before {} {})", names.groups[g], later); });
    for (const Anchor& anchor : region.anchors)
      each(anchor.groups, [&](const std::string& group) { return anchor_text(anchor, group, names); });
    return all_of(parts);
  }

  std::string anchor_text(const Anchor& anchor, const std::string& group, const Names& names) const {
    switch (anchor.kind) {
      case AnchorKind::kWrites: return fmt::format("(writes {} {})", names.processes[anchor.process], group);
      case AnchorKind::kFenced: return fmt::format("(fenced {} {})", names.processes[anchor.process], group);
      case AnchorKind::kEvents: return fmt::format("(events {} {})", names.processes[anchor.process], group);
      case AnchorKind::kEveryone: return fmt::format("(everyone {})", group);
      case AnchorKind::kCell: break;
    }
    return fmt::format("(cell_{}{} {})", system_.symbol(anchor.cell.symbol()).name,
                       cell_arguments(anchor.cell, names), group);
  }

  std::string exists(const Region& region) const {
    const Names names = names_for(region, "p", "g");
    std::string bound;
    for (std::size_t i = vocabulary_.pinned(); i < names.processes.size(); ++i)
      bound += fmt::format("({} Process) ", names.processes[i]);
    for (const std::string& group : names.groups) bound += fmt::format("({} Group) ", group);
    const std::string inside = region_text(region, names, "");
    return bound.empty() ? inside : fmt::format("(exists ({}) {})", bound, inside);
  }

  // Declares the names and says what the region says of them.
  void assert_instance(const Region& region, std::string_view suffix) {
    const Names names = names_for(region, "q", "h");
    for (std::size_t i = vocabulary_.pinned(); i < names.processes.size(); ++i)
      line(fmt::format("(declare-const {} Process)", names.processes[i]));
    for (const std::string& group : names.groups) line(fmt::format("(declare-const {} Group)", group));
    assert_formula(region_text(region, names, suffix));
  }

  // Formulas of the system
  // ------------------------------------------------------------------------------------------

  using Scope = std::vector<std::string>;  // the names of bound variables, by number

  std::string process_text(const Process& process, const Scope& scope) const {
    return process.constant ? fmt::format("fixed{}", process.index + 1) : scope.at(process.index);
  }
  std::string access_text(const Access& access, const Scope& scope) const {
    std::string text = symbol_name(access.symbol);
    if (access.arguments.empty()) return text;
    for (const Process& argument : access.arguments) text += " " + process_text(argument, scope);
    return fmt::format("({})", text);
  }
  std::string rational_text(const Rational& number, bool real) const {
    std::string digits =
        fmt::format("{}{}", number.numerator < 0 ? -number.numerator : number.numerator, real ? ".0" : "");
    if (number.denominator != 1) digits = fmt::format("(/ {} {}.0)", digits, number.denominator);
    return number.numerator < 0 ? fmt::format("(- {})", digits) : digits;
  }
  std::string term_text(const Term& term, const Scope& scope) const {
    const Sort& sort = system_.sort(term.sort);
    switch (term.kind) {
      case TermKind::kProcess: return process_text(term.process, scope);
      case TermKind::kConstructor: return constructor_name(sort, term.constructor);
      case TermKind::kAccess: return access_text(term.access, scope);
      case TermKind::kSum: break;
    }
    const bool real = sort.kind == SortKind::kReal;
    std::vector<std::string> parts;
    for (const Summand& summand : term.summands)
      parts.push_back(summand.factor == Rational{1, 1}
                          ? access_text(summand.access, scope)
                          : fmt::format("(* {} {})", rational_text(summand.factor, real),
                                        access_text(summand.access, scope)));
    if (parts.empty() || term.number.numerator != 0) parts.push_back(rational_text(term.number, real));
    return join("+", parts, "0");
  }
  std::string formula_text(const Formula& formula, Scope scope) const {
    switch (formula.kind) {
      case FormulaKind::kTrue:
      case FormulaKind::kFence: return "true";
      case FormulaKind::kFalse: return "false";
      case FormulaKind::kNot: return negation(formula_text(formula.operands[0], scope));
      case FormulaKind::kCompare: {
        static constexpr const char* kOperators[] = {"=", "distinct", "<", "<="};
        return fmt::format("({} {} {})", kOperators[static_cast<std::size_t>(formula.comparison)],
                           term_text(formula.terms[0], scope), term_text(formula.terms[1], scope));
      }
      case FormulaKind::kAnd:
      case FormulaKind::kOr: {
        std::vector<std::string> parts;
        for (const Formula& operand : formula.operands) parts.push_back(formula_text(operand, scope));
        return formula.kind == FormulaKind::kAnd ? all_of(parts) : any_of(parts);
      }
      case FormulaKind::kForAll:
      case FormulaKind::kExists: break;
    }
    const std::string name = fmt::format("b{}", formula.bound);
    std::vector<std::string> same;
    for (const Process& other : formula.others)
      same.push_back(fmt::format("(= {} {})", name, process_text(other, scope)));
    if (scope.size() <= formula.bound) scope.resize(formula.bound + 1);
    scope[formula.bound] = name;
    const std::string inside = formula_text(formula.operands[0], scope);
    const bool all = formula.kind == FormulaKind::kForAll;
    return fmt::format("({} (({} Process)) ({} {} {}))", all ? "forall" : "exists", name, all ? "or" : "and",
                       all ? any_of(same) : negation(any_of(same)), inside);
  }

  // Questions
  // -------------------------------------------------------------------------------------------------------

  // A system has at least as many processes as its initial states speak of; with fewer these would be
  // anything.
  std::string initial_text() const {
    Scope scope;
    std::string bound;
    for (std::size_t i = 0; i < system_.initial.parameters.size(); ++i) {
      scope.push_back(fmt::format("i{}", i));
      bound += fmt::format("({} Process) ", scope.back());
    }
    const std::string inside = formula_text(system_.initial.formula, scope);
    if (bound.empty()) return inside;
    return fmt::format("(and (exists ({0}) {1}) (forall ({0}) (=> {1} {2})))", bound, distinct(scope),
                       inside);
  }

  // At the beginning every open read reads memory.
  void initial(std::size_t number) {
    ask(fmt::format("region {} and the initial states", number + 1));
    line("(push 1)");
    assert_formula(initial_text());
    const Region& region = regions_[number];
    assert_instance(region, "");
    const Names names = names_for(region, "q", "h");
    for (std::size_t i = 0; i < region.reads.size(); ++i) {
      const Node cell = region.reads[i].cell;
      const Node value = Node::value_of_read(cell.symbol(), static_cast<std::uint32_t>(i));
      assert_formula(
          fmt::format("(= {} {})", node_text(value, names, region, ""), node_text(cell, names, region, "")));
    }
    line("(check-sat)\n(pop 1)\n");
  }

  void unsafe(const Cube& cube) {
    for (const Region& region : predecessors_.of_cube(cube)) {
      ask(fmt::format("unsafe states {} outside all regions", cube.name));
      line("(push 1)");
      if (system_.weak()) {
        assert_instance(region, "");
      } else {
        Scope scope;
        for (std::size_t i = 0; i < cube.parameters.size(); ++i) {
          scope.push_back(fmt::format("u{}", i));
          line(fmt::format("(declare-const u{} Process)", i));
        }
        assert_formula(distinct(scope));
        for (const Formula& literal : cube.literals) assert_formula(formula_text(literal, scope));
      }
      line("(check-sat)\n(pop 1)\n");
      if (!system_.weak()) return;
    }
  }

  // The cells after the transition, as functions with the suffix _next.
  void define_next(const Transition& transition, const Scope& parameters) {
    for (std::size_t s = 0; s < system_.symbols.size(); ++s) {
      const Symbol& symbol = system_.symbols[s];
      std::string bound, arguments;
      Scope names;
      for (std::uint32_t i = 0; i < symbol.dimensions; ++i) {
        names.push_back(fmt::format("a{}", i));
        bound += fmt::format("(a{} Process) ", i);
        arguments += fmt::format(" a{}", i);
      }
      const std::string name = symbol_name(SymbolId(s));
      std::string value = symbol.dimensions == 0 ? name : fmt::format("({}{})", name, arguments);
      const std::string sort = sort_name(system_.sort(symbol.sort));
      for (std::size_t u = 0; u < transition.updates.size(); ++u) {
        const Update& update = transition.updates[u];
        if (update.symbol.index() == s)
          value = updated(update, parameters, names, value, fmt::format("{}_any{}", name, u), sort);
      }
      line(fmt::format("(define-fun {}_next ({}) {} {})", name, bound, sort, value));
    }
  }

  std::string updated(const Update& update, const Scope& parameters, const Scope& arguments,
                      const std::string& before, const std::string& any, const std::string& sort) {
    Scope scope = parameters;
    std::vector<std::string> here;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (update.everywhere) {
        if (scope.size() <= update.bound[i]) scope.resize(update.bound[i] + 1);
        scope[update.bound[i]] = arguments[i];
      } else {
        here.push_back(fmt::format("(= {} {})", arguments[i], process_text(update.arguments[i], parameters)));
      }
    }
    bool open = false;
    std::string value = before;
    for (std::size_t i = update.cases.size(); i-- > 0;) {
      const UpdateCase& one = update.cases[i];
      open = open || !one.value;
      const std::string chosen = one.value           ? term_text(*one.value, scope)
                                 : arguments.empty() ? any
                                                     : fmt::format("({} {})", any, fmt::join(arguments, " "));
      value = one.guard.kind == FormulaKind::kTrue
                  ? chosen
                  : fmt::format("(ite {} {} {})", formula_text(one.guard, scope), chosen, value);
    }
    if (open) {
      std::string processes;
      for (std::size_t i = 0; i < arguments.size(); ++i) processes += i == 0 ? "Process" : " Process";
      line(fmt::format("(declare-fun {} ({}) {})", any, processes, sort));
    }
    return here.empty() ? value : fmt::format("(ite {} {} {})", all_of(here), value, before);
  }

  void step(const Transition& transition, std::size_t number) {
    ask(fmt::format("{} into region {}", transition.name, number + 1));
    line("(push 1)");
    Scope scope;
    for (std::size_t i = 0; i < transition.parameters.size(); ++i) {
      scope.push_back(fmt::format("t{}", i));
      line(fmt::format("(declare-const t{} Process)", i));
    }
    assert_formula(distinct(scope));
    assert_formula(formula_text(transition.guard, scope));
    define_next(transition, scope);
    assert_instance(regions_[number], "_next");
    line("(check-sat)\n(pop 1)\n");
  }

  void weak_steps(std::size_t number) {
    const bool complete = predecessors_.each(regions_[number], [&](Predecessor&& one) {
      ask(fmt::format("a predecessor of region {} by {}", number + 1,
                      system_.transitions[one.transition].name));
      line("(push 1)");
      assert_instance(one.region, "");
      line("(check-sat)\n(pop 1)\n");
    });
    WEIR_CHECK(complete, "regions of a finished search have predecessors that fit");
  }

  const Vocabulary& vocabulary_;
  const ArraySystem& system_;
  const std::vector<Region>& regions_;
  const Predecessors predecessors_;
  std::string text_;
  std::uint64_t questions_ = 0;
};

}  // namespace

Certificate smt_certificate(const Vocabulary& vocabulary, const std::vector<Region>& regions) {
  return Writer(vocabulary, regions).write();
}

}  // namespace weir::array
