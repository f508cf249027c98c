// One pass, recursive descent. An expression is evaluated from left to right: every access to memory in it is
// an instruction of its own, whose value goes to a register; what remains is an expression of the Program.
// Integers are promoted as in C: to the wider type, at least int, unsigned if one of equal width is.
#include "frontend/litmus/c_parser.hpp"

#include <fmt/format.h>
#include <set>

#include "frontend/litmus/c_operations.hpp"
#include "frontend/litmus/state_parser.hpp"
#include "frontend/litmus/thread_builder.hpp"
#include "frontend/text/nesting.hpp"
#include "program/text/words.hpp"

namespace weir::litmus {

namespace {

constexpr std::uint32_t kMaximalNesting = 200;
constexpr std::uint32_t kMaximalOperators = 500;  // of one statement, so that no expression is too deep

using text_form::BinaryWord;

bool is_comparison(ExprOp op) {
  return op == ExprOp::kEq || op == ExprOp::kNe || op == ExprOp::kLt || op == ExprOp::kLe ||
         op == ExprOp::kGt || op == ExprOp::kGe;
}

bool starts_type(const Token& token) {
  return token.kind == Token::Kind::kName && (type_named(token.text) || is_type_qualifier(token.text));
}

// Words of a type; int if there is nothing but qualifiers.
Type parse_type(TokenReader& tokens) {
  Type type = kInt;
  bool is_unsigned = false;
  if (!starts_type(tokens.peek()))
    fail(tokens.here(), fmt::format("expected a type that is modelled, found {}", describe(tokens.peek())),
         "int, int8_t to uint64_t, their like and their atomic versions are");
  while (starts_type(tokens.peek())) {
    const Token word = tokens.take();
    is_unsigned |= word.text == "unsigned";
    if (const auto named = type_named(word.text)) type = *named;
  }
  return is_unsigned ? Type{type.bits, false} : type;
}

struct Parameter {
  Name name;
  Type type = kInt;
};

// P0 (int* x, atomic_int* y)
std::vector<Parameter> parse_head(TokenReader& tokens, std::size_t number) {
  tokens.accept_name("void");
  tokens.accept_name("static");
  const Name name = tokens.expect_name("a function such as P0");
  if (name.text != fmt::format("P{}", number))
    fail(name.position, fmt::format("expected the function P{}, found {}", number, describe(name)),
         "the threads are P0, P1 and so on, in this order");
  tokens.expect("(", "behind the name of a thread");
  std::vector<Parameter> parameters;
  while (!tokens.accept(")")) {
    if (tokens.accept_name("void") || tokens.accept(",")) continue;
    Parameter parameter{.type = parse_type(tokens)};
    tokens.expect("*", "in the type of a parameter, which is the address of a shared variable");
    while (starts_type(tokens.peek())) tokens.take();  // int* volatile x
    parameter.name = tokens.expect_name("the name of a shared variable");
    parameters.push_back(std::move(parameter));
    if (!tokens.at(",") && !tokens.at(")")) tokens.fail_expected("',' or ')' behind a parameter");
  }
  return parameters;
}

bool at_function(const TokenReader& tokens) { return !at_question(tokens); }

void skip_body(TokenReader& tokens) {
  tokens.expect("{", "before the code of a thread");
  for (std::size_t depth = 1; depth > 0;) {
    if (tokens.at_end()) tokens.fail_expected("'}' behind the code of a thread");
    const Token token = tokens.take();
    depth += token.is("{") ? 1 : 0;
    depth -= token.is("}") ? 1 : 0;
  }
}

class ThreadParser {
 public:
  ThreadParser(TokenReader& tokens, Variables& variables, Program& program, FunctionId function)
      : tokens_(tokens), variables_(variables), program_(program), code_(program, function) {}

  void parse(const std::vector<Parameter>& parameters) {
    for (const Parameter& parameter : parameters) {
      shared_.insert(parameter.name.text);
      const Type type = variables_.get(parameter.name).type;
      if (type.bits != parameter.type.bits)
        fail(parameter.name.position, fmt::format("'{}' has {} bits here, but {} elsewhere",
                                                  parameter.name.text, parameter.type.bits, type.bits));
    }
    tokens_.expect("{", "before the code of a thread");
    while (!tokens_.accept("}")) statement();
  }

 private:
  // Statements.

  void statement() {
    position_ = tokens_.here();
    operators_ = 0;
    if (tokens_.accept(";")) return;
    if (tokens_.accept("{")) return block();
    if (tokens_.accept_name("if")) return if_statement();
    if (tokens_.accept_name("while")) return while_statement();
    if (tokens_.accept_name("do")) return do_statement();
    if (starts_type(tokens_.peek()))
      declaration();
    else if (tokens_.at("*"))
      store_through_parameter();
    else
      assignment_or_call();
    tokens_.expect(";", "behind a statement");
  }

  void block() {
    const auto level = nesting_.enter(tokens_.here());
    while (!tokens_.accept("}")) statement();
  }

  ExprId condition() {
    tokens_.expect("(", "before a condition");
    const ExprId value = expression();
    tokens_.expect(")", "behind a condition");
    return value;
  }

  void nested_statement() {
    const auto level = nesting_.enter(tokens_.here());
    statement();
  }

  void if_statement() {
    const SourcePosition position = position_;
    const LocationId otherwise = code_.new_location(position), end = code_.new_location(position);
    const ExprId value = condition();
    code_.branch(program_.unary(ExprOp::kLogicalNot, value), otherwise, position);
    nested_statement();
    code_.jump(end, position);
    code_.continue_at(otherwise, position);
    if (tokens_.accept_name("else")) nested_statement();
    code_.continue_at(end, position);
  }

  void while_statement() {
    const SourcePosition position = position_;
    const LocationId begin = code_.new_location(position), end = code_.new_location(position);
    code_.continue_at(begin, position);
    const ExprId value = condition();
    code_.branch(program_.unary(ExprOp::kLogicalNot, value), end, position);
    nested_statement();
    code_.jump(begin, position);
    code_.continue_at(end, position);
  }

  void do_statement() {
    const SourcePosition position = position_;
    const LocationId begin = code_.new_location(position);
    code_.continue_at(begin, position);
    nested_statement();
    if (!tokens_.accept_name("while")) tokens_.fail_expected("'while' behind the statement of 'do'");
    code_.branch(condition(), begin, position);
    tokens_.expect(";", "behind a loop");
  }

  // int r0; int r1 = *x, r2;
  void declaration() {
    const Type type = parse_type(tokens_);
    do {
      const Name name = tokens_.expect_name("the name of a variable");
      if (shared_.contains(name.text))
        fail(name.position, fmt::format("{} is a parameter already", describe(name)));
      const RegisterId reg = code_.find_or_add_register(name.text, type);
      if (program_.function(code_.function()).registers[reg.index()].type != type)
        fail(name.position, fmt::format("a second variable {} of another type", describe(name)));
      own_.insert(name.text);
      if (tokens_.accept("=")) assign(reg);
    } while (tokens_.accept(","));
  }

  RegisterId own_variable(const Name& name) {
    if (!own_.contains(name.text))
      fail(name.position, fmt::format("there is no variable {} in this thread", describe(name)),
           shared_.contains(name.text) ? fmt::format("the shared variable is *{}", name.text) : "");
    return program_.find_register(code_.function(), name.text).value();
  }

  void assignment_or_call() {
    const Name name = tokens_.expect_name("a statement");
    if (tokens_.at("(")) {
      call(name);
      return;
    }
    const RegisterId reg = own_variable(name);
    tokens_.expect("=", "behind a variable");
    assign(reg);
  }

  void assign(RegisterId reg) {
    const ExprId value = expression();
    if (take_over(value, reg)) return;
    code_.assign(reg, code_.cast(value, register_type(reg)), position_);
  }

  Type register_type(RegisterId reg) const {
    return program_.function(code_.function()).registers[reg.index()].type;
  }

  // Where the value is what the last access read, and nothing else, the access can write it to the register.
  bool take_over(ExprId value, RegisterId reg) {
    const Expression& e = program_.expression(value);
    auto& registers = program_.functions[code_.function().index()].registers;
    if (e.op != ExprOp::kRegister || e.reg != newest_value_ || register_type(e.reg) != register_type(reg))
      return false;
    Edge& last = program_.edges.back();  // there is one: the access
    const bool is_access = last.target == code_.here() && last.instruction.result == e.reg;
    if (!is_access || e.reg.index() + 1 != registers.size()) return false;
    last.instruction.result = reg;
    registers.pop_back();
    newest_value_ = {};
    return true;
  }

  void store_through_parameter() {
    const SharedObject object = dereference();
    tokens_.expect("=", "behind the place to write");
    const ExprId value = expression();
    store(object, value, Order::kRelaxed, true);
  }

  // Expressions.

  ExprId expression() { return binary(1); }

  // Operators that bind at least so strongly.
  ExprId binary(int least) {
    const auto level = nesting_.enter(tokens_.here());
    ExprId left = unary();
    while (const BinaryWord* found = operator_here()) {
      if (found->precedence < least) break;
      if (++operators_ > kMaximalOperators)
        fail(tokens_.here(), fmt::format("a statement has at most {} operators", kMaximalOperators));
      tokens_.take();
      const std::size_t accesses = accesses_;
      const SourcePosition position = tokens_.here();
      const ExprId right = binary(found->precedence + 1);
      const bool logical = found->value == ExprOp::kLogicalAnd || found->value == ExprOp::kLogicalOr;
      if (logical && accesses_ != accesses)
        fail(position, fmt::format("an access to shared memory behind '{}' is not modelled", found->text),
             "use 'if'");
      left = combine(*found, left, right);
    }
    return left;
  }

  // Division and remainder are not modelled.
  const BinaryWord* operator_here() const {
    for (const BinaryWord& word : text_form::kBinary)
      if (tokens_.at(word.text) && word.value != ExprOp::kDiv && word.value != ExprOp::kRem) return &word;
    return nullptr;
  }

  Type type_of(ExprId id) const { return program_.expression(id).type; }

  static Type promoted(Type type) { return type.bits < kInt.bits ? kInt : type; }

  static Type common(Type a, Type b) {
    a = promoted(a);
    b = promoted(b);
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return {a.bits, a.is_signed && b.is_signed};
  }

  ExprId combine(const BinaryWord& found, ExprId left, ExprId right) {
    if (found.value == ExprOp::kLogicalAnd || found.value == ExprOp::kLogicalOr)
      return program_.binary(found.value, left, right, kInt);
    const bool shifts = found.value == ExprOp::kShl || found.value == ExprOp::kShr;
    const Type type = shifts ? promoted(type_of(left)) : common(type_of(left), type_of(right));
    left = code_.cast(left, type);
    right = code_.cast(right, type);
    return program_.binary(found.value, left, right, is_comparison(found.value) ? kInt : type);
  }

  ExprId unary() {
    for (const auto& [symbol, op] : {std::pair{"!", ExprOp::kLogicalNot}, std::pair{"~", ExprOp::kBitNot},
                                     std::pair{"-", ExprOp::kNegate}}) {
      if (!tokens_.accept(symbol)) continue;
      const auto level = nesting_.enter(tokens_.here());
      const ExprId operand = unary();
      const Type type = promoted(type_of(operand));
      return op == ExprOp::kLogicalNot ? program_.unary(op, operand, kInt)
                                       : program_.unary(op, code_.cast(operand, type), type);
    }
    return primary();
  }

  ExprId primary() {
    if (tokens_.at("*")) {
      const SharedObject object = dereference();
      return load(object, Order::kRelaxed, true);
    }
    if (tokens_.at(Token::Kind::kNumber)) {
      const Value number = number_value(tokens_.take());
      const bool small = fits(number, kInt);
      return code_.number(number, small ? kInt : kInt64);
    }
    if (tokens_.accept("(")) return parenthesised();
    const Name name = tokens_.expect_name("an expression");
    if (!tokens_.at("(")) return code_.read(own_variable(name));
    const ExprId value = call(name);
    if (!value) fail(name.position, fmt::format("{} has no value", describe(name)));
    return value;
  }

  // A cast, or an expression.
  ExprId parenthesised() {
    if (starts_type(tokens_.peek())) {
      const Type type = parse_type(tokens_);
      tokens_.expect(")", "behind the type of a cast");
      return code_.cast(unary(), type);
    }
    const ExprId inner = expression();
    tokens_.expect(")", "at the end of an expression in parentheses");
    return inner;
  }

  // Memory.

  // *x; a copy, because further variables may be added.
  SharedObject dereference() {
    tokens_.expect("*", "before a shared variable");
    return shared_variable();
  }

  SharedObject shared_variable() {
    const bool parenthesised = tokens_.accept("(");
    tokens_.accept("&");
    const Name name = tokens_.expect_name("a shared variable");
    if (!shared_.contains(name.text))
      fail(name.position, fmt::format("{} is no parameter of this thread", describe(name)),
           "only parameters name shared variables");
    if (parenthesised) tokens_.expect(")", "behind a shared variable");
    return variables_.get(name);
  }

  // A new register for what an access reads.
  RegisterId new_value(Type type) {
    newest_value_ = program_.add_register(code_.function(), fmt::format("value_{}", ++values_), type);
    return newest_value_;
  }

  ExprId load(const SharedObject& object, Order order, bool plain) {
    ++accesses_;
    const RegisterId result = new_value(object.type);
    code_.emit({.op = Opcode::kLoad,
                .order = order,
                .plain = plain,
                .type = object.type,
                .result = result,
                .a = code_.number(object.base, kInt64)},
               position_);
    return code_.read(result);
  }

  void store(const SharedObject& object, ExprId value, Order order, bool plain) {
    ++accesses_;
    code_.emit({.op = Opcode::kStore,
                .order = order,
                .plain = plain,
                .type = object.type,
                .a = code_.number(object.base, kInt64),
                .b = code_.cast(value, object.type)},
               position_);
  }

  // Calls. The value of the call, if it has one.
  ExprId call(const Name& name) {
    const auto found = c_operation(name.text);
    if (!found)
      fail(name.position, fmt::format("the function {} is not modelled", describe(name)),
           "atomic_load_explicit, atomic_store_explicit, atomic_exchange, atomic_fetch_add, "
           "atomic_compare_exchange_strong, atomic_thread_fence and their like are");
    const SourcePosition position = std::exchange(position_, name.position);
    tokens_.expect("(", "behind a function");
    const ExprId value = arguments(*found);
    tokens_.expect(")", "behind the arguments of a function");
    position_ = position;
    return value;
  }

  ExprId arguments(const COperation& operation) {
    if (operation.kind == COperation::Kind::kFence) {
      fence(order_argument(operation, false));
      return {};
    }
    ExprId value;
    if (operation.value_first) {
      value = expression();
      tokens_.expect(",", "between two arguments");
    }
    const SharedObject object = operation.through ? dereference() : shared_variable();
    if (operation.kind == COperation::Kind::kLoad) {
      return load(object, order_argument(operation, true), false);
    }
    if (operation.kind == COperation::Kind::kCompareExchange) return compare_exchange(operation, object);
    if (!operation.value_first) {
      tokens_.expect(",", "between two arguments");
      value = expression();
    }
    const Order order = order_argument(operation, true);
    if (operation.kind == COperation::Kind::kUpdate) return update(operation, object, value, order);
    store(object, value, order, false);
    return {};
  }

  Order order_argument(const COperation& operation, bool behind_others) {
    if (operation.orders == COperation::Orders::kFixed) return operation.order;
    if (behind_others) tokens_.expect(",", "before the memory order");
    const Order order = parse_order();
    if (operation.orders == COperation::Orders::kLastTwoArguments) {
      tokens_.expect(",", "before the memory order of failure");
      parse_order();
    }
    return order;
  }

  Order parse_order() {
    const Name word = tokens_.expect_name("a memory order such as memory_order_relaxed");
    const auto order = c_order(word.text);
    if (!order) fail(word.position, fmt::format("{} is no memory order", describe(word)));
    return *order;
  }

  // On these machines, only stores pass later accesses: an acquire fence has nothing to do.
  void fence(Order order) {
    if (order == Order::kSequential)
      code_.emit({.op = Opcode::kFence, .fence = FenceKind::kFull}, position_);
    else if (order == Order::kRelease || order == Order::kAcquireRelease)
      code_.emit({.op = Opcode::kFence, .fence = FenceKind::kStoreStore}, position_);
  }

  ExprId update(const COperation& operation, const SharedObject& object, ExprId value, Order order) {
    ++accesses_;
    const bool unused = operation.result == COperation::Result::kNone;
    const bool direct = operation.result == COperation::Result::kOld;
    const RegisterId old = unused ? RegisterId() : new_value(object.type);
    const ExprId operand = code_.cast(value, object.type);
    code_.emit({.op = Opcode::kRmw,
                .order = order,
                .rmw = operation.update,
                .type = object.type,
                .result = old,
                .a = code_.number(object.base, kInt64),
                .b = operand},
               position_);
    if (unused || direct) return unused ? ExprId() : code_.read(old);
    const ExprOp op = operation.update == RmwOp::kSub ? ExprOp::kSub : ExprOp::kAdd;
    return program_.binary(op, code_.read(old), operand, object.type);
  }

  // (x, &expected, desired): what was there goes to `expected`, the value is whether it was replaced. Or
  // (x, expected, desired), with the value that was there.
  ExprId compare_exchange(const COperation& operation, const SharedObject& object) {
    tokens_.expect(",", "between two arguments");
    RegisterId variable;
    ExprId expected;
    if (operation.by_pointer) {
      tokens_.expect("&", "before the variable with the expected value");
      variable = own_variable(tokens_.expect_name("a variable of this thread"));
      expected = code_.read(variable);
    } else {
      expected = expression();
    }
    tokens_.expect(",", "between two arguments");
    const ExprId desired = expression();
    const Order order = order_argument(operation, true);
    ++accesses_;
    const RegisterId old = new_value(object.type);
    const RegisterId before = new_value(object.type);
    code_.assign(before, code_.cast(expected, object.type), position_);
    code_.emit({.op = Opcode::kRmw,
                .order = order,
                .rmw = RmwOp::kCompareExchange,
                .type = object.type,
                .result = old,
                .a = code_.number(object.base, kInt64),
                .b = code_.cast(desired, object.type),
                .c = code_.read(before)},
               position_);
    if (!operation.by_pointer) return code_.read(old);
    code_.assign(variable, code_.cast(code_.read(old), type_of(expected)), position_);
    return program_.binary(ExprOp::kEq, code_.read(old), code_.read(before), kInt);
  }

  TokenReader& tokens_;
  Variables& variables_;
  Program& program_;
  ThreadBuilder code_;
  std::set<std::string> shared_, own_;
  RegisterId newest_value_;   // what the last access that reads has read
  std::size_t accesses_ = 0;  // to shared memory, so far
  std::size_t values_ = 0;
  text::Nesting nesting_{kMaximalNesting};
  std::uint32_t operators_ = 0;
  SourcePosition position_;
};

}  // namespace

std::map<std::string, Type> c_parameter_types(TokenReader tokens) {
  std::map<std::string, Type> types;
  for (std::size_t number = 0; at_function(tokens); ++number) {
    for (const Parameter& parameter : parse_head(tokens, number))
      types.emplace(parameter.name.text, parameter.type);
    skip_body(tokens);
  }
  return types;
}

void lower_c(TokenReader& tokens, Variables& variables, Program& program) {
  for (std::size_t number = 0; at_function(tokens); ++number) {
    const SourcePosition position = tokens.here();
    const std::vector<Parameter> parameters = parse_head(tokens, number);
    const FunctionId function = program.add_function(fmt::format("P{}", number), position);
    program.add_thread(fmt::format("P{}", number), function, position);
    ThreadParser(tokens, variables, program, function).parse(parameters);
  }
  if (program.threads.empty()) tokens.fail_expected("the function P0");
}

}  // namespace weir::litmus
