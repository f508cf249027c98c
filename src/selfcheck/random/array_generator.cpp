// A system is a few processes that walk through locations. Which transitions read and which write weak cells
// is decided first, because left to chance nearly all of them would do both and no buffer would ever be used.
// Weak cells are never updated to themselves one by one (X := X): nothing is said about whether that reads.
#include "selfcheck/random/array_generator.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "base/error.hpp"
#include "program/array/validate.hpp"
#include "selfcheck/random/array_builder.hpp"

namespace weir::selfcheck {

using namespace weir::array;

namespace {

// What may stand in a formula at some place.
struct Scope {
  std::uint32_t parameters = 1;
  std::optional<std::uint32_t> extra;  // a variable bound inside, which should be used
  bool weak_reads = true;
  bool cube = false;
};

class RandomArraySystem {
 public:
  RandomArraySystem(std::uint64_t seed, const ArrayShape& shape) : random_(seed), shape_(shape) {}

  ArraySystem make() {
    forward_ = !shape_.loops || one_in(2);
    add_sorts();
    add_symbols();
    add_initial();
    if (weak_family() && one_in(3)) plant_reordering();
    const std::size_t planted = system_.transitions.size();
    const std::size_t more = planted > 0 ? below(3) : 2 + below(std::max(shape_.max_transitions, 2u) - 1);
    while (system_.transitions.size() < planted + more) add_transition();
    if (system_.unsafe.empty() || one_in(5)) system_.unsafe.push_back(unsafe_cube());
    if (one_in(5)) system_.unsafe.push_back(unsafe_cube());
    const std::string wrong = problem(system_);
    WEIR_CHECK(wrong.empty(), wrong.c_str());
    return std::move(system_);
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  bool percent(std::size_t chance) { return below(100) < chance; }

  template <class T>
  const T& any(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  bool weak_family() const { return shape_.family != ArrayFamily::kOrdinary; }
  const Symbol& symbol(SymbolId id) const { return system_.symbol(id); }
  ArrayTerms terms() const { return ArrayTerms(system_); }

  // Declarations.

  void add_sorts() {
    system_ = empty_array_system();
    const auto names = [](const char* letter, std::size_t count) {
      std::vector<std::string> constructors;
      for (std::size_t number = 0; number < count; ++number)
        constructors.push_back(letter + std::to_string(number));
      return constructors;
    };
    locations_ = add_enumeration(system_, "location", names("L", 3 + below(weak_family() ? 3 : 2)));
    if (one_in(2)) data_ = add_enumeration(system_, "data", names("D", 2 + below(2)));
  }

  std::size_t last_location() const { return system_.sort(locations_).constructors.size() - 1; }

  SortId data_sort() {
    if (shape_.numbers && one_in(2)) return kIntegerSort;
    if (shape_.process_values && one_in(5)) return kProcessSort;
    return data_ && one_in(2) ? *data_ : kBooleanSort;
  }

  void declare(const char* letters, std::size_t count, std::uint32_t dimensions, bool weak) {
    for (std::size_t number = 0; number < count; ++number)
      data_symbols_.push_back(
          add_symbol(system_, std::string(1, letters[number]), data_sort(), dimensions, weak));
  }

  // Sums need something to add up.
  void declare_counters() {
    for (const char* name : {"I", "J"})
      data_symbols_.push_back(add_symbol(system_, name, kIntegerSort, 0, false));
  }

  void add_symbols() {
    if (shape_.sums && shape_.family != ArrayFamily::kWeak) declare_counters();
    pc_ = add_symbol(system_, "PC", locations_, 1);
    if (weak_family()) {
      const bool with_array = one_in(3);
      declare("XY", with_array ? below(2) : 1 + below(2), 0, true);
      declare("A", with_array ? 1 : 0, 1, true);
    }
    switch (shape_.family) {
      case ArrayFamily::kOrdinary:
        declare("UV", below(3), 0, false);
        declare("R", below(2), 1, false);
        break;
      case ArrayFamily::kWeak: declare("R", below(2), 1, false); break;
      case ArrayFamily::kWeakShared:
        declare("UV", 1 + below(2), 0, false);
        declare("R", below(2), 1, false);
        break;
    }
    if (shape_.numbers &&
        std::ranges::none_of(data_symbols_, [&](SymbolId id) { return symbol(id).sort == kIntegerSort; }))
      data_symbols_.push_back(
          add_symbol(system_, "Count", kIntegerSort, shape_.family == ArrayFamily::kWeak ? 1 : 0, false));
  }

  void add_initial() {
    std::vector<Formula> conjuncts = {equal(terms().cell(pc_, {bound(0)}), constructor_term(locations_, 0))};
    for (const SymbolId id : data_symbols_) {
      if (shape_.open_initial_values && symbol(id).sort != kIntegerSort && one_in(6)) continue;
      std::vector<Process> arguments(symbol(id).dimensions, bound(0));
      const std::optional<Term> value = initial_value(id);
      if (!value) continue;
      conjuncts.push_back(equal(terms().cell(id, std::move(arguments)), *value));
      if (value->kind != TermKind::kProcess) initial_values_.emplace(id, *value);
    }
    system_.initial = initially(1, std::move(conjuncts));
  }

  std::optional<Term> initial_value(SymbolId id) {
    const SortId sort = symbol(id).sort;
    if (sort == kIntegerSort) return number_term(static_cast<std::int64_t>(below(2)));
    if (sort != kProcessSort) return constructor_term(sort, one_in(4) ? 1 : 0);
    if (shape_.constant_processes && one_in(2)) return process_term(constant_process(1));
    if (symbol(id).dimensions > 0 && one_in(2)) return process_term(bound(0));
    return std::nullopt;
  }

  // Terms.

  Process any_process(const Scope& scope) {
    if (scope.extra && !one_in(4)) return bound(*scope.extra);
    if (shape_.constant_processes && one_in(8)) return constant_process(1);
    return bound(static_cast<std::uint32_t>(below(scope.parameters)));
  }

  // In a weak system a transition uses registers of the performer only.
  bool own_cell_only(SymbolId id, const Scope& scope) const {
    return shape_.family == ArrayFamily::kWeak && !symbol(id).weak && !scope.cube;
  }

  Term cell(SymbolId id, const Scope& scope) {
    std::vector<Process> arguments;
    if (symbol(id).dimensions > 0)
      arguments.push_back(own_cell_only(id, scope) ? bound(0) : any_process(scope));
    if (scope.cube && symbol(id).weak) return terms().view(any_process(scope), id, std::move(arguments));
    return terms().cell(id, std::move(arguments));
  }

  bool readable(SymbolId id, const Scope& scope) const { return scope.weak_reads || !symbol(id).weak; }

  std::vector<SymbolId> readable_symbols(const Scope& scope) const {
    std::vector<SymbolId> found;
    for (const SymbolId id : data_symbols_)
      if (readable(id, scope)) found.push_back(id);
    return found;
  }

  Term constant_value(SortId sort, const Scope& scope) {
    if (sort == kIntegerSort) return number_term(static_cast<std::int64_t>(below(3)));
    if (sort == kProcessSort) return process_term(any_process(scope));
    return constructor_term(sort, static_cast<std::uint32_t>(below(system_.sort(sort).constructors.size())));
  }

  std::optional<Term> other_cell(SortId sort, SymbolId besides, const Scope& scope) {
    std::vector<SymbolId> found = readable_symbols(scope);
    std::erase_if(found, [&](SymbolId id) { return id == besides || symbol(id).sort != sort; });
    return found.empty() ? std::nullopt : std::optional(cell(any(found), scope));
  }

  // Formulas.

  Formula comparison(Term left, Term right, bool numeric) {
    if (!numeric || one_in(2))
      return percent(65) ? equal(std::move(left), std::move(right))
                         : different(std::move(left), std::move(right));
    if (one_in(2)) std::swap(left, right);
    return compare(std::move(left), one_in(2) ? Comparison::kLess : Comparison::kLessEqual, std::move(right));
  }

  // About a data symbol; none if nothing may be read.
  std::optional<Formula> literal(const Scope& scope) {
    std::vector<SymbolId> choices = readable_symbols(scope);
    if (scope.weak_reads && weak_family() && !one_in(3))
      std::erase_if(choices, [&](SymbolId id) { return !symbol(id).weak; });
    if (choices.empty()) return std::nullopt;
    const SymbolId id = any(choices);
    const SortId sort = symbol(id).sort;
    Term left = cell(id, scope);
    std::optional<Term> right;
    const bool one_read = symbol(id).weak && !shape_.several_weak_reads;
    if (one_in(6) && !one_read) right = other_cell(sort, id, scope);
    if (sort == kIntegerSort && shape_.sums && !one_in(3)) left = any_sum(std::move(left), scope);
    return comparison(std::move(left), right ? *right : constant_value(sort, scope), sort == kIntegerSort);
  }

  // The sum, of a number of cells, with small factors.
  Term any_sum(Term sum, const Scope& scope) {
    static constexpr std::int64_t kFactors[] = {1, 1, 2, -1, -2, 3};
    if (!scope.weak_reads || shape_.several_weak_reads)
      for (std::size_t count = 1 + below(2); count > 0; --count)
        if (std::optional<Term> other = other_cell(kIntegerSort, SymbolId(), scope))
          sum = plus(std::move(sum), kFactors[below(6)], *other);
    return one_in(3) ? plus(sum, 1, sum) : sum;
  }

  bool reads_weakly(const std::vector<Formula>& conjuncts) const {
    return std::ranges::any_of(conjuncts, [&](const Formula& formula) { return reads_weakly(formula); });
  }
  bool reads_weakly(const Formula& formula) const {
    for (const Term& term : formula.terms) {
      if (term.kind == TermKind::kAccess && symbol(term.access.symbol).weak) return true;
      for (const Summand& summand : term.summands)
        if (symbol(summand.access.symbol).weak) return true;
    }
    return reads_weakly(formula.operands);
  }

  // About all (or some) other processes.
  std::optional<Formula> quantified(const Scope& scope) {
    Scope inside = scope;
    inside.extra = scope.parameters;
    std::optional<Formula> body;
    if (shape_.family != ArrayFamily::kWeak && one_in(2))
      body = location_literal(bound(*inside.extra));
    else
      body = literal(inside);
    if (!body) return std::nullopt;
    if (shape_.disjunctions && one_in(3))
      if (std::optional<Formula> other = literal(inside))
        body = any_of({std::move(*body), std::move(*other)});
    std::vector<Process> others;
    for (std::uint32_t parameter = 0; parameter < scope.parameters; ++parameter)
      others.push_back(bound(parameter));
    const bool universal = shape_.universal_guards && (!shape_.existential_guards || !one_in(4));
    return universal ? for_all(*inside.extra, std::move(others), std::move(*body))
                     : there_is(*inside.extra, std::move(others), std::move(*body));
  }

  Formula location_literal(Process process) {
    Term place = constructor_term(locations_, static_cast<std::uint32_t>(below(last_location() + 1)));
    return comparison(terms().cell(pc_, {process}), std::move(place), false);
  }

  std::optional<Formula> condition(const Scope& scope) {
    const bool quantifiers = shape_.universal_guards || shape_.existential_guards;
    if (quantifiers && shape_.several_weak_reads && one_in(6)) return quantified(scope);
    std::optional<Formula> first = literal(scope);
    if (!first || !shape_.disjunctions || !one_in(4)) return first;
    if (one_in(3)) return negation(std::move(*first));
    std::optional<Formula> second = literal(scope);
    return second ? any_of({std::move(*first), std::move(*second)}) : first;
  }

  // Store buffering: a process writes and then looks for what another one writes, and the other way round.

  // A weak symbol whose initial value is known.
  std::vector<SymbolId> plantable(std::uint32_t dimensions) const {
    std::vector<SymbolId> found;
    for (const auto& [id, value] : initial_values_)
      if (symbol(id).weak && symbol(id).dimensions == dimensions) found.push_back(id);
    return found;
  }

  void plant_reordering() {
    const std::vector<SymbolId> arrays = plantable(1), variables = plantable(0);
    if (!arrays.empty() && shape_.universal_guards)
      plant_in_array(arrays[0]);
    else if (variables.size() > 1 && last_location() >= 4)
      plant_in_variables(variables[0], variables[1]);
  }

  Term planted_value(SymbolId id) const {
    Term value = initial_values_.at(id);
    if (value.kind == TermKind::kSum) return plus(value, 1);
    value.constructor = value.constructor == 0 ? 1 : 0;
    return value;
  }

  void plant_move(std::uint32_t from, std::uint32_t to, std::optional<Formula> guard,
                  std::optional<Update> update) {
    const Term pc = terms().cell(pc_, {bound(0)});
    std::vector<Formula> conjuncts = {equal(pc, constructor_term(locations_, from))};
    if (guard) conjuncts.push_back(std::move(*guard));
    if (guard && shape_.fences && one_in(4)) conjuncts.push_back(fence());
    std::vector<Update> updates = {becomes(pc, constructor_term(locations_, to))};
    if (update) updates.push_back(std::move(*update));
    const std::string name = "t" + std::to_string(system_.transitions.size());
    system_.transitions.push_back(transition(name, 1, 0, all_of(std::move(conjuncts)), std::move(updates)));
    targets_.push_back(to);
  }

  void plant_in_array(SymbolId id) {
    const Term value = planted_value(id);
    const auto last = static_cast<std::uint32_t>(last_location());
    plant_move(0, 1, std::nullopt, becomes(terms().cell(id, {bound(0)}), value));
    plant_move(1, last, for_all(1, {bound(0)}, different(terms().cell(id, {bound(1)}), value)), std::nullopt);
    plant_unsafe(last, last);
  }

  void plant_in_variables(SymbolId x, SymbolId y) {
    plant_move(0, 1, std::nullopt, becomes(terms().cell(x), planted_value(x)));
    plant_move(1, 3, different(terms().cell(y), planted_value(y)), std::nullopt);
    plant_move(0, 2, std::nullopt, becomes(terms().cell(y), planted_value(y)));
    plant_move(2, 4, different(terms().cell(x), planted_value(x)), std::nullopt);
    plant_unsafe(3, 4);
  }

  void plant_unsafe(std::uint32_t one, std::uint32_t other) {
    const auto at = [&](std::uint32_t process, std::uint32_t location) {
      return equal(terms().cell(pc_, {bound(process)}), constructor_term(locations_, location));
    };
    system_.unsafe.push_back(cube(2, {at(0, one), at(1, other)}));
  }

  // Transitions.

  // From a location that some transition leads to, mostly; the last location is not left out.
  std::pair<std::size_t, std::size_t> any_move() {
    std::size_t from = one_in(8) ? below(last_location()) : any(targets_);
    if (forward_ && from == last_location()) from = 0;
    std::size_t to = forward_ ? from + 1 + below(last_location() - from) : below(last_location() + 1);
    if (one_in(3)) to = last_location();
    targets_.push_back(to);
    return {from, to};
  }

  void add_transition() {
    Scope scope;
    scope.parameters = one_in(3) ? 2 : 1;
    const std::size_t kind = below(10);
    const bool both = weak_family() && shape_.read_modify_writes && kind < 2;
    scope.weak_reads = weak_family() && (both || kind < 6);
    const bool weak_writes = weak_family() && (both || kind >= 6);
    const auto [from, to] = any_move();
    Formula guard = all_of(guard_of(scope, from, scope.weak_reads && !both));
    std::vector<Update> updates = updates_of(scope, weak_writes);
    if (to != from)
      updates.push_back(becomes(terms().cell(pc_, {bound(0)}),
                                constructor_term(locations_, static_cast<std::uint32_t>(to))));
    const std::string name = "t" + std::to_string(system_.transitions.size());
    const bool performed = weak_family() || one_in(4);
    system_.transitions.push_back(transition(name, scope.parameters,
                                             performed ? std::optional(0u) : std::nullopt, std::move(guard),
                                             std::move(updates)));
  }

  std::vector<Formula> guard_of(const Scope& scope, std::size_t from, bool must_read) {
    std::vector<Formula> conjuncts;
    if (forward_ || !one_in(10))
      conjuncts.push_back(equal(terms().cell(pc_, {bound(0)}),
                                constructor_term(locations_, static_cast<std::uint32_t>(from))));
    if (shape_.family != ArrayFamily::kWeak && scope.parameters > 1 && one_in(2))
      conjuncts.push_back(location_literal(bound(1)));
    for (std::size_t count = below(3) + (must_read ? 1 : 0); count > 0; --count) {
      Scope now = scope;
      if (!shape_.several_weak_reads && reads_weakly(conjuncts)) now.weak_reads = false;
      if (std::optional<Formula> one = condition(now)) conjuncts.push_back(std::move(*one));
    }
    if (weak_family() && shape_.fences && one_in(6)) conjuncts.push_back(fence());
    return conjuncts;
  }

  std::vector<Update> updates_of(const Scope& scope, bool weak_writes) {
    std::vector<Update> updates;
    std::size_t weak_count = 0;
    for (const SymbolId id : data_symbols_) {
      const bool weak = symbol(id).weak;
      if (weak && (!weak_writes || (weak_count > 0 && !shape_.several_weak_writes))) continue;
      if (!percent(weak ? 60 : 35)) continue;
      updates.push_back(update(id, scope));
      weak_count += weak ? 1 : 0;
    }
    return updates;
  }

  Update update(SymbolId id, const Scope& scope) {
    if (symbol(id).dimensions > 0 && shape_.cases && !own_cell_only(id, scope) && one_in(4) &&
        (!symbol(id).weak || shape_.several_weak_writes))
      return update_everywhere(id, scope);
    Term target = cell(id, scope);
    const bool can_be_open = symbol(id).sort != kIntegerSort || shape_.sums;
    if (shape_.open_values && can_be_open && one_in(12)) return becomes_anything(target);
    Update update = becomes(target, new_value(id, target, scope));
    if (!shape_.cases || !shape_.several_weak_reads || !one_in(8)) return update;
    if (std::optional<Formula> guard = literal(scope))
      update.cases.insert(update.cases.begin(), {std::move(*guard), new_value(id, target, scope)});
    return update;
  }

  static bool same_cell(const Term& sum, const Term& cell) {
    return sum.number == Rational{0, 1} && sum.summands.size() == 1 &&
           sum.summands[0].factor == Rational{1, 1} && sum.summands[0].access == cell.summands[0].access;
  }

  Term new_value(SymbolId id, const Term& target, const Scope& scope) {
    const SortId sort = symbol(id).sort;
    if (sort == kIntegerSort && shape_.sums && one_in(3)) {
      Term sum =
          any_sum(readable(id, scope) ? target : number_term(static_cast<std::int64_t>(below(2))), scope);
      return same_cell(sum, target) ? plus(std::move(sum), 1) : sum;
    }
    if (sort == kIntegerSort && readable(id, scope) && !one_in(3)) return plus(target, one_in(3) ? -1 : 1);
    if (one_in(4) && shape_.several_weak_reads)
      if (std::optional<Term> other = other_cell(sort, id, scope)) return *other;
    return constant_value(sort, scope);
  }

  // A[j] := case | a condition on j : a value | _ : A[j], or another value.
  Update update_everywhere(SymbolId id, const Scope& scope) {
    const std::uint32_t variable = scope.parameters;
    Scope inside = scope;
    inside.extra = variable;
    std::optional<Formula> guard;
    if (one_in(3)) guard = literal(inside);
    if (!guard) guard = comparison(process_term(bound(variable)), process_term(bound(0)), false);
    const Term same = terms().cell(id, {bound(variable)});
    const SortId sort = symbol(id).sort;
    const bool open = shape_.open_values && sort != kIntegerSort && one_in(12);
    std::vector<UpdateCase> cases;
    cases.push_back({std::move(*guard), open ? std::nullopt : std::optional(constant_value(sort, scope))});
    cases.push_back({truth(), one_in(5) ? constant_value(sort, scope) : same});
    return everywhere(id, {variable}, std::move(cases));
  }

  // Properties.

  Cube unsafe_cube() {
    Scope scope{.parameters = one_in(3) ? 1u : 2u, .weak_reads = shape_.views, .cube = true};
    std::vector<Formula> literals = {
        equal(terms().cell(pc_, {bound(0)}),
              constructor_term(locations_, static_cast<std::uint32_t>(last_location())))};
    if (scope.parameters > 1 && !one_in(4)) {
      const auto place = static_cast<std::uint32_t>(one_in(2) ? last_location() : 1 + below(last_location()));
      literals.push_back(equal(terms().cell(pc_, {bound(1)}), constructor_term(locations_, place)));
    }
    for (std::size_t count = scope.parameters == 1 ? 1 + below(2) : below(3); count > 0; --count)
      if (std::optional<Formula> one = literal(scope)) literals.push_back(std::move(*one));
    return cube(scope.parameters, std::move(literals));
  }

  std::mt19937_64 random_;
  const ArrayShape shape_;
  bool forward_ = true;  // locations are passed in ascending order
  ArraySystem system_;
  SortId locations_;
  std::optional<SortId> data_;
  SymbolId pc_;
  std::vector<std::size_t> targets_ = {0};   // locations where transitions lead
  std::vector<SymbolId> data_symbols_;       // all but PC
  std::map<SymbolId, Term> initial_values_;  // where init gives all cells the same one
};

}  // namespace

ArraySystem random_array_system(std::uint64_t seed, const ArrayShape& shape) {
  return RandomArraySystem(seed, shape).make();
}

}  // namespace weir::selfcheck
