#include "frontend/rmm/process_lowering.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/rmm/arbitrary_values.hpp"
#include "frontend/rmm/operands.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::rmm {

namespace {

using Kind = Statement::Kind;

constexpr Value kMostAwaited = 256;  // values that a read may wait for

class ProcessLowering {
 public:
  ProcessLowering(const ProgramSyntax& syntax, const Variables& variables, std::size_t number,
                  OutsideRange outside, std::optional<Value> ready, Program& program)
      : syntax_(syntax),
        terms_(syntax.terms),
        variables_(variables),
        process_(syntax.processes[number]),
        outside_(outside),
        ready_(ready),
        program_(program),
        function_(program.add_function(fmt::format("process{}", number), process_.position)),
        operands_(syntax, variables, number, function_, program) {}

  LoweredProcess lower() {
    result_.function = function_;
    result_.knows_itself = operands_.knows_itself();
    collect_labels(process_.body, nullptr);
    const LocationId start = start_of(process_.body);
    lower_list(process_.body, start, program_.add_location(function_));
    program_.functions[function_.index()].entry = begin(start);
    return std::move(result_);
  }

 private:
  struct Label {
    LocationId location;
    const Statement* block;  // the `locked` around it
  };

  void collect_labels(const std::vector<Statement>& statements, const Statement* block) {
    for (const Statement& s : statements) {
      if (!s.label.empty()) {
        labels_[s.label.text] = {program_.add_location(function_, s.label.text, s.position), block};
        if (block == nullptr)
          result_.labels.emplace(s.label.text, labels_[s.label.text].location);
        else
          result_.hidden_labels.emplace(s.label.text, s.label.position);
      }
      const Statement* inner = block == nullptr && s.kind == Kind::kLocked ? &s : block;
      for (const auto& branch : s.branches) collect_labels(branch, inner);
    }
  }

  // What happens before the first statement: waiting, and choosing values that somebody will read.
  LocationId begin(LocationId start) {
    const LiveRegisters live(program_);
    LocationId first = start;
    const auto put_before = [&](Instruction instruction) {
      const LocationId before = fresh();
      edge(before, first, std::move(instruction), process_.position);
      first = before;
    };
    for (const Storage& storage : operands_.arbitrary()) {
      if (!live.live(start, storage.reg)) continue;
      const Range values = arbitrary_values(syntax_, *storage.declaration);
      put_before({.op = Opcode::kChoose, .result = storage.reg, .low = values.low, .high = values.high});
    }
    if (ready_)
      put_before({.op = Opcode::kLoad,
                  .waits = true,
                  .result = temporary(),
                  .a = program_.constant(*ready_),
                  .c = program_.constant(0)});
    return first;
  }

  // Control flow.

  // A location inside of a statement. Only where a statement starts, a location has a position.
  LocationId fresh() { return program_.add_location(function_); }

  LocationId start_of(const std::vector<Statement>& statements) { return start_of(statements.front()); }
  LocationId start_of(const Statement& s) {
    return s.label.empty() ? program_.add_location(function_, {}, s.position)
                           : labels_.at(s.label.text).location;
  }

  void edge(LocationId from, LocationId to, Instruction instruction, SourcePosition position) {
    program_.add_edge(from, to, std::move(instruction), position);
  }

  void lower_list(const std::vector<Statement>& statements, LocationId from, LocationId to) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const Statement& s = statements[i];
      if (!s.label.empty() && labels_.at(s.label.text).location != from) {
        const LocationId labelled = labels_.at(s.label.text).location;
        edge(from, labelled, {}, s.position);
        from = labelled;
      }
      const LocationId next = i + 1 < statements.size() ? start_of(statements[i + 1]) : to;
      lower_statement(s, from, next);
      from = next;
    }
  }

  void lower_statement(const Statement& s, LocationId from, LocationId to) {
    switch (s.kind) {
      case Kind::kNop: return edge(from, to, {}, s.position);
      case Kind::kFence: return edge(from, to, {.op = Opcode::kFence}, s.position);
      case Kind::kAwait: return lower_await(s, from, to);
      case Kind::kRead: return lower_read(s, from, to);
      case Kind::kWrite: return lower_write(s, Order::kRelaxed, from, to);
      case Kind::kLockedWrite: return lower_write(s, Order::kSequential, from, to);
      case Kind::kCas: return lower_cas(s, from, to);
      case Kind::kAssign: return lower_assignment(s, from, to);
      case Kind::kAssume: return lower_assume(s, from, to);
      case Kind::kIf: return lower_if(s, from, to);
      case Kind::kWhile: return lower_while(s, from, to);
      case Kind::kGoto: return lower_goto(s, from);
      case Kind::kEither: return lower_branches(s, from, to);
      case Kind::kLocked: return lower_locked(s, from, to);
      case Kind::kSequence: return lower_list(s.branches[0], from, to);
    }
  }

  void lower_assume(const Statement& s, LocationId from, LocationId to) {
    edge(from, to, {.op = Opcode::kAssume, .a = operands_.evaluate(s.value)}, s.position);
  }

  void lower_if(const Statement& s, LocationId from, LocationId to) {
    const bool has_else = s.branches.size() > 1;
    const LocationId yes = start_of(s.branches[0]);
    const LocationId no = has_else ? start_of(s.branches[1]) : to;
    branch(s, from, yes, no);
    lower_list(s.branches[0], yes, to);
    if (has_else) lower_list(s.branches[1], no, to);
  }

  void lower_while(const Statement& s, LocationId from, LocationId to) {
    const LocationId body = start_of(s.branches[0]);
    branch(s, from, body, to);
    lower_list(s.branches[0], body, from);
  }

  // A constant condition has one edge only, so that `while true` never offers to leave.
  void branch(const Statement& s, LocationId from, LocationId yes, LocationId no) {
    const Term& term = terms_[s.value];
    if (term.op == ExprOp::kConstant) return edge(from, term.value != 0 ? yes : no, {}, s.position);
    const ExprId condition = operands_.evaluate(s.value);
    edge(from, yes, {.op = Opcode::kAssume, .a = condition}, s.position);
    edge(from, no, {.op = Opcode::kAssume, .a = program_.unary(ExprOp::kLogicalNot, condition)}, s.position);
  }

  void lower_goto(const Statement& s, LocationId from) {
    const auto label = labels_.find(s.target.text);
    if (label == labels_.end())
      fail(s.target.position, fmt::format("unknown label '{}'", s.target.text),
           "labels belong to one process");
    if (label->second.block != block_)
      fail(s.target.position,
           fmt::format("'goto {}' {} a locked block", s.target.text,
                       block_ == nullptr ? "jumps into" : "jumps out of, or from one into another,"));
    edge(from, label->second.location, {}, s.position);
  }

  // All branches start at `from`. One that could come back to its start, or has a label there, gets a start
  // of its own: coming back must not offer the other branches.
  void lower_branches(const Statement& s, LocationId from, LocationId to) {
    for (const auto& branch : s.branches) {
      const Statement& first = branch.front();
      const bool compound = first.kind == Kind::kIf || first.kind == Kind::kWhile ||
                            first.kind == Kind::kEither || first.kind == Kind::kSequence ||
                            (first.kind == Kind::kLocked && block_ != nullptr);
      if (!compound && first.label.empty()) {
        lower_list(branch, from, to);
        continue;
      }
      const LocationId start = start_of(first);
      edge(from, start, {}, s.position);
      lower_list(branch, start, to);
    }
  }

  void lower_locked(const Statement& s, LocationId from, LocationId to) {
    if (block_ != nullptr) return lower_branches(s, from, to);
    if (!drains(s)) {
      if (is_one_step(s)) return lower_branches(s, from, to);
      restrict(s);
    }
    const LocationId first = fresh();
    const LocationId last = fresh();
    edge(from, first, {.op = Opcode::kAtomicBegin}, s.position);
    block_ = &s;
    lower_branches(s, first, last);
    block_ = nullptr;
    edge(last, to, {.op = Opcode::kAtomicEnd}, s.position);
  }

  // Does a block wait for an empty buffer? A block that only reads does not: Memorax lets it see the stores
  // of its own process that are still buffered.
  static bool drains(const Statement& s) {
    switch (s.kind) {
      case Kind::kWrite:
      case Kind::kLockedWrite:
      case Kind::kCas:
      case Kind::kFence: return true;
      default:
        return std::ranges::any_of(s.branches, [](const auto& b) { return std::ranges::any_of(b, drains); });
    }
  }

  // Is every way through the statement a single instruction, so that it is atomic anyway?
  bool is_one_step(const Statement& s) const {
    switch (s.kind) {
      case Kind::kNop: return true;
      case Kind::kAwait:
      case Kind::kRead:
        return s.place.kind != Place::Kind::kPointer || operands_.constant(s.place.address).has_value();
      case Kind::kAssign:
      case Kind::kAssume: return true;
      case Kind::kLocked:
        return std::ranges::all_of(s.branches, [&](const auto& b) { return is_one_step(b); });
      default: return false;
    }
  }
  bool is_one_step(const std::vector<Statement>& branch) const {
    const Statement* only = nullptr;
    for (const Statement& s : branch) {
      if (!s.label.empty()) return false;
      if (s.kind == Kind::kNop) continue;
      if (only != nullptr) return false;
      only = &s;
    }
    return only == nullptr || is_one_step(*only);
  }

  // A block of several instructions is an atomic block of the program, and that waits for the buffer.
  void restrict(const Statement& s) {
    std::string phrase = fmt::format(
        "the locked block in line {} only reads, and is executed with an empty buffer only", s.position.line);
    auto& known = program_.restrictions;
    if (std::ranges::find(known, phrase) == known.end()) known.push_back(std::move(phrase));
  }

  // Accesses.

  void lower_await(const Statement& s, LocationId from, LocationId to) {
    const ExprId value = operands_.evaluate(s.value);
    if (const Storage* own = operands_.own_register(s.place))
      return await_own(*own, value, from, to, s.position);
    const LocationId at = within_memory(s.place, from);
    edge(at, to, load_until(s.place, value), s.position);
  }

  Instruction load_until(const Place& place, ExprId value) {
    return {.op = Opcode::kLoad,
            .waits = true,
            .until = true,
            .result = temporary(),
            .a = operands_.address(place),
            .c = value};
  }

  void await_own(const Storage& own, ExprId value, LocationId from, LocationId to, SourcePosition position) {
    const ExprId equal = program_.binary(ExprOp::kEq, program_.register_value(own.reg), value);
    edge(from, to, {.op = Opcode::kAssume, .a = equal}, position);
  }

  void lower_read(const Statement& s, LocationId from, LocationId to) {
    const Storage& target = operands_.reg(s.reg);
    if (const Storage* own = operands_.own_register(s.place)) {
      const ExprId value = program_.register_value(own->reg);
      return assign(target, value, own->declaration->range, "$" + s.reg.text, from, to, s.position);
    }
    const std::optional<Range>& range = target.declaration->range;
    const std::optional<Range> values = operands_.values_of(s.place);
    const LocationId at = within_memory(s.place, from);
    const bool fits = !range || (values && range->contains(*values));
    if (!fits && outside_ == OutsideRange::kBlocks) return read_within(s, target, at, to);
    const LocationId loaded = fits ? to : fresh();
    edge(at, loaded, {.op = Opcode::kLoad, .result = target.reg, .a = operands_.address(s.place)},
         s.position);
    if (fits) return;
    edge(loaded, to,
         check(operands_.in_range(program_.register_value(target.reg), *range), *range, "$" + s.reg.text),
         s.position);
  }

  // A read that only returns what fits into the register: one that waits, for each value.
  void read_within(const Statement& s, const Storage& target, LocationId from, LocationId to) {
    const Range& range = *target.declaration->range;
    if (range.low < -kMostAwaited || range.high > kMostAwaited || range.high - range.low >= kMostAwaited)
      fail(s.reg.position,
           fmt::format("${} has too many values for a read of what may not fit: {}", s.reg.text, text(range)),
           fmt::format("the limit is {}", kMostAwaited));
    for (Value value = range.low; value <= range.high; ++value) {
      Instruction load = load_until(s.place, program_.constant(value));
      load.result = target.reg;
      edge(from, to, std::move(load), s.position);
    }
  }

  void lower_assignment(const Statement& s, LocationId from, LocationId to) {
    const Storage& target = operands_.reg(s.reg);
    operands_.require_fitting(target, "$" + s.reg.text, s.value);
    assign(target, operands_.evaluate(s.value), operands_.interval(s.value), "$" + s.reg.text, from, to,
           s.position);
  }

  // `values`: what the value can be, if that is known.
  void assign(const Storage& target, ExprId value, const std::optional<Range>& values,
              const std::string& name, LocationId from, LocationId to, SourcePosition position) {
    const std::optional<Range>& range = target.declaration->range;
    if (range && !(values && range->contains(*values))) {
      const LocationId checked = fresh();
      edge(from, checked, check(operands_.in_range(value, *range), *range, name), position);
      from = checked;
    }
    edge(from, to, {.op = Opcode::kAssign, .result = target.reg, .a = value}, position);
  }

  void lower_write(const Statement& s, Order order, LocationId from, LocationId to) {
    const ExprId value = operands_.evaluate(s.value);
    if (const Storage* own = operands_.own_register(s.place)) {
      if (order == Order::kSequential) from = fence(from, s.position);
      operands_.require_fitting(s.place, s.value);
      return assign(*own, value, operands_.interval(s.value), text(s.place), from, to, s.position);
    }
    LocationId at = within_memory(s.place, from);
    if (const ExprId fits = operands_.fitting(s.place, s.value)) {
      const LocationId checked = fresh();
      edge(at, checked, check(fits, s.place), s.position);
      at = checked;
    }
    edge(at, to, {.op = Opcode::kStore, .order = order, .a = operands_.address(s.place), .b = value},
         s.position);
  }

  LocationId fence(LocationId from, SourcePosition position) {
    const LocationId to = fresh();
    edge(from, to, {.op = Opcode::kFence}, position);
    return to;
  }

  void lower_cas(const Statement& s, LocationId from, LocationId to) {
    if (const Storage* own = operands_.own_register(s.place)) {
      const LocationId alone = fence(from, s.position), equal = fresh();
      operands_.require_fitting(s.place, s.replacement);
      await_own(*own, operands_.evaluate(s.value), alone, equal, s.position);
      return assign(*own, operands_.evaluate(s.replacement), operands_.interval(s.replacement), text(s.place),
                    equal, to, s.position);
    }
    const LocationId at = within_memory(s.place, from);
    const bool begins = block_ == nullptr;
    const LocationId first = begins ? fresh() : at;
    const LocationId last = begins ? fresh() : to;
    if (begins) edge(at, first, {.op = Opcode::kAtomicBegin}, s.position);
    LocationId equal = fresh();
    edge(first, equal, load_until(s.place, operands_.evaluate(s.value)), s.position);
    if (const ExprId fits = operands_.fitting(s.place, s.replacement)) {
      const LocationId checked = fresh();
      edge(equal, checked, check(fits, s.place), s.position);
      equal = checked;
    }
    edge(equal, last,
         {.op = Opcode::kStore, .a = operands_.address(s.place), .b = operands_.evaluate(s.replacement)},
         s.position);
    if (begins) edge(last, to, {.op = Opcode::kAtomicEnd}, s.position);
  }

  // In Memorax, an address that belongs to no variable cannot be accessed; otherwise the access fails.
  LocationId within_memory(const Place& place, LocationId from) {
    if (place.kind != Place::Kind::kPointer || operands_.constant(place.address) ||
        outside_ == OutsideRange::kFails)
      return from;
    const auto count = static_cast<Value>(variables_.globals().size());
    const LocationId to = fresh();
    edge(from, to,
         {.op = Opcode::kAssume, .a = operands_.in_range(operands_.evaluate(place.address), {0, count - 1})},
         place.position);
    return to;
  }

  // Ranges.

  Instruction check(ExprId fits, const Range& range, const std::string& name) {
    return check(fits, fmt::format("a value outside of {}, the range of {}", text(range), name));
  }
  Instruction check(ExprId fits, const Place& place) {
    const auto variables = operands_.variables_at(place);
    if (variables.size() == 1) return check(fits, *variables[0].second->range, text(place));
    return check(fits, fmt::format("a value outside of the range of {}", text(place)));
  }
  Instruction check(ExprId fits, std::string message) const {
    if (outside_ == OutsideRange::kBlocks) return {.op = Opcode::kAssume, .a = fits};
    return {.op = Opcode::kAssert, .a = fits, .message = std::move(message)};
  }

  // For values that nobody looks at.
  RegisterId temporary() {
    std::string name = "read";
    while (operands_.has_register(name)) name += '_';
    if (!temporary_) temporary_ = program_.add_register(function_, name);
    return temporary_;
  }

  const ProgramSyntax& syntax_;
  const Terms& terms_;
  const Variables& variables_;
  const Process& process_;
  OutsideRange outside_;
  std::optional<Value> ready_;
  Program& program_;
  FunctionId function_;
  Operands operands_;
  RegisterId temporary_;
  std::map<std::string, Label> labels_;
  const Statement* block_ = nullptr;  // the `locked` that is being lowered
  LoweredProcess result_;
};

}  // namespace

Range arbitrary_values(const ProgramSyntax& syntax, const Declaration& declaration) {
  if (declaration.range) return *declaration.range;
  const std::optional<Range> enough = sufficient_values(syntax);
  if (!enough)
    fail(declaration.name.position,
         fmt::format("'{}' starts with any number and has no range", declaration.name.text),
         fmt::format("give it one, as in {} = * : [0:1]", declaration.name.text));
  return *enough;
}

LoweredProcess lower_process(const ProgramSyntax& syntax, const Variables& variables, std::size_t process,
                             OutsideRange outside, std::optional<Value> ready, Program& program) {
  return ProcessLowering(syntax, variables, process, outside, ready, program).lower();
}

}  // namespace weir::rmm
