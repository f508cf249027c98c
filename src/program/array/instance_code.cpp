// What makes a sequence of steps as good as one:
//
//  - In an atomic block everything is one step. The block waits for an empty buffer, so it is right where the
//    transition does, too (it reads and writes weak cells, or has fence() in its guard), or where the
//    thread's buffer is always empty (nothing is weak, or the thread belongs to no process).
//  - Otherwise a transition reads at most one shared cell, which decides when it happens. Registers of the
//    thread are seen by properties only, and these look at them while `busy` is 0.
//  - A buffered store may come a little later than the rest: until it is flushed nobody else sees it, and the
//    thread itself does nothing in between. So it comes last.
//  - A thread that finds the guard false after its load stays there: it is one that does nothing any more.
#include "program/array/instance_code.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/error.hpp"
#include "program/expressions.hpp"

namespace weir::array {

using Processes = InstanceTerms::Processes;

Value InstanceLayout::address(SymbolId symbol, const Processes& arguments) const {
  Value offset = 0;
  for (const std::uint32_t argument : arguments) offset = offset * processes + argument;
  return bases.at(symbol.index()) + offset;
}

std::optional<Value> count_values(const Sort& sort, std::uint32_t processes) {
  switch (sort.kind) {
    case SortKind::kProcess: return processes;
    case SortKind::kBoolean:
    case SortKind::kEnumeration: return static_cast<Value>(sort.constructors.size());
    case SortKind::kAbstract:
    case SortKind::kInteger:
    case SortKind::kReal: break;
  }
  return std::nullopt;
}

// Paths.

void InstancePath::add(Instruction instruction) {
  const LocationId next = program_.add_location(thread_.function);
  program_.add_edge(here_, next, std::move(instruction), position_);
  here_ = next;
}

void InstancePath::load(RegisterId target, Value address) {
  add({.op = Opcode::kLoad, .result = target, .a = program_.constant(address)});
}

void InstancePath::store(Value address, ExprId value) {
  add({.op = Opcode::kStore, .a = program_.constant(address), .b = value});
}

void InstancePath::branch(ExprId condition, LocationId target) {
  program_.add_edge(here_, target, {.op = Opcode::kAssume, .a = condition}, position_);
}

void InstancePath::store_if(ExprId condition, ExprId negation, Value address, ExprId value) {
  const LocationId from = here_;
  assume(condition);
  store(address, value);
  const LocationId join = here_;
  here_ = from;
  branch(negation, join);
  here_ = join;
}

void InstancePath::end_execution_if(ExprId condition, ExprId negation, std::string reason) {
  const LocationId from = here_;
  assume(condition);
  add({.op = Opcode::kHalt, .message = std::move(reason)});
  here_ = from;
  assume(negation);
}

void InstancePath::finish(LocationId target) {
  program_.add_edge(here_, target, {.op = Opcode::kNop}, position_);
}

RegisterId InstancePath::temporary() {
  if (temporaries_ == thread_.temporaries.size()) {
    const std::string name = fmt::format("t{}", temporaries_);
    thread_.temporaries.push_back(program_.add_register(thread_.function, name));
  }
  return thread_.temporaries[temporaries_++];
}

namespace {

// What a cell becomes.
struct CellResult {
  SymbolId symbol;
  Processes arguments;
  Condition written;  // is it written at all?
  ExprId value;       // if it is
};

// Reads cells for one path: private ones are registers, others must be loaded.
class Reader {
 public:
  Reader(Program& program, const InstanceLayout& layout, const InstanceThread& thread, InstancePath& path)
      : program_(program), layout_(layout), thread_(thread), path_(path) {}

  InstanceTerms::Leaf leaf() {
    return [this](SymbolId symbol, const Processes& arguments, std::optional<std::uint32_t>) {
      return program_.register_value(place_of(symbol, arguments));
    };
  }

  void need(ExprId expression) {
    for_each_subexpression(program_, expression, [&](const Expression& one) {
      if (one.op == ExprOp::kRegister) needed_.insert(one.reg);
    });
  }

  bool loaded(ExprId expression) const {
    bool found = false;
    for_each_subexpression(program_, expression, [&](const Expression& one) {
      found = found || (one.op == ExprOp::kRegister &&
                        std::ranges::find(loads_, one.reg, &Load::target) != loads_.end());
    });
    return found;
  }

  struct Load {
    Value address = 0;
    RegisterId target;
  };
  // Those that needed expressions contain.
  std::vector<Load> loads() const {
    std::vector<Load> found = loads_;
    std::erase_if(found, [&](const Load& load) { return !needed_.contains(load.target); });
    return found;
  }

 private:
  RegisterId place_of(SymbolId symbol, const Processes& arguments) {
    if (layout_.is_private(symbol)) {
      WEIR_CHECK(thread_.process && arguments == Processes{*thread_.process}, "a register of another thread");
      return thread_.privates[symbol.index()];
    }
    const Value address = layout_.address(symbol, arguments);
    const auto known = std::ranges::find(loads_, address, &Load::address);
    if (known != loads_.end()) return known->target;
    loads_.push_back({address, path_.temporary()});
    return loads_.back().target;
  }

  Program& program_;
  const InstanceLayout& layout_;
  const InstanceThread& thread_;
  InstancePath& path_;
  std::vector<Load> loads_;
  std::set<RegisterId> needed_;
};

class TransitionCode {
 public:
  TransitionCode(Program& program, const InstanceLayout& layout, InstanceThread& thread, std::size_t number,
                 const Processes& parameters)
      : program_(program),
        layout_(layout),
        thread_(thread),
        transition_(layout.system.transitions[number]),
        plan_(layout.plan.transitions[number]),
        parameters_(parameters),
        terms_(program, layout.processes),
        path_(program, thread, thread.head, transition_.position),
        reader_(program, layout, thread, path_) {}

  std::optional<Diagnostic> add() {
    split(transition_.guard);
    if (own_guard_.never() || guard_.never()) return std::nullopt;
    for (const Update& update : transition_.updates) compute(update);
    if (refusal_) return refusal_;
    note_needs();
    block_ = needs_block();
    if (std::optional<Diagnostic> reason = impossible()) return reason;
    emit();
    return std::nullopt;
  }

 private:
  Diagnostic refuse(const std::string& reason) const {
    return {.message = fmt::format("transition {} {}", transition_.name, reason),
            .position = transition_.position};
  }

  bool weak(SymbolId symbol) const { return layout_.system.symbol(symbol).weak; }
  bool buffered(const CellResult& result) const { return weak(result.symbol) && !plan_.read_modify_write(); }
  bool stored_at_once(const CellResult& result) const {
    return !layout_.is_private(result.symbol) && !buffered(result);
  }

  // Computing.

  // The part of the guard that needs no load comes first.
  void split(const Formula& guard) {
    if (guard.kind == FormulaKind::kAnd) {
      for (const Formula& operand : guard.operands) split(operand);
      return;
    }
    const Condition one = terms_.condition(guard, parameters_, reader_.leaf());
    Condition& part = one.known || !reader_.loaded(one.expression) ? own_guard_ : guard_;
    part = terms_.both(part, one);
  }

  void compute(const Update& update) {
    if (!update.everywhere) {
      compute(update, terms_.resolve(update.arguments, parameters_), parameters_);
      return;
    }
    Processes arguments(update.bound.size(), 0);
    compute_everywhere(update, 0, arguments, parameters_);
  }

  void compute_everywhere(const Update& update, std::size_t place, Processes& arguments,
                          const Processes& bound) {
    if (place == arguments.size()) {
      compute(update, arguments, bound);
      return;
    }
    for (std::uint32_t process = 0; process < layout_.processes; ++process) {
      arguments[place] = process;
      compute_everywhere(update, place + 1, arguments,
                         InstanceTerms::extended(bound, update.bound[place], process));
    }
  }

  // From the last case to the first, each before what comes after it.
  void compute(const Update& update, const Processes& arguments, const Processes& bound) {
    CellResult result{.symbol = update.symbol, .arguments = arguments, .written = {.known = false}};
    for (auto one = update.cases.rbegin(); one != update.cases.rend(); ++one) {
      const Condition applies = terms_.condition(one->guard, bound, reader_.leaf());
      if (applies.never()) continue;
      const bool keeps = keeps_weak_cell(layout_.system, update, *one);
      const Condition writes{.known = !keeps};
      if (!keeps) {
        const ExprId value = value_of(update, *one, bound);
        const bool alone = applies.always() || result.written.never();
        result.value = alone ? value : select(applies, value, result.value);
      }
      result.written =
          terms_.either(terms_.both(applies, writes), terms_.both(terms_.negation(applies), result.written));
    }
    if (!result.written.never()) results_.push_back(std::move(result));
  }

  ExprId select(const Condition& condition, ExprId yes, ExprId no) {
    return program_.add_expression(
        {.op = ExprOp::kSelect, .a = terms_.expression(condition), .b = yes, .c = no});
  }

  ExprId value_of(const Update& update, const UpdateCase& one, const Processes& bound) {
    if (one.value) return terms_.value(*one.value, bound, reader_.leaf());
    const Symbol& symbol = layout_.system.symbol(update.symbol);
    const std::optional<Value> count = count_values(layout_.system.sort(symbol.sort), layout_.processes);
    if (!count) {
      refusal_ = refuse(fmt::format("gives {} any of infinitely many values", symbol.name));
      return program_.constant(0);
    }
    choices_.push_back({path_.temporary(), *count - 1});
    return program_.register_value(choices_.back().target);
  }

  // What is possible.

  void note_needs() {
    reader_.need(terms_.expression(guard_));
    for (const CellResult& result : results_) {
      reader_.need(result.value);
      reader_.need(terms_.expression(result.written));
    }
  }

  bool needs_block() const {
    if (plan_.read_modify_write()) return true;
    const bool empty_buffer = plan_.fenced || !layout_.system.weak() || !thread_.process;
    const bool touches_memory =
        !reader_.loads().empty() ||
        std::ranges::any_of(results_, [&](const CellResult& result) { return stored_at_once(result); });
    return empty_buffer && touches_memory;
  }

  std::optional<Diagnostic> impossible() const {
    std::size_t buffered_cells = 0;
    for (const CellResult& result : results_) {
      buffered_cells += buffered(result) ? 1 : 0;
      if (block_ || !stored_at_once(result)) continue;
      return refuse(
          fmt::format("changes {}, which others can see, while its process may have stores in its "
                      "buffer, which no program can do",
                      layout_.system.symbol(result.symbol).name));
    }
    if (buffered_cells > 1) return refuse("writes several weak cells at once, which no program can do");
    if (!block_ && reader_.loads().size() > 1)
      return refuse(
          "reads several shared cells at once while its process may have stores in its buffer, "
          "which no program can do");
    return std::nullopt;
  }

  // Emitting.

  void emit() {
    if (!own_guard_.always()) path_.assume(own_guard_.expression);
    for (const Choice& choice : choices_)
      path_.add({.op = Opcode::kChoose, .result = choice.target, .low = 0, .high = choice.high});
    if (block_) path_.add({.op = Opcode::kAtomicBegin, .message = "executes " + transition_.name});
    if (plan_.fenced && !block_) path_.add({.op = Opcode::kFence, .fence = FenceKind::kFull});
    for (const Reader::Load& load : reader_.loads()) path_.load(load.target, load.address);
    if (!guard_.always()) path_.assume(guard_.expression);
    check_numbers();
    if (results_.size() > 1) compute_first();
    for (const CellResult& result : results_)
      if (stored_at_once(result)) store(result);
    assign_registers();
    if (block_) path_.add({.op = Opcode::kAtomicEnd});
    for (const CellResult& result : results_)
      if (buffered(result)) store(result);
    path_.finish(thread_.head);
  }

  void check_numbers() {
    for (const CellResult& result : results_) {
      const Symbol& symbol = layout_.system.symbol(result.symbol);
      if (!layout_.system.sort(symbol.sort).numeric()) continue;
      if (program_.expression(result.value).op == ExprOp::kConstant) continue;
      const ExprId not_low = program_.binary(ExprOp::kLe, program_.constant(-kGreatestNumber), result.value);
      const ExprId not_high = program_.binary(ExprOp::kLe, result.value, program_.constant(kGreatestNumber));
      const ExprId fits = program_.binary(ExprOp::kLogicalAnd, not_low, not_high);
      path_.end_execution_if(program_.unary(ExprOp::kLogicalNot, fits), fits,
                             fmt::format("{} beyond 2^40", symbol.name));
    }
  }

  // All results are computed in the state before.
  void compute_first() {
    for (CellResult& result : results_) {
      result.value = kept(result.value);
      if (!result.written.known) result.written.expression = kept(result.written.expression);
    }
  }

  ExprId kept(ExprId expression) {
    if (program_.expression(expression).op == ExprOp::kConstant) return expression;
    const RegisterId temporary = path_.temporary();
    path_.assign(temporary, expression);
    return program_.register_value(temporary);
  }

  void store(const CellResult& result) {
    const Value address = layout_.address(result.symbol, result.arguments);
    if (result.written.always())
      path_.store(address, result.value);
    else
      path_.store_if(result.written.expression, terms_.expression(terms_.negation(result.written)), address,
                     result.value);
  }

  void assign_registers() {
    const auto count = std::ranges::count_if(
        results_, [&](const CellResult& result) { return layout_.is_private(result.symbol); });
    const bool visible = !block_ && count > 1;
    if (visible) path_.assign(thread_.busy, program_.constant(1));
    for (const CellResult& result : results_)
      if (layout_.is_private(result.symbol))
        path_.assign(thread_.privates[result.symbol.index()], result.value);
    if (visible) path_.assign(thread_.busy, program_.constant(0));
  }

  struct Choice {
    RegisterId target;
    Value high = 0;
  };

  Program& program_;
  const InstanceLayout& layout_;
  InstanceThread& thread_;
  const Transition& transition_;
  const TransitionPlan& plan_;
  const Processes& parameters_;
  const InstanceTerms terms_;
  InstancePath path_;
  Reader reader_;
  Condition own_guard_{.known = true};  // of registers of the thread only
  Condition guard_{.known = true};      // the rest
  std::vector<CellResult> results_;
  std::vector<Choice> choices_;
  bool block_ = false;  // is it an atomic block, up to its buffered store?
  std::optional<Diagnostic> refusal_;
};

}  // namespace

std::optional<Diagnostic> add_transition(Program& program, const InstanceLayout& layout,
                                         InstanceThread& thread, std::size_t transition,
                                         const Processes& parameters) {
  return TransitionCode(program, layout, thread, transition, parameters).add();
}

std::optional<Diagnostic> add_observation(Program& program, const InstanceLayout& layout,
                                          InstanceThread& thread, const Cube& cube,
                                          const Processes& parameters) {
  const InstanceTerms terms(program, layout.processes);
  InstancePath path(program, thread, thread.head, cube.position);
  Reader reader(program, layout, thread, path);
  Condition all{.known = true};
  for (const Formula& literal : cube.literals)
    all = terms.both(all, terms.condition(literal, parameters, reader.leaf()));
  if (all.never()) return std::nullopt;
  reader.need(terms.expression(all));
  if (reader.loads().size() > 1)
    return Diagnostic{.message =
                          "an unsafe cube tells of several shared cells what a process sees in them, "
                          "which no property of a program can do",
                      .position = cube.position};
  for (const Reader::Load& load : reader.loads()) path.load(load.target, load.address);
  path.add({.op = Opcode::kAssert,
            .a = terms.expression(terms.negation(all)),
            .message = cube.name.empty() ? "a state is unsafe" : fmt::format("{} is reached", cube.name)});
  path.finish(thread.head);
  return std::nullopt;
}

}  // namespace weir::array
