// One thread per process, which for ever chooses a transition and executes it (instance_code.cpp), and
// perhaps one more for the transitions that belong to no process (instance_plan.cpp). Arrays of which
// each process uses its own cell only are registers of its thread, the others are shared objects.
//
// An unsafe cube becomes an invariant for each choice of processes, which reads memory and registers. What a
// process sees is in neither; if a cube speaks of one cell that one process sees, and otherwise of this
// process only, its thread looks, and fails. Other cubes with views are refused.
//
// Where init leaves finitely many values open, the first thread chooses values that it allows, in one atomic
// block, and the others wait for that. The cost is one block per transition and choice of processes.
#include "program/array/instance.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/error.hpp"
#include "program/array/instance_code.hpp"
#include "program/array/walk.hpp"

namespace weir::array {

namespace {

using Processes = InstanceTerms::Processes;
using Refusal = std::optional<Diagnostic>;

// A cell of a symbol for given processes.
struct Cell {
  SymbolId symbol;
  Processes arguments;

  friend auto operator<=>(const Cell&, const Cell&) = default;
};

bool representable(const Term& term) {
  constexpr std::int64_t greatest_factor = 1 << 10;
  if (term.kind != TermKind::kSum) return true;
  const auto small = [](const Rational& number, std::int64_t limit) {
    return number.denominator == 1 && number.numerator >= -limit && number.numerator <= limit;
  };
  return small(term.number, kGreatestNumber) && term.summands.size() <= 1 << 10 &&
         std::ranges::all_of(term.summands,
                             [&](const Summand& summand) { return small(summand.factor, greatest_factor); });
}

class Instance {
 public:
  Instance(const ArraySystem& system, std::uint32_t processes)
      : system_(system),
        layout_{.system = system, .processes = processes, .plan = plan_instance(system)},
        terms_(program_, processes),
        scratch_terms_(scratch_, processes) {}

  Expected<Program, Diagnostic> run() {
    program_.name = system_.name;
    program_.sources = system_.sources;
    for (auto part : {&Instance::check_numbers, &Instance::check_fences, &Instance::fix_initial_values,
                      &Instance::declare, &Instance::add_transitions, &Instance::add_properties})
      if (Refusal refusal = (this->*part)()) return std::move(*refusal);
    return std::move(program_);
  }

 private:
  // What is refused at once.

  Refusal check_numbers() {
    for (const Symbol& symbol : system_.symbols)
      if (system_.sort(symbol.sort).kind == SortKind::kReal)
        return Diagnostic{.message = fmt::format("{} is a real number, which no program has", symbol.name),
                          .position = symbol.position};
    Refusal refusal;
    for_each_term(system_, [&](const Term& term) {
      if (!representable(term))
        refusal = Diagnostic{.message = "a number is too large for a program", .position = term.position};
    });
    return refusal;
  }

  Refusal check_fences() {
    for (std::size_t number = 0; number < system_.transitions.size(); ++number)
      if (layout_.plan.transitions[number].fence_inside)
        return Diagnostic{
            .message = fmt::format("transition {} uses fence() other than as a condition of its own",
                                   system_.transitions[number].name),
            .position = system_.transitions[number].position};
    return std::nullopt;
  }

  // Initial values.

  void for_each_cell(const std::function<void(const Cell&)>& visit) const {
    for (std::size_t symbol = 0; symbol < system_.symbols.size(); ++symbol) {
      Processes arguments(system_.symbols[symbol].dimensions, 0);
      const auto next = [&] {
        for (auto place = arguments.rbegin(); place != arguments.rend(); ++place) {
          if (++*place < layout_.processes) return true;
          *place = 0;
        }
        return false;
      };
      do visit({SymbolId(symbol), arguments});
      while (next());
    }
  }

  // Equations between a cell and a constant fix the cell. Is the formula made of such equations only?
  bool fix(const Formula& formula, const Processes& bound) {
    if (formula.kind == FormulaKind::kAnd) {
      bool all = true;
      for (const Formula& operand : formula.operands) all = fix(operand, bound) && all;
      return all;
    }
    if (formula.kind == FormulaKind::kTrue) return true;
    if (formula.kind != FormulaKind::kCompare || formula.comparison != Comparison::kEqual) return false;
    return fix(formula.terms[0], formula.terms[1], bound) || fix(formula.terms[1], formula.terms[0], bound);
  }

  bool fix(const Term& left, const Term& right, const Processes& bound) {
    std::vector<Cell> cells;
    const auto leaf = [&](SymbolId symbol, const Processes& arguments, std::optional<std::uint32_t>) {
      cells.push_back({symbol, arguments});
      return scratch_.register_value(RegisterId(0));
    };
    const Expression cell = scratch_.expression(scratch_terms_.value(left, bound, leaf));
    if (cell.op != ExprOp::kRegister || cells.size() != 1) return false;
    const Expression value = scratch_.expression(scratch_terms_.value(right, bound, leaf));
    if (value.op != ExprOp::kConstant) return false;
    const auto [place, is_new] = fixed_.try_emplace(cells[0], value.constant);
    return is_new || place->second == value.constant;
  }

  Refusal fix_initial_values() {
    for_each_choice(layout_.processes, system_.initial.parameters.size(), [&](const Processes& choice) {
      chosen_at_start_ = !fix(system_.initial.formula, choice) || chosen_at_start_;
    });
    Refusal refusal;
    for_each_cell([&](const Cell& cell) {
      if (fixed_.contains(cell)) return;
      chosen_at_start_ = true;
      if (!count_initial_values(cell.symbol))
        refusal = Diagnostic{.message = fmt::format("init leaves the number {} open, and no program can "
                                                    "begin with any number",
                                                    system_.symbol(cell.symbol).name),
                             .position = system_.symbol(cell.symbol).position};
    });
    return refusal;
  }

  // Of an abstract sort as many values are enough as it has cells: no more can be different.
  std::optional<Value> count_initial_values(SymbolId symbol) const {
    const SortId sort = system_.symbol(symbol).sort;
    if (system_.sort(sort).kind != SortKind::kAbstract)
      return count_values(system_.sort(sort), layout_.processes);
    Value cells = 0;
    for_each_cell([&](const Cell& cell) { cells += system_.symbol(cell.symbol).sort == sort ? 1 : 0; });
    return cells;
  }

  Value initial_value(const Cell& cell) const {
    const auto known = fixed_.find(cell);
    return known == fixed_.end() ? 0 : known->second;
  }

  // Objects and threads.

  Refusal declare() {
    Value next = 0;
    for (std::size_t symbol = 0; symbol < system_.symbols.size(); ++symbol) {
      layout_.bases.push_back(next);
      if (!layout_.is_private(SymbolId(symbol))) next += add_object(SymbolId(symbol), next);
    }
    if (chosen_at_start_) add_start_objects(next);
    for (std::uint32_t process = 0; process < layout_.processes; ++process)
      add_thread(fmt::format("p{}", process + 1), process);
    if (layout_.plan.common_thread) add_thread("others", std::nullopt);
    if (chosen_at_start_)
      for (InstanceThread& thread : layout_.threads) add_start(thread);
    return std::nullopt;
  }

  Value add_object(SymbolId id, Value base) {
    const Symbol& symbol = system_.symbol(id);
    std::vector<Value> initial;
    for_each_cell([&](const Cell& cell) {
      if (cell.symbol == id) initial.push_back(initial_value(cell));
    });
    const auto size = static_cast<Value>(initial.size());
    program_.objects.push_back(
        {.name = symbol.name, .base = base, .initial = std::move(initial), .position = symbol.position});
    return size;
  }

  void add_thread(std::string name, std::optional<std::uint32_t> process) {
    InstanceThread thread{.process = process};
    thread.function = program_.add_function(name);
    thread.thread = program_.add_thread(std::move(name), thread.function);
    thread.head = program_.add_location(thread.function, "head");
    program_.functions[thread.function.index()].entry = thread.head;
    thread.privates.resize(system_.symbols.size());
    if (process) {
      for (std::size_t symbol = 0; symbol < system_.symbols.size(); ++symbol)
        if (layout_.is_private(SymbolId(symbol)))
          thread.privates[symbol] =
              program_.add_register(thread.function, system_.symbols[symbol].name, kInt64,
                                    initial_value({SymbolId(symbol), {*process}}));
      thread.busy = program_.add_register(thread.function, "busy", kInt64, chosen_at_start_ ? 1 : 0);
    }
    layout_.threads.push_back(std::move(thread));
  }

  // The beginning, where values are chosen.

  // A flag that says that they are, and a place for the private ones among them.
  void add_start_objects(Value next) {
    ready_ = next++;
    program_.objects.push_back({.name = "ready", .base = ready_, .initial = {0}});
    for_each_cell([&](const Cell& cell) {
      if (fixed_.contains(cell) || !layout_.is_private(cell.symbol)) return;
      const std::string name =
          fmt::format("start_{}_{}", system_.symbol(cell.symbol).name, cell.arguments[0] + 1);
      handed_over_.emplace(cell, next);
      program_.objects.push_back({.name = name, .base = next++, .initial = {0}});
    });
  }

  void add_start(InstanceThread& thread) {
    const LocationId entry = program_.add_location(thread.function, "start");
    program_.functions[thread.function.index()].entry = entry;
    InstancePath path(program_, thread, entry, system_.initial.position);
    path.add({.op = Opcode::kAtomicBegin, .message = "chooses initial values"});
    if (&thread == &layout_.threads[0])
      choose_initial_values(path);
    else
      wait_until_ready(path);
    take_over(thread, path);
    if (thread.process) path.assign(thread.busy, program_.constant(0));
    path.add({.op = Opcode::kAtomicEnd});
    path.finish(thread.head);
  }

  void choose_initial_values(InstancePath& path) {
    std::map<Cell, RegisterId> chosen;
    for_each_cell([&](const Cell& cell) {
      if (fixed_.contains(cell)) return;
      const RegisterId target = chosen.emplace(cell, path.temporary()).first->second;
      path.add({.op = Opcode::kChoose,
                .result = target,
                .low = 0,
                .high = count_initial_values(cell.symbol).value() - 1});
    });
    const auto leaf = [&](SymbolId symbol, const Processes& arguments, std::optional<std::uint32_t>) {
      const auto open = chosen.find({symbol, arguments});
      return open == chosen.end() ? program_.constant(initial_value({symbol, arguments}))
                                  : program_.register_value(open->second);
    };
    Condition allowed{.known = true};
    for_each_choice(layout_.processes, system_.initial.parameters.size(), [&](const Processes& choice) {
      allowed = terms_.both(allowed, terms_.condition(system_.initial.formula, choice, leaf));
    });
    if (!allowed.always()) path.assume(terms_.expression(allowed));
    for (const auto& [cell, target] : chosen) {
      const auto place = handed_over_.find(cell);
      path.store(place == handed_over_.end() ? layout_.address(cell.symbol, cell.arguments) : place->second,
                 program_.register_value(target));
    }
    path.store(ready_, program_.constant(1));
  }

  void wait_until_ready(InstancePath& path) {
    const RegisterId ready = path.temporary();
    path.load(ready, ready_);
    path.assume(program_.register_value(ready));
  }

  void take_over(const InstanceThread& thread, InstancePath& path) {
    for (const auto& [cell, place] : handed_over_)
      if (thread.process == cell.arguments[0]) path.load(thread.privates[cell.symbol.index()], place);
  }

  // Transitions.

  Refusal add_transitions() {
    Refusal refusal;
    for (std::size_t number = 0; number < system_.transitions.size(); ++number) {
      const std::optional<std::uint32_t> executor = layout_.plan.transitions[number].executor;
      for_each_choice(
          layout_.processes, system_.transitions[number].parameters.size(), [&](const Processes& choice) {
            InstanceThread& thread = executor ? layout_.threads[choice[*executor]] : layout_.threads.back();
            if (!refusal) refusal = add_transition(program_, layout_, thread, number, choice);
          });
    }
    return refusal;
  }

  // Properties.

  Refusal add_properties() {
    Refusal refusal;
    for (const Cube& cube : system_.unsafe)
      for_each_choice(layout_.processes, cube.parameters.size(), [&](const Processes& choice) {
        if (!refusal) refusal = speaks_of_views(cube) ? observe(cube, choice) : add_invariant(cube, choice);
      });
    return refusal;
  }

  bool speaks_of_views(const Cube& cube) const {
    bool found = false;
    for (const Formula& literal : cube.literals)
      for_each_access(literal, [&](const Access& access) { found = found || access.viewer; });
    return found;
  }

  Refusal observe(const Cube& cube, const Processes& choice) {
    std::set<std::uint32_t> involved;
    bool shared = false;
    for (const Formula& literal : cube.literals)
      for_each_access(literal, [&](const Access& access) {
        if (access.viewer)
          involved.insert(terms_.resolve({*access.viewer}, choice)[0]);
        else if (layout_.is_private(access.symbol))
          involved.insert(terms_.resolve(access.arguments, choice)[0]);
        else
          shared = true;
      });
    if (involved.size() > 1 || shared)
      return Diagnostic{.message =
                            "an unsafe cube tells what a process sees together with something else than "
                            "this process, which no property of a program can do",
                        .position = cube.position};
    return add_observation(program_, layout_, layout_.threads[*involved.begin()], cube, choice);
  }

  // In every state some literal is false, or a register of it is not to be looked at.
  Refusal add_invariant(const Cube& cube, const Processes& choice) {
    std::set<std::uint32_t> threads;
    const auto leaf = [&](SymbolId symbol, const Processes& arguments, std::optional<std::uint32_t>) {
      if (!layout_.is_private(symbol)) return shared_cell(layout_.address(symbol, arguments));
      threads.insert(arguments[0]);
      const InstanceThread& thread = layout_.threads[arguments[0]];
      return thread_register(thread, thread.privates[symbol.index()]);
    };
    Condition unsafe{.known = true};
    for (const Formula& literal : cube.literals)
      unsafe = terms_.both(unsafe, terms_.condition(literal, choice, leaf));
    if (unsafe.never()) return std::nullopt;
    if (chosen_at_start_) unsafe = terms_.both(unsafe, {.expression = shared_cell(ready_)});
    for (const std::uint32_t thread : threads) {
      const Condition busy{.expression =
                               thread_register(layout_.threads[thread], layout_.threads[thread].busy)};
      unsafe = terms_.both(unsafe, terms_.negation(busy));
    }
    program_.properties.invariants.push_back({.expression = terms_.expression(terms_.negation(unsafe)),
                                              .text = cube.name.empty() ? "not unsafe" : "not " + cube.name,
                                              .position = cube.position});
    return std::nullopt;
  }

  ExprId shared_cell(Value address) {
    return program_.add_expression({.op = ExprOp::kSharedCell, .constant = address});
  }

  ExprId thread_register(const InstanceThread& thread, RegisterId reg) {
    return program_.add_expression({.op = ExprOp::kThreadRegister, .reg = reg, .thread = thread.thread});
  }

  const ArraySystem& system_;
  Program program_;
  InstanceLayout layout_;
  const InstanceTerms terms_;
  Program scratch_;  // for expressions that are only looked at
  const InstanceTerms scratch_terms_;
  std::map<Cell, Value> fixed_;        // cells to which init gives a value by an equation
  bool chosen_at_start_ = false;       // these do not say all that init says
  Value ready_ = 0;                    // the address of the flag that values are chosen
  std::map<Cell, Value> handed_over_;  // private cells whose value is chosen: where their threads find it
};

}  // namespace

Expected<Program, Diagnostic> instance_as_program(const ArraySystem& system, std::uint32_t processes) {
  WEIR_CHECK(processes > 0, "an instance without processes");
  return Instance(system, processes).run();
}

}  // namespace weir::array
