// The checks run in two rounds: first everything that must hold before anybody may follow an id or ask what
// is at an address, then what the program says. Each check is one function; the program is only read.
#include "program/validate.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/text/words.hpp"
#include "program/validate_atomic.hpp"
#include "program/validate_memory.hpp"

namespace weir {

namespace {

using text_form::type_name;

constexpr std::size_t kMaxDiagnostics = 20;

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program) {}
  std::vector<Diagnostic> run();

 private:
  // Round one: ids. Objects are in validate_memory.cpp.
  void check_counts();
  void check_functions();
  void check_locations();
  void check_edges();
  void check_expressions();
  void check_property_ids();
  // Round two: meaning.
  void check_registers(const Function& function);
  void check_threads();
  void check_instruction(const Edge& edge);
  void check_call(const Edge& edge, FunctionId caller);
  void check_operands(const Edge& edge);
  void check_properties();
  void check_thread_location(const ThreadLocation& place, std::string_view property);

  // Where an expression stands: in a function, or (none) in an invariant.
  struct Place {
    FunctionId function;
    SourcePosition position;
  };
  void check_tree(ExprId root, const Place& place);
  void check_node(const Expression& e, const Place& place);
  void check_leaf_for_invariant(const Expression& e, const Place& place);
  void check_frame(const Expression& e, const Place& place);
  void check_types(const Expression& e, const Place& place);
  void check_float_types(const Expression& e, const Place& place);
  void require_float(Type type, std::string_view what, const Place& place);
  void require_same_type(Type a, Type b, std::string_view what, const Place& place);

  void report(SourcePosition position, std::string message, std::string hint = {}) {
    add({Severity::kError, std::move(message), position, std::move(hint)});
  }
  void add(Diagnostic diagnostic) {
    if (diagnostics_.size() < kMaxDiagnostics) diagnostics_.push_back(std::move(diagnostic));
  }
  void add_all(std::vector<Diagnostic> diagnostics) {
    for (Diagnostic& diagnostic : diagnostics) add(std::move(diagnostic));
  }
  bool location_exists(LocationId id) const { return id && id.index() < program_.locations.size(); }
  bool function_exists(FunctionId id) const { return id && id.index() < program_.functions.size(); }
  bool expression_exists(ExprId id) const { return id && id.index() < program_.expressions.size(); }
  const Function& function_of(LocationId id) const {
    return program_.function(program_.location(id).function);
  }

  const Program& program_;
  std::vector<std::size_t> depth_;  // of each expression
  std::vector<Diagnostic> diagnostics_;
};

int operand_count(ExprOp op) {
  switch (op) {
    case ExprOp::kConstant:
    case ExprOp::kRegister:
    case ExprOp::kSelf:
    case ExprOp::kFrame:
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister: return 0;
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot:
    case ExprOp::kCast:
    case ExprOp::kFloatToInt:
    case ExprOp::kIntToFloat:
    case ExprOp::kFloatToFloat: return 1;
    case ExprOp::kSelect: return 3;
    default: return 2;
  }
}

bool good_type(Type type) { return type.bits >= 1 && type.bits <= 64; }

std::vector<Diagnostic> Validator::run() {
  check_counts();
  check_functions();
  check_locations();
  check_edges();
  check_expressions();
  check_property_ids();
  add_all(check_objects(program_));
  if (!diagnostics_.empty()) return std::move(diagnostics_);

  for (const Function& function : program_.functions) check_registers(function);
  check_threads();
  for (const Edge& edge : program_.edges) check_instruction(edge);
  add_all(check_memory_use(program_));
  check_properties();
  if (!diagnostics_.empty()) return std::move(diagnostics_);
  return check_atomic_blocks(program_);
}

// --- Round one
// ----------------------------------------------------------------------------------------------

void Validator::check_counts() {
  if (!program_.threads.empty()) return;
  const SourcePosition position = program_.sources.size() > 0 ? SourcePosition{FileId(0)} : SourcePosition{};
  report(position, "the program has no threads");
}

void Validator::check_functions() {
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& function = program_.functions[i];
    if (!location_exists(function.entry)) {
      report(function.position, fmt::format("function '{}' has no entry location", function.name));
    } else if (program_.location(function.entry).function != FunctionId(i)) {
      report(function.position,
             fmt::format("the entry of function '{}' belongs to another function", function.name));
    }
    if (function.parameter_count > function.registers.size())
      report(function.position,
             fmt::format("function '{}' has {} parameters but only {} registers", function.name,
                         function.parameter_count, function.registers.size()));
  }
  for (const Thread& thread : program_.threads)
    if (!function_exists(thread.function))
      report(thread.position, fmt::format("thread '{}' runs a function that does not exist", thread.name));
}

void Validator::check_locations() {
  for (std::size_t i = 0; i < program_.locations.size(); ++i) {
    const Location& location = program_.locations[i];
    if (!function_exists(location.function))
      report(location.position, fmt::format("location {} belongs to no function", i));
    for (const EdgeId edge : location.edges)
      if (edge.index() >= program_.edges.size() || program_.edge(edge).source != LocationId(i))
        report(location.position, fmt::format("location {} lists an edge that does not start there", i));
  }
}

void Validator::check_edges() {
  std::vector<std::uint32_t> times_listed(program_.edges.size());
  for (const Location& location : program_.locations)
    for (const EdgeId edge : location.edges)
      if (edge.index() < times_listed.size()) ++times_listed[edge.index()];
  for (std::size_t i = 0; i < program_.edges.size(); ++i) {
    const Edge& edge = program_.edges[i];
    if (!location_exists(edge.source) || !location_exists(edge.target)) {
      report(edge.position, fmt::format("edge {} starts or ends at a location that does not exist", i));
      continue;
    }
    if (times_listed[i] != 1)
      report(edge.position, fmt::format("edge {} is not listed once at the location where it starts", i));
    if (program_.location(edge.source).function != program_.location(edge.target).function)
      report(edge.position, "a jump leads into another function");
    if (edge.instruction.op == Opcode::kCall && !function_exists(edge.instruction.callee))
      report(edge.position, "a call to a function that does not exist");
  }
}

// Operands come before the expressions that use them, so there are no cycles and one pass finds the depths.
void Validator::check_expressions() {
  depth_.assign(program_.expressions.size(), 1);
  for (std::size_t i = 0; i < program_.expressions.size(); ++i) {
    const Expression& e = program_.expressions[i];
    if (!good_type(e.type)) report({}, fmt::format("expression {} has a type of {} bits", i, e.type.bits));
    const ExprId operands[] = {e.a, e.b, e.c};
    for (int k = 0; k < operand_count(e.op); ++k) {
      if (!operands[k] || operands[k].index() >= i) {
        report({}, fmt::format("expression {} uses an operand that does not come before it", i));
        return;
      }
      depth_[i] = std::max(depth_[i], depth_[operands[k].index()] + 1);
    }
  }
}

void Validator::check_property_ids() {
  const auto exists = [&](const ThreadLocation& place) {
    return place.thread && place.thread.index() < program_.threads.size() && location_exists(place.location);
  };
  const Properties& properties = program_.properties;
  for (const auto& goal : properties.goals) {
    if (!std::all_of(goal.begin(), goal.end(), exists))
      report({}, "a goal names a thread or a location that does not exist");
    if (goal.empty()) report({}, "a goal names no thread, so every state would reach it");
  }
  for (const auto& list : properties.exclusive)
    if (!std::all_of(list.begin(), list.end(), exists))
      report({}, "mutual exclusion names a thread or a location that does not exist");
  for (const Invariant& invariant : properties.invariants)
    if (!expression_exists(invariant.expression))
      report(invariant.position, "an invariant without an expression");
}

// --- Round two
// ----------------------------------------------------------------------------------------------

void Validator::check_registers(const Function& function) {
  for (const Register& reg : function.registers) {
    if (!good_type(reg.type)) {
      report(function.position, fmt::format("register '{}' of '{}' has {} bits; types have 1 to 64", reg.name,
                                            function.name, reg.type.bits));
    } else if (!fits(reg.initial, reg.type)) {
      report(function.position, fmt::format("the initial value {} of register '{}' does not fit into {}",
                                            reg.initial, reg.name, type_name(reg.type)));
    }
  }
}

void Validator::check_threads() {
  for (const Thread& thread : program_.threads) {
    const Function& function = program_.function(thread.function);
    if (thread.arguments.size() != function.parameter_count)
      report(thread.position,
             fmt::format("thread '{}' gives {} arguments to function '{}', which takes {}", thread.name,
                         thread.arguments.size(), function.name, function.parameter_count));
  }
}

void Validator::check_instruction(const Edge& edge) {
  const Instruction& instruction = edge.instruction;
  const FunctionId function = program_.location(edge.source).function;
  const bool needs_result = instruction.op == Opcode::kAssign || instruction.op == Opcode::kLoad ||
                            instruction.op == Opcode::kChoose || instruction.op == Opcode::kAllocate;
  const bool may_have_result =
      needs_result || instruction.op == Opcode::kRmw || instruction.op == Opcode::kCall;
  if (needs_result && !instruction.result)
    report(edge.position, "an instruction without the register for its result");
  if (may_have_result && instruction.result &&
      instruction.result.index() >= program_.function(function).registers.size())
    report(edge.position, fmt::format("function '{}' has no register number {}",
                                      program_.function(function).name, instruction.result.index()));
  const bool accesses_memory =
      instruction.op == Opcode::kLoad || instruction.op == Opcode::kStore || instruction.op == Opcode::kRmw;
  if (accesses_memory && !good_type(instruction.type))
    report(edge.position, fmt::format("an access of {} bits; types have 1 to 64", instruction.type.bits));
  if (instruction.op == Opcode::kChoose && instruction.low > instruction.high)
    report(edge.position,
           fmt::format("a choice from {} to {} has no value", instruction.low, instruction.high));
  if (instruction.op == Opcode::kCall) check_call(edge, function);
  check_operands(edge);
}

void Validator::check_call(const Edge& edge, FunctionId caller) {
  const Function& callee = program_.function(edge.instruction.callee);
  if (edge.instruction.arguments.size() != callee.parameter_count)
    report(edge.position,
           fmt::format("the call gives {} arguments to function '{}', which takes {}",
                       edge.instruction.arguments.size(), callee.name, callee.parameter_count));
  for (const ExprId argument : edge.instruction.arguments) check_tree(argument, {caller, edge.position});
}

void Validator::check_operands(const Edge& edge) {
  const Instruction& i = edge.instruction;
  const Place place{program_.location(edge.source).function, edge.position};
  const bool uses_a = i.op == Opcode::kAssign || i.op == Opcode::kAssume || i.op == Opcode::kAssert ||
                      i.op == Opcode::kLoad || i.op == Opcode::kStore || i.op == Opcode::kRmw ||
                      i.op == Opcode::kAllocate || i.op == Opcode::kFree || (i.op == Opcode::kReturn && i.a);
  if (uses_a) check_tree(i.a, place);
  if (i.op == Opcode::kStore || i.op == Opcode::kRmw) check_tree(i.b, place);
  if (i.op == Opcode::kRmw && i.rmw == RmwOp::kCompareExchange) check_tree(i.c, place);
  if (i.op == Opcode::kLoad && i.waits) check_tree(i.c, place);
}

void Validator::check_properties() {
  for (const auto& goal : program_.properties.goals)
    for (const ThreadLocation& place : goal) check_thread_location(place, "goal");
  for (const auto& list : program_.properties.exclusive)
    for (const ThreadLocation& place : list) check_thread_location(place, "mutual exclusion");
  for (const Invariant& invariant : program_.properties.invariants)
    check_tree(invariant.expression, {FunctionId(), invariant.position});
}

void Validator::check_thread_location(const ThreadLocation& place, std::string_view property) {
  const Thread& thread = program_.thread(place.thread);
  if (program_.location(place.location).function != thread.function)
    report(thread.position, fmt::format("{}: location '{}' is not one of thread '{}'", property,
                                        program_.location_name(place.location), thread.name));
}

// --- Expressions
// --------------------------------------------------------------------------------------------

void Validator::check_tree(ExprId root, const Place& place) {
  if (!expression_exists(root)) return report(place.position, "an instruction without its operand");
  if (depth_[root.index()] > kMaxExpressionDepth)
    return report(place.position,
                  fmt::format("an expression nests deeper than {} levels", kMaxExpressionDepth),
                  "compute it in several steps");
  std::vector<ExprId> open{root};
  while (!open.empty()) {
    const Expression& e = program_.expression(open.back());
    open.pop_back();
    check_node(e, place);
    const ExprId operands[] = {e.a, e.b, e.c};
    open.insert(open.end(), operands, operands + operand_count(e.op));
  }
}

void Validator::check_node(const Expression& e, const Place& place) {
  const bool in_invariant = !place.function;
  switch (e.op) {
    case ExprOp::kConstant:
      if (!fits(e.constant, e.type))
        report(place.position,
               fmt::format("the number {} does not fit into {}", e.constant, type_name(e.type)));
      return;
    case ExprOp::kRegister: {
      if (in_invariant)
        return report(place.position, "an invariant reads a register without saying of which thread");
      const Function& function = program_.function(place.function);
      if (!e.reg || e.reg.index() >= function.registers.size())
        return report(place.position,
                      fmt::format("function '{}' has no register number {}", function.name, e.reg.index()));
      return require_same_type(e.type, function.registers[e.reg.index()].type,
                               fmt::format("register '{}'", function.registers[e.reg.index()].name), place);
    }
    case ExprOp::kSelf:
      if (in_invariant) report(place.position, "an invariant belongs to no thread, so it has no self");
      return;
    case ExprOp::kFrame: return check_frame(e, place);
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister:
      if (in_invariant) return check_leaf_for_invariant(e, place);
      return report(place.position,
                    "an instruction reads shared memory or another thread inside an expression",
                    "only invariants can; load the value into a register first");
    default: return check_types(e, place);
  }
}

void Validator::check_leaf_for_invariant(const Expression& e, const Place& place) {
  if (e.op == ExprOp::kSharedCell) {
    const auto object = program_.object_at(e.constant);
    if (!object && !program_.open_memory)
      return report(place.position,
                    fmt::format("an invariant reads address {}, where there is nothing", e.constant));
    return require_same_type(e.type, object ? program_.object(*object).type : kInt64,
                             program_.address_name(e.constant), place);
  }
  if (!e.thread || e.thread.index() >= program_.threads.size())
    return report(place.position, "an invariant reads a register of a thread that does not exist");
  const Thread& thread = program_.thread(e.thread);
  const auto& registers = program_.function(thread.function).registers;
  if (!e.reg || e.reg.index() >= registers.size())
    return report(place.position,
                  fmt::format("an invariant reads register number {} of thread '{}', which has {}",
                              e.reg.index(), thread.name, registers.size()));
  require_same_type(e.type, registers[e.reg.index()].type,
                    fmt::format("{}.{}", thread.name, registers[e.reg.index()].name), place);
}

void Validator::check_frame(const Expression& e, const Place& place) {
  constexpr Value kEnd = Value{1} << 40;
  if (!place.function) return report(place.position, "an invariant has no private memory");
  if (program_.open_memory) return report(place.position, "a program with open memory has no private memory");
  if (e.constant < 0 || e.constant >= kEnd)
    report(place.position, fmt::format("private memory has no byte {}", e.constant));
  if (e.type.bits != 64)
    report(place.position, fmt::format("an address of private memory has 64 bits, not {}", e.type.bits));
}

void Validator::check_types(const Expression& e, const Place& place) {
  const auto type_of = [&](ExprId id) { return program_.expression(id).type; };
  switch (e.op) {
    case ExprOp::kLogicalNot:
    case ExprOp::kLogicalAnd:
    case ExprOp::kLogicalOr:
    case ExprOp::kCast: return;
    case ExprOp::kNegate:
    case ExprOp::kBitNot: return require_same_type(e.type, type_of(e.a), "the operand", place);
    case ExprOp::kEq:
    case ExprOp::kNe:
    case ExprOp::kLt:
    case ExprOp::kLe:
    case ExprOp::kGt:
    case ExprOp::kGe:
      return require_same_type(type_of(e.a), type_of(e.b), "the right side of a comparison", place);
    case ExprOp::kSelect:
      require_same_type(e.type, type_of(e.b), "the second operand of ?:", place);
      return require_same_type(e.type, type_of(e.c), "the third operand of ?:", place);
    case ExprOp::kFloatAdd:
    case ExprOp::kFloatSub:
    case ExprOp::kFloatMul:
    case ExprOp::kFloatDiv:
    case ExprOp::kFloatRem:
    case ExprOp::kFloatEq:
    case ExprOp::kFloatLt:
    case ExprOp::kFloatLe:
    case ExprOp::kFloatUnordered:
    case ExprOp::kFloatToInt:
    case ExprOp::kIntToFloat:
    case ExprOp::kFloatToFloat: return check_float_types(e, place);
    default:
      require_same_type(e.type, type_of(e.a), "the left operand", place);
      return require_same_type(e.type, type_of(e.b), "the right operand", place);
  }
}

void Validator::check_float_types(const Expression& e, const Place& place) {
  const Type left = program_.expression(e.a).type;
  if (e.op != ExprOp::kIntToFloat) require_float(left, "the operand", place);
  if (e.op == ExprOp::kIntToFloat || e.op == ExprOp::kFloatToFloat)
    require_float(e.type, "the result", place);
  if (operand_count(e.op) == 1) return;
  require_same_type(left, program_.expression(e.b).type, "the right operand", place);
  if (!text_form::gives_truth(e.op)) require_same_type(e.type, left, "the left operand", place);
}

void Validator::require_float(Type type, std::string_view what, const Place& place) {
  if (!type.is_signed && (type.bits == 32 || type.bits == 64)) return;
  report(place.position, fmt::format("{} of a floating point operation has type {}", what, type_name(type)),
         "floating point numbers have type u32 or u64");
}

void Validator::require_same_type(Type wanted, Type found, std::string_view what, const Place& place) {
  if (wanted == found) return;
  report(place.position,
         fmt::format("{} has type {}, but {} is needed here", what, type_name(found), type_name(wanted)),
         "operands of one operation have the same type; convert with a cast");
}

}  // namespace

std::vector<Diagnostic> validate(const Program& program) { return Validator(program).run(); }

}  // namespace weir
