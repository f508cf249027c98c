// Shorthand for building and observing programs by hand.
#include "support/tiny_program.hpp"

#include <utility>

#include "base/error.hpp"

namespace weir::test {

TinyThread::TinyThread(Program& program, FunctionId function, ThreadId thread)
    : program_(&program), function_(function), thread_(thread), here_(program.add_location(function)) {
  program.functions[function.index()].entry = here_;
}

TinyThread& TinyThread::add(Instruction instruction) {
  const LocationId next = program_->add_location(function_);
  jump_to(next, std::move(instruction));
  return continue_at(next);
}

TinyThread& TinyThread::jump_to(LocationId target, Instruction instruction) {
  program_->add_edge(here_, target, std::move(instruction));
  return *this;
}

TinyThread& TinyThread::continue_at(LocationId location) {
  here_ = location;
  return *this;
}

RegisterId TinyThread::reg(std::string_view name, Type type) {
  if (const auto known = program_->find_register(function_, name)) return *known;
  return program_->add_register(function_, std::string(name), type);
}

ExprId TinyThread::value(std::string_view name) {
  const RegisterId id = reg(name);
  return program_->register_value(id, program_->function(function_).registers[id.index()].type);
}

ExprId TinyThread::equal(std::string_view name, Value expected) {
  const ExprId left = value(name);
  return program_->binary(ExprOp::kEq, left, program_->constant(expected, program_->expression(left).type));
}

ExprId TinyThread::address(std::string_view variable) {
  const auto object = program_->find_object(variable);
  WEIR_CHECK(object.has_value(), "the variable was declared");
  return program_->constant(program_->object(*object).base);
}

TinyThread& TinyThread::load(std::string_view name, std::string_view variable) {
  return add({.op = Opcode::kLoad, .result = reg(name), .a = address(variable)});
}

TinyThread& TinyThread::store(std::string_view variable, Value stored, Order order) {
  return add({.op = Opcode::kStore, .order = order, .a = address(variable), .b = program_->constant(stored)});
}

TinyThread& TinyThread::store_register(std::string_view variable, std::string_view name) {
  return add({.op = Opcode::kStore, .a = address(variable), .b = value(name)});
}

TinyThread& TinyThread::exchange(std::string_view name, std::string_view variable, Value stored) {
  return add({.op = Opcode::kRmw,
              .rmw = RmwOp::kExchange,
              .result = reg(name),
              .a = address(variable),
              .b = program_->constant(stored)});
}

TinyThread& TinyThread::fetch_add(std::string_view name, std::string_view variable, Value added) {
  return add({.op = Opcode::kRmw,
              .rmw = RmwOp::kAdd,
              .result = reg(name),
              .a = address(variable),
              .b = program_->constant(added)});
}

TinyThread& TinyThread::compare_exchange(std::string_view name, std::string_view variable, Value expected,
                                         Value desired) {
  return add({.op = Opcode::kRmw,
              .rmw = RmwOp::kCompareExchange,
              .result = reg(name),
              .a = address(variable),
              .b = program_->constant(desired),
              .c = program_->constant(expected)});
}

TinyThread& TinyThread::assign(std::string_view name, ExprId assigned) {
  return add({.op = Opcode::kAssign, .result = reg(name), .a = assigned});
}

TinyThread& TinyThread::choose(std::string_view name, Value low, Value high) {
  return add({.op = Opcode::kChoose, .result = reg(name), .low = low, .high = high});
}

TinyThread& TinyThread::assume_equal(std::string_view name, Value expected) {
  return add({.op = Opcode::kAssume, .a = equal(name, expected)});
}

TinyThread& TinyThread::assert_equal(std::string_view name, Value expected) {
  return add({.op = Opcode::kAssert, .a = equal(name, expected)});
}

TinyThread& TinyThread::leave(ExprId returned) {
  return jump_to(here_, {.op = Opcode::kReturn, .a = returned});
}

TinyProgram::TinyProgram(const std::vector<std::string>& variables) {
  for (const std::string& name : variables) variable(name, kInt64);
}

TinyThread TinyProgram::thread(std::string_view name) {
  const FunctionId function = program_.add_function(std::string(name));
  return {program_, function, program_.add_thread(std::string(name), function)};
}

TinyThread TinyProgram::function(std::string_view name, const std::vector<std::string>& parameters) {
  const FunctionId function = program_.add_function(std::string(name));
  for (const std::string& parameter : parameters) program_.add_register(function, parameter);
  program_.functions[function.index()].parameter_count = static_cast<std::uint32_t>(parameters.size());
  return {program_, function, ThreadId::none()};
}

void TinyProgram::variable(std::string_view name, Type type, std::vector<Value> initial) {
  const Value base = next_address_;
  next_address_ += static_cast<Value>(initial.size());
  program_.objects.push_back(
      {.name = std::string(name), .base = base, .type = type, .initial = std::move(initial)});
}

TinyProgram buffering_of_two_bytes() {
  constexpr Type kByte{8, false}, kTwoBytes{16, false};
  TinyProgram tiny({});
  for (const char* name : {"low", "high", "y"}) tiny.variable(name, kByte);
  Program& program = tiny.program();
  program.byte_memory = true;
  const auto at = [&](std::size_t object) { return program.constant(program.objects[object].base); };
  TinyThread p = tiny.thread("P"), q = tiny.thread("Q");
  p.add({.op = Opcode::kStore, .type = kTwoBytes, .a = at(0), .b = program.constant(0x101, kTwoBytes)});
  p.add({.op = Opcode::kLoad, .type = kByte, .result = p.reg("r"), .a = at(2)}).assume_equal("r", 0);
  q.add({.op = Opcode::kStore, .type = kByte, .a = at(2), .b = program.constant(1, kByte)});
  q.add({.op = Opcode::kLoad, .type = kByte, .result = q.reg("s"), .a = at(1)}).assume_equal("s", 0);
  return tiny;
}

Value observe(const Program& program, const ReferenceState& state, std::string_view what) {
  const std::size_t dot = what.find('.');
  if (dot == std::string_view::npos)
    return read_memory(program, state.memory, program.object(program.find_object(what).value()).base);
  const ThreadId thread = program.find_thread(what.substr(0, dot)).value();
  const RegisterId reg = program.find_register(program.thread(thread).function, what.substr(dot + 1)).value();
  return state.threads[thread.index()].stack.front().registers[reg.index()];
}

std::set<std::vector<Value>> outcomes(const Program& program, Model model,
                                      const std::vector<std::string>& observed) {
  const ReferenceMachine machine(program, model);
  const ReferenceExploration exploration = explore_all(program, model);
  WEIR_CHECK(exploration.complete, "the program is small");
  std::set<std::vector<Value>> found;
  for (const ReferenceState& state : exploration.terminal) {
    if (!machine.all_stopped(state)) continue;
    std::vector<Value> values;
    for (const std::string& what : observed) values.push_back(observe(program, state, what));
    found.insert(std::move(values));
  }
  return found;
}

bool can_move(const ReferenceMachine& machine, const ReferenceState& state, ThreadId thread,
              WitnessStep::Kind kind) {
  for (const ReferenceStep& step : machine.steps(state))
    if (step.steps.front().thread == thread && step.steps.front().kind == kind) return true;
  return false;
}

ReferenceState after_instruction(const ReferenceMachine& machine, const ReferenceState& state,
                                 ThreadId thread) {
  for (ReferenceStep& step : machine.steps(state))
    if (step.steps.front().thread == thread && step.steps.front().kind == WitnessStep::Kind::kInstruction)
      return std::move(step.after);
  WEIR_CHECK(false, "the thread can move");
  return state;
}

}  // namespace weir::test
