// What the instrumentation is written with: where its cells are, edges in a row, its few instructions, and
// the conditions under which an instruction of the original does not fail.
#pragma once

#include <map>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir {

// Where auxiliary cells are: those of address a at a plus an offset, the others in a row.
struct Layout {
  static constexpr Value kFirstMode = 3;

  Value value_offset = 0, delayed_offset = 0, level_offset = 0;
  Value first = 0;

  Value phase() const { return first; }       // 1 from the attack's load on
  Value target() const { return first + 1; }  // the address of the delayed store
  Value hit() const { return first + 2; }     // has the open section touched the target?
  Value mode(ThreadId thread) const { return first + kFirstMode + static_cast<Value>(thread.index()); }
};

// An error if there is no room for auxiliary cells.
Expected<Layout> plan_layout(const Program& program);

// What the program has that the instrumentation does not know: memory that is not made of declared objects,
// and instructions that come with it.
std::optional<InputError> beyond_instrumentation(const Program& program);

bool accesses_memory(Opcode op);

// Edges one after the other, from a location on.
class Route {
 public:
  Route(Program& program, LocationId from, SourcePosition position)
      : program_(&program), here_(from), position_(position) {}

  Route& then(Instruction instruction) {
    const LocationId next = program_->add_location(program_->location(here_).function, {}, position_);
    program_->add_edge(here_, next, std::move(instruction), position_);
    here_ = next;
    return *this;
  }
  void to(LocationId target, Instruction instruction = {}) {
    program_->add_edge(here_, target, std::move(instruction), position_);
  }
  LocationId here() const { return here_; }

 private:
  Program* program_;
  LocationId here_;
  SourcePosition position_;
};

// The instructions and expressions of the translation, all of type i64.
class Phrases {
 public:
  explicit Phrases(Program& program) : program_(program) {}

  ExprId number(Value value) { return program_.constant(value); }
  ExprId value(RegisterId reg) { return program_.register_value(reg); }
  ExprId op(ExprOp what, ExprId a, ExprId b) { return program_.binary(what, a, b); }
  ExprId op(ExprOp what, ExprId a, Value b) { return op(what, a, number(b)); }
  ExprId is(ExprId a, Value b) { return op(ExprOp::kEq, a, b); }
  ExprId is_not(ExprId a, Value b) { return op(ExprOp::kNe, a, b); }
  ExprId both(ExprId a, ExprId b) { return op(ExprOp::kLogicalAnd, a, b); }
  ExprId either(ExprId a, ExprId b) { return op(ExprOp::kLogicalOr, a, b); }
  ExprId cast(ExprId a, Type type) { return program_.unary(ExprOp::kCast, a, type); }
  ExprId select(ExprId condition, ExprId yes, ExprId no) {
    return program_.add_expression(
        {.op = ExprOp::kSelect, .type = program_.expression(yes).type, .a = condition, .b = yes, .c = no});
  }
  ExprId greater(ExprId a, ExprId b) { return select(op(ExprOp::kGt, a, b), a, b); }

  static Instruction assign(RegisterId result, ExprId a) {
    return {.op = Opcode::kAssign, .result = result, .a = a};
  }
  static Instruction assume(ExprId a) { return {.op = Opcode::kAssume, .a = a}; }
  static Instruction load(RegisterId result, ExprId address) {
    return {.op = Opcode::kLoad, .result = result, .a = address};
  }
  static Instruction store(ExprId address, ExprId value) {
    return {.op = Opcode::kStore, .a = address, .b = value};
  }
  Instruction load(RegisterId result, Value address) { return load(result, number(address)); }
  Instruction store(Value address, Value value) { return store(number(address), number(value)); }

 private:
  Program& program_;
};

// Conditions over the registers of a function. None: it always holds.
class Conditions {
 public:
  // Takes the expressions of `original` to have the same numbers in `result`.
  Conditions(const Program& original, Program& result) : original_(original), result_(result), say_(result) {}

  ExprId operands_defined(const Instruction& instruction);
  // Of an access of so many bits; `address` is a constant or a register.
  ExprId valid_address(ExprId address, std::uint8_t bits);

 private:
  using Range = std::pair<Value, Value>;  // first and last

  ExprId all_of(ExprId a, ExprId b) { return !a ? b : !b ? a : say_.both(a, b); }
  ExprId defined(ExprId id);
  ExprId defined_operation(const Expression& e);
  bool valid_constant(Value address, std::uint8_t bits) const;
  std::vector<Range> ranges(std::uint8_t bits, bool of_that_width) const;
  ExprId within(ExprId address, const std::vector<Range>& ranges);

  const Program& original_;
  Program& result_;
  Phrases say_;
  std::map<ExprId, ExprId> defined_;
};

}  // namespace weir
