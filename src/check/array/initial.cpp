// Cells get values one after the other. Before each choice, equations of init with one unknown cell fix that
// cell, until nothing changes; a conjunct that is false already ends the attempt. So cells that init fixes
// cost nothing, whatever their number, and numbers that it fixes need not be among the given ones. Numbers
// that init only mentions, and their neighbours, are tried besides the given ones, as is needed for X > 7.
#include "check/array/initial.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "check/array/number.hpp"
#include "program/array/walk.hpp"

namespace weir::array {

namespace {

class Enumeration {
 public:
  Enumeration(const ArrayMachine& machine, const std::function<bool(const ArrayState&)>& visit,
              const std::vector<bool>* matters)
      : machine_(machine), visit_(visit), matters_(matters), values_(machine.cells().size()) {
    split(machine.system().initial.formula);
    every_choice(machine.processes(), machine.system().initial.parameters.size(),
                 [&](const std::vector<std::uint32_t>& choice) {
                   choices_.push_back(choice);
                   return true;
                 });
    mention_numbers();
  }

  InitialSearch run() {
    extend();
    return search_;
  }

 private:
  using Coefficients = std::map<std::size_t, Rational>;

  void split(const Formula& formula) {
    if (formula.kind != FormulaKind::kAnd) {
      conjuncts_.push_back(&formula);
      return;
    }
    for (const Formula& operand : formula.operands) split(operand);
  }

  void mention_numbers() {
    for_each_term(machine_.system().initial.formula, [&](const Term& term) {
      if (term.kind != TermKind::kSum) return;
      for (const std::int64_t distance : {-1, 0, 1})
        if (const auto number = sum(term.number, whole(distance))) mentioned_.push_back(*number);
    });
  }

  Outlook outlook() const {
    return {.value = [this](std::size_t cell, std::optional<std::uint32_t>) { return values_[cell]; },
            .fence = std::nullopt};
  }

  // The attempt with the values so far. False when the visitor wants no more.
  bool extend() {
    std::vector<std::size_t> fixed;
    bool go_on = true;
    if (propagate(fixed)) {
      if (const std::optional<std::size_t> cell = next_cell())
        go_on = branch(*cell);
      else
        go_on = deliver();
    }
    for (const std::size_t cell : fixed) values_[cell].reset();
    return go_on;
  }

  bool deliver() {
    std::vector<Rational> cells;
    for (const std::optional<Rational>& value : values_) cells.push_back(value.value());
    const ArrayState state = machine_.with_empty_buffers(std::move(cells));
    const std::optional<bool> initial = machine_.initial(state);
    search_.does_not_fit = search_.does_not_fit || !initial;
    if (initial != true) return true;
    ++delivered_;
    search_.stopped = !visit_(state);
    return !search_.stopped;
  }

  bool branch(std::size_t cell) {
    const bool one_is_enough = !counts(cell);
    const std::size_t delivered = delivered_;
    search_.restricted =
        search_.restricted || (!one_is_enough && !machine_.has_all_values(machine_.sort_of(cell)));
    for (const Rational& value : candidates(machine_.sort_of(cell))) {
      values_[cell] = value;
      const bool go_on = extend();
      values_[cell].reset();
      if (!go_on) return false;
      if (one_is_enough && delivered_ > delivered) break;
    }
    return true;
  }

  std::vector<Rational> candidates(const Sort& sort) const {
    std::vector<Rational> found = machine_.values(sort);
    if (sort.numeric())
      for (const Rational& number : mentioned_)
        if (machine_.is_value(sort, number) && std::ranges::find(found, number) == found.end())
          found.push_back(number);
    return found;
  }

  bool counts(std::size_t cell) const {
    return matters_ == nullptr || matters_->at(machine_.cells().cell(cell).symbol.index());
  }

  // Those that count come first, so that the others need only be filled in.
  std::optional<std::size_t> next_cell() const {
    std::optional<std::size_t> other;
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
      if (values_[cell]) continue;
      if (counts(cell)) return cell;
      if (!other) other = cell;
    }
    return other;
  }

  // False if init cannot hold any more. Cells that got a value are added to `fixed`.
  bool propagate(std::vector<std::size_t>& fixed) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Environment& choice : choices_)
        for (const Formula* conjunct : conjuncts_) {
          const std::optional<bool> holds = machine_.evaluator().holds(*conjunct, choice, outlook());
          if (holds == false) return false;
          if (holds) continue;
          const std::size_t before = fixed.size();
          if (!fix(*conjunct, choice, fixed)) return false;
          changed = changed || fixed.size() > before;
        }
    }
    return true;
  }

  bool fix(const Formula& conjunct, const Environment& choice, std::vector<std::size_t>& fixed) {
    if (conjunct.kind != FormulaKind::kCompare || conjunct.comparison != Comparison::kEqual) return true;
    const Term& left = conjunct.terms.at(0);
    const Term& right = conjunct.terms.at(1);
    if (left.kind == TermKind::kSum) return solve(left, right, choice, fixed);
    return copy(left, right, choice, fixed) && copy(right, left, choice, fixed);
  }

  // The cell `from` is a cell without a value and `to` has one.
  bool copy(const Term& from, const Term& to, const Environment& choice, std::vector<std::size_t>& fixed) {
    if (from.kind != TermKind::kAccess) return true;
    const std::size_t cell = machine_.evaluator().cell(from.access, choice);
    const std::optional<Rational> value = machine_.evaluator().value(to, choice, outlook());
    return values_[cell] || !value || give(cell, *value, fixed);
  }

  bool give(std::size_t cell, const Rational& value, std::vector<std::size_t>& fixed) {
    if (!machine_.is_value(machine_.sort_of(cell), value)) return false;
    values_[cell] = value;
    fixed.push_back(cell);
    return true;
  }

  // left = right, if a single cell in it has no value: factor * cell + rest = 0.
  bool solve(const Term& left, const Term& right, const Environment& choice,
             std::vector<std::size_t>& fixed) {
    Coefficients factors;
    std::optional<Rational> rest = whole(0);
    collect(left, whole(1), choice, factors, rest);
    collect(right, whole(-1), choice, factors, rest);
    std::erase_if(factors, [](const auto& one) { return one.second == whole(0); });
    if (!rest || factors.size() != 1) return true;
    const auto& [cell, factor] = *factors.begin();
    const std::optional<Rational> opposite = product(*rest, whole(-1));
    const std::optional<Rational> value = opposite ? quotient(*opposite, factor) : std::nullopt;
    search_.does_not_fit = search_.does_not_fit || !value;
    return value && give(cell, *value, fixed);
  }

  // Adds sign * term: to the factors of the cells without a value, and otherwise to `rest`.
  void collect(const Term& term, const Rational& sign, const Environment& choice, Coefficients& factors,
               std::optional<Rational>& rest) const {
    const auto add = [&](std::optional<Rational>& total, const Rational& factor, const Rational& value) {
      const std::optional<Rational> signed_factor = product(sign, factor);
      const std::optional<Rational> part = signed_factor ? product(*signed_factor, value) : std::nullopt;
      total = total && part ? sum(*total, *part) : std::nullopt;
    };
    add(rest, whole(1), term.number);
    for (const Summand& summand : term.summands) {
      const std::size_t cell = machine_.evaluator().cell(summand.access, choice);
      if (values_[cell]) {
        add(rest, summand.factor, *values_[cell]);
        continue;
      }
      std::optional<Rational> total = factors.try_emplace(cell, whole(0)).first->second;
      add(total, summand.factor, whole(1));
      if (total)
        factors[cell] = *total;
      else
        rest.reset();
    }
  }

  const ArrayMachine& machine_;
  const std::function<bool(const ArrayState&)>& visit_;
  const std::vector<bool>* matters_;
  std::vector<const Formula*> conjuncts_;
  std::vector<Environment> choices_;
  std::vector<Rational> mentioned_;
  std::vector<std::optional<Rational>> values_;  // of the attempt, by cell
  std::size_t delivered_ = 0;
  InitialSearch search_;
};

}  // namespace

InitialSearch for_each_initial(const ArrayMachine& machine,
                               const std::function<bool(const ArrayState&)>& visit,
                               const std::vector<bool>* matters) {
  return Enumeration(machine, visit, matters).run();
}

}  // namespace weir::array
