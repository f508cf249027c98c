// Generates well-formed programs that use everything the program representation offers: odd widths, every
// instruction and order, calls, private memory, blocks, floating point, names that need quoting, locations
// and edges numbered across functions. They are meant to be printed and parsed, not to be run.
#pragma once

#include <rapidcheck.h>

#include "program/program.hpp"

namespace weir::test {

class OddProgramBuilder {
 public:
  Program build() {
    program_.name = name();
    program_.open_memory = *rc::gen::arbitrary<bool>();
    program_.byte_memory = !program_.open_memory && *rc::gen::arbitrary<bool>();
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
                                          "P0", "line\nend", "\xff\x01", "end", "r1", "r.2", "7up", "acquire",
                                          "stop", "self", "fadd", "wait", "private", "min", "plain",
                                          "uninitialised", "halt");
  }

  static Type type() {
    if (below(4) == 0) return *rc::gen::element(kInt64, Type{64, false}, Type{32, false});
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
      for (std::size_t cell = below(3) + 1; cell > 0; --cell) object.initial.push_back(cell_value(object));
      if (!program_.open_memory) {
        object.stride = program_.byte_memory ? 8 : *rc::gen::element<Value>(1, 1, 4, 12);
        object.constant = below(4) == 0;
      }
      base += static_cast<Value>(object.initial.size() + below(2)) * object.stride;
      program_.objects.push_back(std::move(object));
    }
  }

  Value cell_value(const SharedObject& object) const {
    return !program_.open_memory && below(4) == 0 ? kUninitialised : value(object.type);
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
      add_privates(function);
    }
  }

  void add_privates(Function& function) const {
    if (program_.open_memory) return;
    std::uint64_t offset = 0;
    for (std::size_t i = below(3); i > 0; --i) {
      offset += *rc::gen::element<std::uint64_t>(0, 0, 8, std::uint64_t{1} << 28);
      function.privates.push_back({.name = name(), .offset = offset, .size = below(20)});
      offset += function.privates.back().size;
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
                             Opcode::kChoose, Opcode::kCall, Opcode::kReturn, Opcode::kStop,
                             Opcode::kAllocate, Opcode::kFree, Opcode::kHalt);
    if (program_.open_memory && (i.op == Opcode::kAllocate || i.op == Opcode::kFree)) i.op = Opcode::kHalt;
    const bool needs_result = i.op == Opcode::kAssign || i.op == Opcode::kLoad || i.op == Opcode::kChoose ||
                              i.op == Opcode::kAllocate;
    if (needs_result && registers.empty()) i.op = Opcode::kNop;
    if (!registers.empty() && (needs_result || below(2) == 0)) i.result = RegisterId(below(registers.size()));
    const bool result_is_wide = i.result && registers[i.result.index()].type.bits == 64;
    if (i.op == Opcode::kAllocate && !result_is_wide) i.op = Opcode::kNop;
    i.block = static_cast<BlockKind>(below(3));
    i.renews = i.op == Opcode::kFree && i.block == BlockKind::kStack && below(2) == 0;
    add_flags(i, result_is_wide);
    i.rmw = static_cast<RmwOp>(below(12));
    i.fence = static_cast<FenceKind>(below(2));
    i.a = i.op == Opcode::kReturn && below(2) == 0 ? ExprId() : expression(3);
    i.b = expression(2);
    i.c = expression(2);
    i.low = -static_cast<Value>(below(5));
    i.high = static_cast<Value>(below(5));
    if (i.op == Opcode::kAssert || i.op == Opcode::kHalt) i.message = name();
    if (i.op == Opcode::kCall) {
      i.callee = FunctionId(below(program_.functions.size()));
      for (std::uint32_t k = 0; k < program_.function(i.callee).parameter_count; ++k)
        i.arguments.push_back(expression(1));
    }
    return i;
  }

  void add_flags(Instruction& i, bool result_is_wide) const {
    if (i.op != Opcode::kLoad && i.op != Opcode::kStore) return;
    i.plain = *rc::gen::arbitrary<bool>();
    const bool may_copy = !program_.open_memory && (i.op == Opcode::kStore || result_is_wide);
    i.copies = may_copy && below(2) == 0;
    i.waits = i.op == Opcode::kLoad && !i.copies && below(3) == 0;
    i.until = i.waits && below(2) == 0;
  }

  ExprId expression(int depth) { return expression_of(type(), depth); }

  ExprId expression_of(Type t, int depth) {
    if (depth == 0) return leaf(t);
    if (below(5) == 0) return float_expression(t, depth);
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

  ExprId float_expression(Type t, int depth) {
    const Type number = *rc::gen::element(Type{32, false}, Type{64, false});
    if (t == number) {
      if (below(3) == 0) return program_.unary(ExprOp::kIntToFloat, expression(depth - 1), t);
      if (below(3) == 0) return program_.unary(ExprOp::kFloatToFloat, expression_of(number, depth - 1), t);
      const auto op = static_cast<ExprOp>(static_cast<int>(ExprOp::kFloatAdd) + static_cast<int>(below(5)));
      const ExprId a = expression_of(t, depth - 1);
      return program_.binary(op, a, expression_of(t, depth - 1), t);
    }
    const ExprId a = expression_of(number, depth - 1);
    if (below(2) == 0) return program_.unary(ExprOp::kFloatToInt, a, t);
    const auto op = static_cast<ExprOp>(static_cast<int>(ExprOp::kFloatEq) + static_cast<int>(below(4)));
    return program_.binary(op, a, expression_of(number, depth - 1), t);
  }

  ExprId leaf(Type t) {
    if (!function_) return invariant_leaf(t);
    if (below(6) == 0) return program_.add_expression({.op = ExprOp::kSelf, .type = t});
    if (t.bits == 64 && !program_.open_memory && below(3) == 0)
      return program_.add_expression(
          {.op = ExprOp::kFrame, .type = t, .constant = static_cast<Value>(below(30))});
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
      const Value address = object.base + static_cast<Value>(below(object.initial.size())) * object.stride;
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
      program_.threads.back().dormant = *rc::gen::arbitrary<bool>();
      program_.threads.back().single = *rc::gen::arbitrary<bool>();
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
    for (std::size_t i = below(3); i > 0; --i)
      if (auto goal = places(); !goal.empty()) program_.properties.goals.push_back(std::move(goal));
    for (std::size_t i = below(3); i > 0; --i) program_.properties.exclusive.push_back(places());
    for (std::size_t i = below(3); i > 0; --i)
      program_.properties.invariants.push_back({expression(3), name(), position()});
    program_.properties.deadlock = *rc::gen::arbitrary<bool>();
    program_.properties.races = *rc::gen::arbitrary<bool>();
    program_.properties.leaks = *rc::gen::arbitrary<bool>();
    for (std::size_t i = below(3); i > 0; --i) program_.restrictions.push_back(name());
  }

  Program program_;
  FunctionId function_;  // whose registers expressions may use; none: an invariant
};

}  // namespace weir::test
