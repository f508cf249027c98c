// A process is at a location of a thread, and so says which thread it is a copy of. Registers are arrays of
// which every process uses its own cell, shared cells are weak variables. An edge becomes a transition for
// each combination of values of the registers it uses (assumptions: one for all of them), so that there is no
// arithmetic left. A read-modify-write, and a store that is sequentially consistent, reads the cell that it
// writes, which makes it wait for an empty buffer and act on memory, as it must.
// A load that only copies is one transition, whatever it reads.
//
// `halt` ends the execution in a state without violations; here the process stays where it is for ever, which
// reaches nothing that a slow process would not. A store-store fence does nothing under TSO.
#include "program/array/of_program.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "program/array/of_program_values.hpp"
#include "program/ordering.hpp"

namespace weir::array {

namespace {

using Refusal = std::optional<Diagnostic>;

constexpr SortId kLocations{0}, kValues{1};
constexpr SymbolId kPlace{0};

Formula formula(FormulaKind kind, std::vector<Formula> operands = {}) {
  return {.kind = kind, .operands = std::move(operands)};
}

Formula equal(Term left, Term right) {
  return {.kind = FormulaKind::kCompare, .terms = {std::move(left), std::move(right)}};
}

class Conversion {
 public:
  explicit Conversion(const Program& program) : program_(program), values_(program) {}

  Expected<ArraySystem, Diagnostic> run() {
    system_.name = program_.name;
    system_.sources = program_.sources;
    if (Refusal refusal = check()) return std::move(*refusal);
    if (Refusal refusal = values_.compute()) return std::move(*refusal);
    declare();
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread)
      for (std::size_t edge = 0; edge < program_.edges.size(); ++edge)
        if (runs(ThreadId(thread), program_.edges[edge].source)) add(ThreadId(thread), EdgeId(edge));
    add_initial();
    add_unsafe();
    return std::move(system_);
  }

 private:
  // What is refused at once.

  Refusal check() const {
    const auto refuse = [](std::string message, SourcePosition position = {}) {
      return Diagnostic{.message = std::move(message), .position = position};
    };
    for (const Thread& thread : program_.threads) {
      if (thread.single) return refuse("there is only one " + thread.name, thread.position);
      if (thread.dormant) return refuse(thread.name + " waits to be given work", thread.position);
    }
    if (program_.threads.empty()) return refuse("the program has no threads");
    const Properties& asked = program_.properties;
    if (!asked.invariants.empty())
      return refuse("an invariant speaks of memory, of which array systems know what processes see",
                    asked.invariants[0].position);
    if (asked.deadlock || asked.races || asked.leaks)
      return refuse("deadlocks, data races and leaks are nothing that an array system can be asked for");
    if (!program_.restrictions.empty()) return refuse("the program leaves out: " + program_.restrictions[0]);
    return std::nullopt;
  }

  // Declarations.

  bool runs(ThreadId thread, LocationId location) const {
    return program_.location(location).function == program_.thread(thread).function;
  }

  void declare() {
    system_.sorts = {{.name = "location", .kind = SortKind::kEnumeration},
                     {.name = "value", .kind = SortKind::kEnumeration}};
    system_.symbols = {{.name = "PC", .sort = kLocations, .dimensions = 1}};
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) declare_thread(ThreadId(thread));
    ended_ = add_location("Ended");
    failed_ = add_location("Failed");
    for (const auto& [address, values] : values_.cells()) {
      cells_.emplace(address, add_symbol(fmt::format("X{}", cells_.size()), 0, true));
      for (const Value value : values) number_of(value);
    }
  }

  void declare_thread(ThreadId thread) {
    for (std::size_t location = 0; location < program_.locations.size(); ++location)
      if (runs(thread, LocationId(location)))
        locations_.emplace(std::pair(thread, LocationId(location)),
                           add_location(fmt::format("T{}_L{}", thread.index(), location)));
    const Function& function = program_.function(program_.thread(thread).function);
    for (std::size_t reg = 0; reg < function.registers.size(); ++reg) {
      registers_.emplace(std::pair(thread, RegisterId(reg)),
                         add_symbol(fmt::format("R{}_{}", thread.index(), reg), 1, false));
      for (const Value value : values_.of_register(thread, RegisterId(reg))) number_of(value);
    }
  }

  std::uint32_t add_location(std::string name) {
    std::vector<std::string>& names = system_.sorts[0].constructors;
    names.push_back(std::move(name));
    return static_cast<std::uint32_t>(names.size() - 1);
  }

  SymbolId add_symbol(std::string name, std::uint32_t dimensions, bool weak) {
    system_.symbols.push_back(
        {.name = std::move(name), .sort = kValues, .dimensions = dimensions, .weak = weak});
    return SymbolId(system_.symbols.size() - 1);
  }

  // The constructor that stands for a value.
  std::uint32_t number_of(Value value) {
    const auto [place, is_new] =
        numbers_.try_emplace(value, static_cast<std::uint32_t>(system_.sorts[1].constructors.size()));
    if (is_new)
      system_.sorts[1].constructors.push_back(
          value < 0 ? fmt::format("M{}", 0 - static_cast<std::uint64_t>(value)) : fmt::format("V{}", value));
    return place->second;
  }

  // Terms.

  static Process process(std::uint32_t index) { return {.constant = false, .index = index}; }

  static Term cell(SymbolId symbol, SortId sort, std::vector<Process> arguments) {
    return {.kind = TermKind::kAccess,
            .sort = sort,
            .access = {.symbol = symbol, .arguments = std::move(arguments)}};
  }

  static Term location(std::uint32_t number) {
    return {.kind = TermKind::kConstructor, .sort = kLocations, .constructor = number};
  }

  Term constant(Value value) {
    return {.kind = TermKind::kConstructor, .sort = kValues, .constructor = number_of(value)};
  }

  Term register_of(ThreadId thread, RegisterId reg) const {
    return cell(registers_.at({thread, reg}), kValues, {process(0)});
  }

  Term memory(Value address) const { return cell(cells_.at(address), kValues, {}); }

  static Formula at(std::uint32_t which, std::uint32_t number) {
    return equal(cell(kPlace, kLocations, {process(which)}), location(number));
  }

  static Update becomes(const Term& target, Term value) {
    return {.symbol = target.access.symbol,
            .arguments = target.access.arguments,
            .cases = {{.guard = formula(FormulaKind::kTrue), .value = std::move(value)}}};
  }

  // Transitions.

  // Where the thread is, what must hold besides, what changes besides.
  struct Step {
    ThreadId thread;
    EdgeId edge;
    std::vector<Formula> guard;
    std::vector<Update> updates;
  };

  void add_step(Step step, std::optional<std::uint32_t> target = std::nullopt) {
    const Edge& edge = program_.edge(step.edge);
    const std::uint32_t from = locations_.at({step.thread, edge.source});
    if (!target) target = locations_.at({step.thread, edge.target});
    step.guard.insert(step.guard.begin(), at(0, from));
    if (*target != from)
      step.updates.push_back(becomes(cell(kPlace, kLocations, {process(0)}), location(*target)));
    system_.transitions.push_back({.name = fmt::format("t{}_e{}_{}", step.thread.index(), step.edge.index(),
                                                       system_.transitions.size()),
                                   .parameters = {"p"},
                                   .performer = 0,
                                   .guard = formula(FormulaKind::kAnd, std::move(step.guard)),
                                   .updates = std::move(step.updates),
                                   .position = edge.position});
  }

  std::vector<Formula> has(ThreadId thread, const Valuation& valuation) {
    std::vector<Formula> found;
    for (const auto& [reg, value] : valuation)
      if (values_.of_register(thread, reg).size() > 1)
        found.push_back(equal(register_of(thread, reg), constant(value)));
    return found;
  }

  // Holds where the expression is (or is not) zero.
  Formula truth_of(ThreadId thread, ExprId expression, bool wanted) {
    std::vector<Formula> ways;
    for (const Valuation& valuation : values_.valuations(thread, {expression}))
      if ((values_.evaluate(expression, valuation) != 0) == wanted)
        ways.push_back(formula(FormulaKind::kAnd, has(thread, valuation)));
    return formula(FormulaKind::kOr, std::move(ways));
  }

  void add(ThreadId thread, EdgeId id) {
    const Instruction& i = program_.edge(id).instruction;
    const Step step{.thread = thread, .edge = id};
    switch (i.op) {
      case Opcode::kNop: return add_step(step);
      case Opcode::kAssume:
        return add_step({.thread = thread, .edge = id, .guard = {truth_of(thread, i.a, true)}});
      case Opcode::kAssert:
        add_step({.thread = thread, .edge = id, .guard = {truth_of(thread, i.a, true)}});
        return add_step({.thread = thread, .edge = id, .guard = {truth_of(thread, i.a, false)}}, failed_);
      case Opcode::kFence:
        if (!waits_for_empty_buffer(i.fence)) return add_step(step);
        return add_step({.thread = thread, .edge = id, .guard = {formula(FormulaKind::kFence)}});
      case Opcode::kReturn:
      case Opcode::kStop: return add_step(step, ended_);
      case Opcode::kHalt: return;
      case Opcode::kChoose:
        for (Value value = i.low; value <= i.high; ++value) {
          Step chosen = step;
          set_register(chosen, i.result, value);
          add_step(std::move(chosen));
        }
        return;
      default: return add_for_each_valuation(thread, id);
    }
  }

  void add_for_each_valuation(ThreadId thread, EdgeId id) {
    const Instruction& i = program_.edge(id).instruction;
    for (const Valuation& valuation : values_.valuations(thread, {i.a, i.b, i.c})) {
      Step step{.thread = thread, .edge = id, .guard = has(thread, valuation)};
      switch (i.op) {
        case Opcode::kAssign:
          set_register(step, i.result, values_.evaluate(i.a, valuation));
          add_step(std::move(step));
          break;
        case Opcode::kLoad: add_load(std::move(step), i, valuation); break;
        case Opcode::kStore: add_store(std::move(step), i, valuation); break;
        case Opcode::kRmw: add_rmw(std::move(step), i, valuation); break;
        default: WEIR_CHECK(false, "an instruction that was refused");
      }
    }
  }

  Type register_type(ThreadId thread, RegisterId reg) const {
    return program_.function(program_.thread(thread).function).registers[reg.index()].type;
  }

  Type register_type_or(ThreadId thread, const Instruction& i) const {
    return i.result ? register_type(thread, i.result) : i.type;
  }

  // Do the values mean the same in both types?
  static bool keeps_values(const std::set<Value>& values, Type one, Type other) {
    return std::ranges::all_of(values, [&](Value value) {
      const auto bits = static_cast<std::uint64_t>(value);
      return wrap(bits, one) == value && wrap(bits, other) == value;
    });
  }

  void set_register(Step& step, RegisterId reg, Value value) {
    if (!reg) return;
    const Value stored = wrap(static_cast<std::uint64_t>(value), register_type(step.thread, reg));
    step.updates.push_back(becomes(register_of(step.thread, reg), constant(stored)));
  }

  static Value as_read(const Instruction& i, Value in_memory) {
    return wrap(static_cast<std::uint64_t>(in_memory), i.type);
  }

  void add_load(Step step, const Instruction& i, const Valuation& valuation) {
    const Value address = values_.evaluate(i.a, valuation);
    if (!i.waits && keeps_values(values_.of_cell(address), i.type, register_type_or(step.thread, i))) {
      if (i.result) step.updates.push_back(becomes(register_of(step.thread, i.result), memory(address)));
      return add_step(std::move(step));
    }
    const Value awaited = i.waits ? as_read(i, values_.evaluate(i.c, valuation)) : 0;
    for (const Value in_memory : values_.of_cell(address)) {
      const Value read = as_read(i, in_memory);
      if (i.waits && (read == awaited) != i.until) continue;
      Step one = step;
      one.guard.push_back(equal(memory(address), constant(in_memory)));
      set_register(one, i.result, read);
      add_step(std::move(one));
    }
  }

  void add_store(Step step, const Instruction& i, const Valuation& valuation) {
    const Value address = values_.evaluate(i.a, valuation);
    const Value stored = wrap(static_cast<std::uint64_t>(as_read(i, values_.evaluate(i.b, valuation))),
                              values_.cell_type(address));
    step.updates.push_back(becomes(memory(address), constant(stored)));
    if (waits_for_empty_buffer(i.order)) step.guard.push_back(equal(memory(address), memory(address)));
    add_step(std::move(step));
  }

  void add_rmw(Step step, const Instruction& i, const Valuation& valuation) {
    const Value address = values_.evaluate(i.a, valuation);
    for (const Value old : values_.of_cell(address)) {
      Step one = step;
      one.guard.push_back(equal(memory(address), constant(old)));
      one.updates.push_back(becomes(memory(address), constant(values_.updated(i, address, old, valuation))));
      set_register(one, i.result, as_read(i, old));
      add_step(std::move(one));
    }
  }

  // The beginning.

  void add_initial() {
    std::vector<Formula> all, threads;
    for (const auto& [address, symbol] : cells_)
      all.push_back(equal(memory(address), constant(values_.initial(address))));
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
      const Thread& one = program_.threads[thread];
      const Function& function = program_.function(one.function);
      threads.push_back(at(0, locations_.at({ThreadId(thread), function.entry})));
      for (std::size_t reg = 0; reg < function.registers.size(); ++reg)
        all.push_back(equal(register_of(ThreadId(thread), RegisterId(reg)),
                            constant(wrap(static_cast<std::uint64_t>(initial_of(one, function, reg)),
                                          function.registers[reg].type))));
    }
    all.push_back(formula(FormulaKind::kOr, std::move(threads)));
    system_.initial = {.parameters = {"p"}, .formula = formula(FormulaKind::kAnd, std::move(all))};
  }

  static Value initial_of(const Thread& thread, const Function& function, std::size_t reg) {
    return reg < function.parameter_count ? thread.arguments[reg] : function.registers[reg].initial;
  }

  // Properties.

  void add_unsafe() {
    if (std::ranges::any_of(program_.edges,
                            [](const Edge& edge) { return edge.instruction.op == Opcode::kAssert; }))
      system_.unsafe.push_back({.name = "assertion", .parameters = {"p"}, .literals = {at(0, failed_)}});
    for (const std::vector<ThreadLocation>& goal : program_.properties.goals) add_goal(goal);
    for (const std::vector<ThreadLocation>& list : program_.properties.exclusive)
      for (std::size_t one = 0; one < list.size(); ++one)
        for (std::size_t other = 0; other <= one; ++other) add_cube({list[one], list[other]});
  }

  void add_cube(const std::vector<ThreadLocation>& places) {
    Cube cube;
    for (std::size_t place = 0; place < places.size(); ++place) {
      cube.parameters.push_back(fmt::format("p{}", place));
      cube.literals.push_back(at(static_cast<std::uint32_t>(place),
                                 locations_.at({places[place].thread, places[place].location})));
    }
    system_.unsafe.push_back(std::move(cube));
  }

  // Every thread that the goal names, at one of its locations.
  void add_goal(const std::vector<ThreadLocation>& goal) {
    std::map<ThreadId, std::vector<ThreadLocation>> by_thread;
    for (const ThreadLocation& place : goal) by_thread[place.thread].push_back(place);
    std::vector<std::vector<ThreadLocation>> ways = {{}};
    for (const auto& [thread, places] : by_thread) {
      std::vector<std::vector<ThreadLocation>> longer;
      for (const std::vector<ThreadLocation>& way : ways)
        for (const ThreadLocation& place : places) {
          longer.push_back(way);
          longer.back().push_back(place);
        }
      ways = std::move(longer);
    }
    for (const std::vector<ThreadLocation>& way : ways) add_cube(way);
  }

  const Program& program_;
  ProgramValues values_;
  ArraySystem system_;
  std::map<std::pair<ThreadId, LocationId>, std::uint32_t> locations_;  // the constructor
  std::uint32_t ended_ = 0, failed_ = 0;                                // further locations
  std::map<std::pair<ThreadId, RegisterId>, SymbolId> registers_;
  std::map<Value, SymbolId> cells_;         // by address
  std::map<Value, std::uint32_t> numbers_;  // the constructor of a value
};

}  // namespace

Expected<ArraySystem, Diagnostic> as_array_system(const Program& program) {
  return Conversion(program).run();
}

}  // namespace weir::array
