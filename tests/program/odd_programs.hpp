// Generates well-formed programs that use everything the program representation offers: odd widths, every
// instruction and order, calls, names that need quoting, locations and edges numbered across functions. They
// are meant to be printed and parsed, not to be run.
#pragma once

#include <rapidcheck.h>

#include "program/program.hpp"

namespace weir::testing {

class OddProgramBuilder {
 public:
  Program build() {
    program_.name = name();
    program_.open_memory = *rc::gen::arbitrary<bool>();
    add_sources();
    add_objects();
    add_functions();
    add_locations_and_edges();
    add_threads();
    add_properties();
    return std::move(program_);
  }

 private:
  static std::size_t below(std::size_t bound) { return *rc::gen::inRange<std::size_t>(0, bound); }

  static std::string name() {
    return *rc::gen::element<std::string>("x", "flag", "load", "u8", "", "a b", "say \"hi\"", "back\\slash",
                                          "P0", "line\nend", "\xff\x01", "end", "r1", "r.2", "7up",
                                          "acquire");
  }

  static Type type() {
    return {static_cast<std::uint8_t>(*rc::gen::inRange(1, 65)), *rc::gen::arbitrary<bool>()};
  }

  static Value value(Type type) { return wrap(*rc::gen::arbitrary<std::uint64_t>(), type); }

  SourcePosition position() {
    if (program_.sources.size() == 0 || below(3) == 0) return {};
    const FileId file(below(program_.sources.size()));
    if (below(4) == 0) return {file};
    return {file, static_cast<std::uint32_t>(below(100) + 1), static_cast<std::uint32_t>(below(100) + 1)};
  }

  void add_sources() {
    for (std::size_t i = below(3); i > 0; --i) program_.sources.add(name(), "");
  }

  void add_objects() {
    Value base = *rc::gen::element<Value>(0, -5, 1000);
    for (std::size_t i = below(4); i > 0; --i) {
      SharedObject object{.name = name(), .base = base, .type = type(), .position = position()};
      for (std::size_t cell = below(3) + 1; cell > 0; --cell) object.initial.push_back(value(object.type));
      base += static_cast<Value>(object.initial.size() + below(2));
      program_.objects.push_back(std::move(object));
    }
  }

  void add_functions() {
    for (std::size_t i = below(3) + 1; i > 0; --i) {
      const FunctionId id = program_.add_function(name(), position());
      for (std::size_t r = below(4); r > 0; --r) {
        const Type t = type();
        program_.add_register(id, name(), t, value(t));
      }
      Function& function = program_.functions.back();
      function.parameter_count = static_cast<std::uint32_t>(below(function.registers.size() + 1));
    }
  }

  void add_locations_and_edges() {
    const std::size_t functions = program_.functions.size();
    for (std::size_t i = 0; i < functions; ++i)
      program_.functions[i].entry = program_.add_location(FunctionId(i), name(), position());
    for (std::size_t i = below(6); i > 0; --i)
      program_.add_location(FunctionId(below(functions)), name(), position());
    for (auto& function : program_.functions)
      for (std::size_t i = 0; i < program_.locations.size(); ++i)
        if (&program_.functions[program_.locations[i].function.index()] == &function && below(4) == 0)
          function.entry = LocationId(i);
    for (std::size_t i = below(12); i > 0; --i) add_edge();
  }

  void add_edge() {
    const LocationId source(below(program_.locations.size()));
    function_ = program_.location(source).function;
    LocationId target(below(program_.locations.size()));
    if (program_.location(target).function != function_) target = source;
    program_.add_edge(source, target, instruction(), position());
  }

  // Atomic blocks have rules of their own, so none here.
  Instruction instruction() {
    const auto& registers = program_.function(function_).registers;
    Instruction i{.order = *rc::gen::element(Order::kRelaxed, Order::kAcquire, Order::kRelease,
                                             Order::kAcquireRelease, Order::kSequential),
                  .type = type()};
    i.op = *rc::gen::element(Opcode::kNop, Opcode::kAssign, Opcode::kAssume, Opcode::kAssert, Opcode::kLoad,
                             Opcode::kStore, Opcode::kRmw, Opcode::kFence, Opcode::kLock, Opcode::kUnlock,
                             Opcode::kChoose, Opcode::kCall, Opcode::kReturn);
    const bool needs_result = i.op == Opcode::kAssign || i.op == Opcode::kLoad || i.op == Opcode::kChoose;
    if (needs_result && registers.empty()) i.op = Opcode::kNop;
    if (!registers.empty() && (needs_result || below(2) == 0)) i.result = RegisterId(below(registers.size()));
    i.rmw = static_cast<RmwOp>(below(7));
    i.fence = static_cast<FenceKind>(below(2));
    i.a = i.op == Opcode::kReturn && below(2) == 0 ? ExprId() : expression(3);
    i.b = expression(2);
    i.c = expression(2);
    i.low = -static_cast<Value>(below(5));
    i.high = static_cast<Value>(below(5));
    if (i.op == Opcode::kAssert) i.message = name();
    if (i.op == Opcode::kCall) {
      i.callee = FunctionId(below(program_.functions.size()));
      for (std::uint32_t k = 0; k < program_.function(i.callee).parameter_count; ++k)
        i.arguments.push_back(expression(1));
    }
    return i;
  }

  ExprId expression(int depth) { return expression_of(type(), depth); }

  ExprId expression_of(Type t, int depth) {
    if (depth == 0) return leaf(t);
    switch (below(6)) {
      case 0: return leaf(t);
      case 1:
        return program_.unary(*rc::gen::element(ExprOp::kNegate, ExprOp::kBitNot),
                              expression_of(t, depth - 1), t);
      case 2:
        return program_.unary(*rc::gen::element(ExprOp::kCast, ExprOp::kLogicalNot), expression(depth - 1),
                              t);
      case 3: {
        const auto op = static_cast<ExprOp>(static_cast<int>(ExprOp::kAdd) + static_cast<int>(below(10)));
        const ExprId a = expression_of(t, depth - 1);
        return program_.binary(op, a, expression_of(t, depth - 1), t);
      }
      case 4: {
        const Type operands = type();
        const auto op = static_cast<ExprOp>(static_cast<int>(ExprOp::kEq) + static_cast<int>(below(8)));
        const ExprId a = expression_of(operands, depth - 1);
        return program_.binary(op, a, expression_of(operands, depth - 1), t);
      }
      default: {
        const ExprId a = expression(depth - 1), b = expression_of(t, depth - 1),
                     c = expression_of(t, depth - 1);
        return program_.add_expression({.op = ExprOp::kSelect, .type = t, .a = a, .b = b, .c = c});
      }
    }
  }

  ExprId leaf(Type t) {
    if (!function_) return invariant_leaf(t);
    const auto& registers = program_.function(function_).registers;
    for (std::size_t i = 0; i < registers.size(); ++i)
      if (registers[i].type == t) return program_.register_value(RegisterId(i), t);
    if (!registers.empty() && below(3) > 0) {
      const std::size_t i = below(registers.size());
      return program_.unary(ExprOp::kCast, program_.register_value(RegisterId(i), registers[i].type), t);
    }
    if (t == kInt64 && !program_.objects.empty() && below(2) == 0)
      return program_.constant(program_.objects[below(program_.objects.size())].base);
    return program_.constant(value(t), t);
  }

  ExprId invariant_leaf(Type t) {
    if (!program_.objects.empty() && below(2) == 0) {
      const SharedObject& object = program_.objects[below(program_.objects.size())];
      const Value address = object.base + static_cast<Value>(below(object.initial.size()));
      return program_.unary(
          ExprOp::kCast,
          program_.add_expression({.op = ExprOp::kSharedCell, .type = object.type, .constant = address}), t);
    }
    const ThreadId thread(below(program_.threads.size()));
    const auto& registers = program_.function(program_.thread(thread).function).registers;
    if (registers.empty()) return program_.constant(value(t), t);
    const RegisterId reg(below(registers.size()));
    const Expression e{
        .op = ExprOp::kThreadRegister, .type = registers[reg.index()].type, .reg = reg, .thread = thread};
    return program_.unary(ExprOp::kCast, program_.add_expression(e), t);
  }

  void add_threads() {
    for (std::size_t i = below(3) + 1; i > 0; --i) {
      const FunctionId function(below(program_.functions.size()));
      const ThreadId thread = program_.add_thread(name(), function, position());
      for (std::uint32_t k = 0; k < program_.function(function).parameter_count; ++k)
        program_.threads[thread.index()].arguments.push_back(*rc::gen::arbitrary<Value>());
    }
  }

  std::vector<ThreadLocation> places() {
    std::vector<ThreadLocation> result;
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      for (std::size_t l = 0; l < program_.locations.size(); ++l)
        if (program_.locations[l].function == program_.threads[t].function && below(3) == 0)
          result.push_back({ThreadId(t), LocationId(l)});
    return result;
  }

  void add_properties() {
    function_ = FunctionId();
    program_.properties.goal = places();
    for (std::size_t i = below(3); i > 0; --i) program_.properties.exclusive.push_back(places());
    for (std::size_t i = below(3); i > 0; --i)
      program_.properties.invariants.push_back({expression(3), name(), position()});
    program_.properties.deadlock = *rc::gen::arbitrary<bool>();
  }

  Program program_;
  FunctionId function_;  // whose registers expressions may use; none: an invariant
};

}  // namespace weir::testing
