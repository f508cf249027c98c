#include "frontend/imp/recover_statement.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir::imp {

namespace {

Statement in_block(std::vector<Statement> body) {
  return {.kind = Statement::Kind::kAtomic, .body = std::move(body)};
}

}  // namespace

bool PendingLoads::contains(RegisterId reg) const {
  return std::any_of(loads_.begin(), loads_.end(), [&](const Load& load) { return load.reg == reg; });
}

std::optional<TermId> PendingLoads::use(RegisterId reg) {
  if (!contains(reg)) return std::nullopt;
  const bool is_next = used_ < loads_.size() && loads_[used_].reg == reg;
  fits_ = fits_ && is_next;
  return loads_[is_next ? used_++ : 0].term;
}

StatementReader::StatementReader(const Program& program, FunctionId function, bool own_number,
                                 const VariableNames& variables, const LiveRegisters& live, Terms& terms,
                                 std::vector<Diagnostic>& problems)
    : program_(program),
      function_(program.function(function)),
      own_number_(own_number),
      variables_(variables),
      live_(live),
      terms_(terms),
      problems_(problems),
      names_(variables.names()),
      register_names_(function_.registers.size()) {}

void StatementReader::refuse(SourcePosition position, std::string_view what, std::string hint) {
  problems_.push_back(
      {Severity::kError, fmt::format("IMP cannot express {}", what), position, std::move(hint)});
}

std::string StatementReader::register_name(RegisterId reg) {
  if (own_number_ && reg.index() == 0) return kOwnNumber;
  std::string& name = register_names_[reg.index()];
  if (name.empty()) name = names_.name(function_.registers[reg.index()].name);
  return name;
}

std::string StatementReader::add_variable(std::string_view wanted) {
  added_.push_back(names_.name(wanted));
  return added_.back();
}

std::vector<Statement> StatementReader::declarations(const std::vector<Value>& arguments) {
  std::vector<Statement> result;
  for (std::size_t i = 0; i < function_.registers.size(); ++i) {
    if (register_names_[i].empty()) continue;
    const Register& reg = function_.registers[i];
    if (reg.type != kInt64) refuse(function_.position, "local variables of other types than int64");
    const Value initial = i < function_.parameter_count ? arguments.at(i) : reg.initial;
    Statement local{.kind = Statement::Kind::kLocal, .target = {register_names_[i], {}}};
    if (initial != 0) local.value = terms_.number(initial);
    result.push_back(std::move(local));
  }
  for (const std::string& name : added_)
    result.push_back({.kind = Statement::Kind::kLocal, .target = {name, {}}});
  return result;
}

TermId StatementReader::expression(ExprId id, PendingLoads& pending, SourcePosition position) {
  const Expression& e = program_.expression(id);
  if (e.type != kInt64) refuse(position, "values of other types than signed 64-bit integers");
  switch (e.op) {
    case ExprOp::kConstant: return terms_.number(e.constant);
    case ExprOp::kRegister: {
      const auto loaded = pending.use(e.reg);
      return loaded ? *loaded : terms_.name(register_name(e.reg));
    }
    case ExprOp::kCast: return expression(e.a, pending, position);
    case ExprOp::kSelect: refuse(position, "a conditional expression"); return terms_.number(0);
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister:
      refuse(position, "an expression over a whole state");
      return terms_.number(0);
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot: return terms_.unary(e.op, expression(e.a, pending, position));
    default: break;
  }
  const TermId a = expression(e.a, pending, position);
  return terms_.binary(e.op, a, expression(e.b, pending, position));
}

StatementReader::Access StatementReader::access(const Edge& edge, PendingLoads& pending) {
  if (edge.instruction.type != kInt64) refuse(edge.position, "accesses of other types than int64");
  const auto variable = variables_.find(edge.instruction.a);
  if (!variable) {
    refuse(edge.position, "an access to a computed address", "shared variables have names there");
    return {"unknown", {}};
  }
  if (!variable->is_array) return {variable->name, {}};
  if (!variable->index) return {variable->name, terms_.number(variable->offset)};
  const TermId index = expression(variable->index, pending, edge.position);
  if (variable->offset == 0) return {variable->name, index};
  return {variable->name, terms_.binary(ExprOp::kAdd, terms_.number(variable->offset), index)};
}

TermId StatementReader::read_term(const Edge& edge, PendingLoads& pending) {
  Access what = access(edge, pending);
  return what.index ? terms_.element(std::move(what.name), what.index) : terms_.name(std::move(what.name));
}

std::vector<Statement> StatementReader::statements(const Edge& edge, PendingLoads& pending, Region region) {
  const Instruction& i = edge.instruction;
  const auto operand = [&] { return expression(i.a, pending, edge.position); };
  std::vector<Statement> result;
  switch (i.op) {
    case Opcode::kNop:
    case Opcode::kReturn: result.push_back({.kind = Statement::Kind::kSkip}); break;
    case Opcode::kAssume: result.push_back({.kind = Statement::Kind::kAssume, .value = operand()}); break;
    case Opcode::kAssert: result.push_back({.kind = Statement::Kind::kAssert, .value = operand()}); break;
    case Opcode::kAssign: result.push_back(assign(i.result, operand())); break;
    case Opcode::kLoad: result.push_back(assign(i.result, read_term(edge, pending))); break;
    case Opcode::kStore: result.push_back(store(edge, pending, region)); break;
    case Opcode::kRmw: return read_modify_write(edge, region);
    case Opcode::kFence: result.push_back(fence(edge, region)); break;
    case Opcode::kChoose:
      if (i.low != i.high) refuse(edge.position, "a nondeterministic choice");
      result.push_back(assign(i.result, terms_.number(i.low)));
      break;
    case Opcode::kLock:
    case Opcode::kUnlock: refuse(edge.position, "the global lock", "an atomic block is expressible"); break;
    case Opcode::kCall: refuse(edge.position, "calls"); break;
    case Opcode::kAtomicBegin:
    case Opcode::kAtomicEnd: break;
    case Opcode::kStop:
    case Opcode::kAllocate:
    case Opcode::kFree:
    case Opcode::kHalt: break;  // not in a plain program
  }
  return result;
}

Statement StatementReader::assign(RegisterId reg, TermId value) {
  return {.kind = Statement::Kind::kAssign, .target = {register_name(reg), {}}, .value = value};
}

// A sequentially consistent store goes straight to memory, as a store in an atomic block does.
Statement StatementReader::store(const Edge& edge, PendingLoads& pending, Region region) {
  const Order order = edge.instruction.order;
  const Access target = access(edge, pending);
  Statement plain{.kind = Statement::Kind::kAssign,
                  .target = {target.name, {}},
                  .index = target.index,
                  .value = expression(edge.instruction.b, pending, edge.position)};
  if (region == Region::kAtomicBlock || order == Order::kRelaxed || order == Order::kAcquire) return plain;
  if (order != Order::kSequential) refuse(edge.position, "a release store");
  std::vector<Statement> body;
  body.push_back(std::move(plain));
  return in_block(std::move(body));
}

Statement StatementReader::fence(const Edge& edge, Region region) {
  if (edge.instruction.fence == FenceKind::kFull) return {.kind = Statement::Kind::kFence};
  if (region == Region::kFunction)
    refuse(edge.position, "a store-store fence", "a full fence is expressible");
  return {.kind = Statement::Kind::kSkip};
}

// atomic { old := x; x := f(old); result := old }, with as few of these as possible.
std::vector<Statement> StatementReader::read_modify_write(const Edge& edge, Region region) {
  const Instruction& i = edge.instruction;
  PendingLoads none;
  const Access target = access(edge, none);
  std::vector<Statement> body;
  const OldValue old = old_value(edge, body);
  Statement write{.kind = Statement::Kind::kAssign,
                  .target = {target.name, {}},
                  .index = target.index,
                  .value = new_value(edge, old.value)};
  if (i.rmw == RmwOp::kCompareExchange) {
    const TermId equal = terms_.binary(ExprOp::kEq, old.value, expression(i.c, none, edge.position));
    std::vector<Statement> then;
    then.push_back(std::move(write));
    body.push_back({.kind = Statement::Kind::kIf, .value = equal, .body = std::move(then)});
  } else {
    body.push_back(std::move(write));
  }
  if (old.is_copied) body.push_back(assign(i.result, old.value));
  if (region == Region::kAtomicBlock) return body;
  std::vector<Statement> result;
  result.push_back(in_block(std::move(body)));
  return result;
}

// The value before: read in place if nobody needs it later, otherwise from the result register, or from a
// variable of its own if the operands still need what that register held.
StatementReader::OldValue StatementReader::old_value(const Edge& edge, std::vector<Statement>& body) {
  const Instruction& i = edge.instruction;
  PendingLoads none;
  if (!i.result || !live_.live(edge.target, i.result)) return {read_term(edge, none), false};
  const std::vector<RegisterId> operands = registers_read(program_, i);
  if (std::find(operands.begin(), operands.end(), i.result) == operands.end()) {
    body.push_back(assign(i.result, read_term(edge, none)));
    return {terms_.name(register_name(i.result)), false};
  }
  if (old_value_.empty()) old_value_ = add_variable("old");
  body.push_back(
      {.kind = Statement::Kind::kAssign, .target = {old_value_, {}}, .value = read_term(edge, none)});
  return {terms_.name(old_value_), true};
}

TermId StatementReader::new_value(const Edge& edge, TermId old) {
  PendingLoads none;
  const TermId operand = expression(edge.instruction.b, none, edge.position);
  switch (edge.instruction.rmw) {
    case RmwOp::kExchange:
    case RmwOp::kCompareExchange: return operand;
    case RmwOp::kAdd: return terms_.binary(ExprOp::kAdd, old, operand);
    case RmwOp::kSub: return terms_.binary(ExprOp::kSub, old, operand);
    case RmwOp::kBitAnd: return terms_.binary(ExprOp::kBitAnd, old, operand);
    case RmwOp::kBitOr: return terms_.binary(ExprOp::kBitOr, old, operand);
    case RmwOp::kBitXor: return terms_.binary(ExprOp::kBitXor, old, operand);
    default: break;  // not in a plain program
  }
  return operand;
}

}  // namespace weir::imp
