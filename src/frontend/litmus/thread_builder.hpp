// Code of one thread as it grows: a current location, to which instructions are appended.
#pragma once

#include <string>
#include <utility>

#include "program/program.hpp"

namespace weir::litmus {

class ThreadBuilder {
 public:
  ThreadBuilder(Program& program, FunctionId function) : program_(program), function_(function) {
    here_ = program.add_location(function, "", program.function(function).position);
    program.functions[function.index()].entry = here_;
  }

  Program& program() { return program_; }
  FunctionId function() const { return function_; }
  LocationId here() const { return here_; }

  void emit(Instruction instruction, SourcePosition position) {
    const LocationId next = new_location(position);
    program_.add_edge(here_, next, std::move(instruction), position);
    here_ = next;
  }
  void assign(RegisterId reg, ExprId value, SourcePosition position) {
    emit({.op = Opcode::kAssign, .result = reg, .a = value}, position);
  }
  // To `target` if the condition holds, else on.
  void branch(ExprId condition, LocationId target, SourcePosition position) {
    const ExprId otherwise = program_.unary(ExprOp::kLogicalNot, condition);
    program_.add_edge(here_, target, {.op = Opcode::kAssume, .a = condition}, position);
    emit({.op = Opcode::kAssume, .a = otherwise}, position);
  }
  void jump(LocationId target, SourcePosition position) {
    program_.add_edge(here_, target, {.op = Opcode::kNop}, position);
    here_ = new_location(position);
  }
  // What follows is also reached by jumps to this location.
  void continue_at(LocationId location, SourcePosition position) {
    program_.add_edge(here_, location, {.op = Opcode::kNop}, position);
    here_ = location;
  }
  LocationId new_location(SourcePosition position, std::string label = {}) {
    return program_.add_location(function_, std::move(label), position);
  }

  // Expressions.
  ExprId number(Value value, Type type) {
    return program_.constant(wrap(static_cast<std::uint64_t>(value), type), type);
  }
  ExprId read(RegisterId reg) {
    return program_.register_value(reg, program_.function(function_).registers[reg.index()].type);
  }
  ExprId cast(ExprId value, Type type) {
    return program_.expression(value).type == type ? value : program_.unary(ExprOp::kCast, value, type);
  }

  RegisterId find_or_add_register(const std::string& name, Type type) {
    if (const auto found = program_.find_register(function_, name)) return *found;
    return program_.add_register(function_, name, type);
  }

 private:
  Program& program_;
  FunctionId function_;
  LocationId here_;
};

}  // namespace weir::litmus
