// The second half of the `.weir` parser: instructions and expressions.
#include <fmt/format.h>

#include "program/text/parser.hpp"
#include "program/text/words.hpp"
#include "program/validate.hpp"

namespace weir::text_form {

namespace {

// Also of an element that does not exist.
Value cell_address(const SharedObject& object, Value index) {
  const std::uint64_t offset = static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(object.stride);
  return wrap(static_cast<std::uint64_t>(object.base) + offset, kInt64);
}

}  // namespace

// --- Instructions
// -------------------------------------------------------------------------------------------

Instruction Parser::instruction() {
  const Token word = current_;
  if (word.is("%") || word.kind == Token::Kind::kString || (at_name() && ahead_.is(":=")))
    return with_result();
  if (const auto op =
          word.kind == Token::Kind::kName ? value_of(kBareInstructions, word.text) : std::nullopt) {
    take();
    return bare(*op);
  }
  if (accept("assume")) return {.op = Opcode::kAssume, .a = expression()};
  if (accept("assert")) {
    Instruction result{.op = Opcode::kAssert, .a = expression()};
    if (accept(",")) result.message = message();
    return result;
  }
  if (accept("store")) return store();
  if (accept("rmw")) return rmw(RegisterId());
  if (accept("fence")) return fence();
  if (accept("call")) return call(RegisterId());
  if (accept("load")) return load(RegisterId());
  if (accept("allocate")) return allocate(RegisterId());
  if (accept("free")) return free_block();
  if (accept("renew")) return renew_block();
  if (accept("return")) {
    const bool bare = current_.kind == Token::Kind::kNewline || current_.kind == Token::Kind::kEnd ||
                      current_.is("->") || current_.is("#") || current_.is("@");
    return {.op = Opcode::kReturn, .a = bare ? ExprId() : expression()};
  }
  fail_expected(word, "an instruction, a location such as 'next:', or 'end'");
}

Instruction Parser::bare(Opcode op) {
  Instruction result{.op = op};
  if (op == Opcode::kNop) result.order = order();
  result.waits = op == Opcode::kHalt && accept("wait");
  if (may_have_message(op) && current_.kind == Token::Kind::kString) result.message = message();
  return result;
}

std::string Parser::message() {
  if (current_.kind != Token::Kind::kString) fail_expected(current_, "a text in quotes");
  return name("");
}

Instruction Parser::with_result() {
  const RegisterId result = register_reference(function_);
  expect(":=");
  if (accept("load")) return load(result);
  if (accept("rmw")) return rmw(result);
  if (accept("choose")) return choose(result);
  if (accept("call")) return call(result);
  if (accept("allocate")) return allocate(result);
  return {.op = Opcode::kAssign, .result = result, .a = expression()};
}

Instruction Parser::load(RegisterId result) {
  Instruction load{.op = Opcode::kLoad, .result = result};
  access(load);
  load.until = accept("until");
  load.waits = load.until || accept("wait");
  if (load.waits) load.c = expression();
  return load;
}

Instruction Parser::store() {
  Instruction store{.op = Opcode::kStore};
  access(store);
  expect(":=");
  store.b = expression();
  return store;
}

Instruction Parser::rmw(RegisterId result) {
  Instruction rmw{.op = Opcode::kRmw, .result = result};
  const auto op = current_.kind == Token::Kind::kName ? value_of(kRmwOps, current_.text) : std::nullopt;
  if (!op)
    fail_expected(current_,
                  "exchange, compare_exchange, add, sub, and, or, xor, nand, min, max, umin or umax");
  take();
  rmw.rmw = *op;
  access(rmw);
  expect(",");
  if (rmw.rmw == RmwOp::kCompareExchange) {
    rmw.c = expression();
    expect(",");
  }
  rmw.b = expression();
  if (accept("failing")) rmw.failing = order();
  return rmw;
}

Instruction Parser::choose(RegisterId result) {
  Instruction choose{.op = Opcode::kChoose, .result = result};
  choose.low = signed_number();
  expect("..");
  choose.high = signed_number();
  choose.waits = accept("wait");
  if (current_.kind == Token::Kind::kString) choose.message = message();
  return choose;
}

Instruction Parser::call(RegisterId result) {
  Instruction call{.op = Opcode::kCall, .result = result};
  calls_.push_back({0, reference("the name of a function")});
  expect("(");
  while (!current_.is(")")) {
    call.arguments.push_back(expression());
    if (!accept(",")) break;
  }
  expect(")");
  return call;
}

Instruction Parser::fence() {
  const auto kind = current_.kind == Token::Kind::kName ? value_of(kFences, current_.text) : std::nullopt;
  if (!kind) fail_expected(current_, "full or store_store");
  take();
  return {.op = Opcode::kFence, .order = order(), .fence = *kind};
}

Instruction Parser::allocate(RegisterId result) {
  const BlockKind block = block_kind();
  return {.op = Opcode::kAllocate, .block = block, .result = result, .a = expression()};
}

Instruction Parser::free_block() {
  const BlockKind block = block_kind();
  return {.op = Opcode::kFree, .block = block, .a = expression()};
}

Instruction Parser::renew_block() {
  return {.op = Opcode::kFree, .block = BlockKind::kStack, .renews = true, .a = expression()};
}

BlockKind Parser::block_kind() {
  const auto kind = current_.kind == Token::Kind::kName ? value_of(kBlocks, current_.text) : std::nullopt;
  if (!kind) fail_expected(current_, "heap, zeroed or stack");
  take();
  return *kind;
}

// Relaxed if there is none.
Order Parser::order() {
  const auto order = current_.kind == Token::Kind::kName ? value_of(kOrders, current_.text) : std::nullopt;
  if (order) take();
  return order.value_or(Order::kRelaxed);
}

// [TYPE] [ORDER] [plain] [copies] ADDRESS
void Parser::access(Instruction& instruction) {
  const bool word = current_.kind == Token::Kind::kName;
  if (word && parse_type(current_.text)) instruction.type = type();
  instruction.order = order();
  instruction.plain = accept("plain");
  instruction.copies = accept("copies");
  instruction.a = address();
}

// object, object[index], or [any address]
ExprId Parser::address() {
  if (accept("[")) {
    const ExprId result = expression();
    expect("]");
    return result;
  }
  if (!at_name()) fail_expected(current_, "the name of a shared object, or an address in brackets");
  const SharedObject& object = program_.object(object_reference(take()));
  if (!accept("[")) return program_.constant(object.base);
  const ExprId index = expression();
  expect("]");
  return element_address(object, index);
}

ExprId Parser::element_address(const SharedObject& object, ExprId index) {
  const Expression& e = program_.expression(index);
  if (e.op == ExprOp::kConstant && e.type == kInt64)
    return program_.constant(cell_address(object, e.constant));
  const ExprId start = program_.constant(object.base);
  if (object.stride == 1) return program_.binary(ExprOp::kAdd, start, index);
  const ExprId stride = program_.constant(object.stride);
  return program_.binary(ExprOp::kAdd, start, program_.binary(ExprOp::kMul, index, stride));
}

RegisterId Parser::register_reference(FunctionId function) {
  const Token start = current_;
  const auto& registers = program_.function(function).registers;
  Reference wanted{start, std::nullopt};
  if (accept("%")) {
    wanted.number = plain_number("the number of a register");
  } else {
    if (!at_name()) fail_expected(current_, "a register");
    take();
  }
  const std::string_view name = start.name();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (wanted.number ? i != *wanted.number : registers[i].name != name) continue;
    if (found) fail(start, fmt::format("there are several registers '{}'; write % and a number", name));
    found = i;
  }
  if (!found && !wanted.number && program_.find_object(name))
    fail(start, fmt::format("'{}' is a shared object, not a register", name),
         fmt::format("load it into a register first: r := load {}", name));
  if (!found)
    fail(start, wanted.number ? fmt::format("there is no register %{}", *wanted.number)
                              : fmt::format("there is no register '{}'", name));
  return RegisterId(*found);
}

ObjectId Parser::object_reference(const Token& token) const {
  const std::string_view name = token.name();
  const auto found = program_.find_object(name);
  if (!found)
    fail(token, fmt::format("there is no shared object '{}'", name),
         "shared objects are declared before functions");
  return *found;
}

// --- Expressions
// --------------------------------------------------------------------------------------------

ExprId Parser::expression() {
  if (++depth_ > kMaxExpressionDepth)
    fail(current_, fmt::format("the expression nests deeper than {} levels", kMaxExpressionDepth));
  const ExprId result = select_expression();
  --depth_;
  return result;
}

ExprId Parser::select_expression() {
  const ExprId condition = binary_expression(1);
  if (!accept("?")) return condition;
  const ExprId then = expression();
  expect(":");
  const ExprId otherwise = expression();
  return program_.add_expression(
      {.op = ExprOp::kSelect, .type = type_of(then), .a = condition, .b = then, .c = otherwise});
}

ExprId Parser::binary_expression(int minimal_precedence) {
  ExprId left = cast_expression();
  while (current_.kind == Token::Kind::kSymbol) {
    const BinaryWord* found = nullptr;
    for (const BinaryWord& word : kBinary)
      if (word.text == current_.text && word.precedence >= minimal_precedence) found = &word;
    if (found == nullptr) break;
    take();
    const ExprId right = binary_expression(found->precedence + 1);
    left = program_.binary(found->value, left, right, gives_truth(found->value) ? kInt64 : type_of(left));
  }
  return left;
}

ExprId Parser::cast_expression() {
  ExprId result = unary_expression();
  while (accept("as")) result = program_.unary(ExprOp::kCast, result, type());
  return result;
}

ExprId Parser::unary_expression() {
  if (current_.is("-") && ahead_.kind == Token::Kind::kNumber) {
    take();
    return number_expression(true);
  }
  for (const auto& word : kUnary) {
    if (!current_.is(word.text)) continue;
    const Token sign = take();
    if (++depth_ > kMaxExpressionDepth)
      fail(sign, fmt::format("the expression nests deeper than {} levels", kMaxExpressionDepth));
    const ExprId operand = unary_expression();
    --depth_;
    return program_.unary(word.value, operand, gives_truth(word.value) ? kInt64 : type_of(operand));
  }
  return primary_expression();
}

ExprId Parser::primary_expression() {
  if (current_.kind == Token::Kind::kNumber) return number_expression(false);
  if (current_.is("(")) return parenthesised();
  if (current_.kind == Token::Kind::kName && ahead_.is("(")) {
    if (const auto op = value_of(kFloatBinary, current_.text)) return float_binary(*op);
    if (const auto op = value_of(kFloatConversions, current_.text)) return float_conversion(*op);
    if (current_.is("frame")) return frame();
  }
  if (!function_) return named_value();
  if (accept("self")) return program_.add_expression({.op = ExprOp::kSelf});
  const RegisterId reg = register_reference(function_);
  return program_.register_value(reg, program_.function(function_).registers[reg.index()].type);
}

// fadd(a, b)
ExprId Parser::float_binary(ExprOp op) {
  take();
  expect("(");
  const ExprId a = expression();
  expect(",");
  const ExprId b = expression();
  expect(")");
  return program_.binary(op, a, b, gives_truth(op) ? kInt64 : type_of(a));
}

// ftoi(a, i32)
ExprId Parser::float_conversion(ExprOp op) {
  take();
  expect("(");
  const ExprId a = expression();
  expect(",");
  const Type to = type();
  expect(")");
  return program_.unary(op, a, to);
}

// frame(8)
ExprId Parser::frame() {
  take();
  expect("(");
  const auto offset = static_cast<Value>(count("an offset in private memory"));
  expect(")");
  return program_.add_expression({.op = ExprOp::kFrame, .constant = offset});
}

// (e), or (e : type) where e is a comparison, a logical operation, `self` or `frame`
ExprId Parser::parenthesised() {
  expect("(");
  const ExprId result = expression();
  const Token colon = current_;
  if (accept(":")) {
    const Type wanted = type();
    Expression& e = program_.expressions[result.index()];
    if (!takes_type(e.op))
      fail(colon, "only comparisons, logical operations, self and frame take a type",
           "convert a value with 'e as u8'");
    e.type = wanted;
  }
  expect(")");
  return result;
}

// 5, -5, 5u8
ExprId Parser::number_expression(bool negative) {
  const Token token = take();
  const std::size_t digits = token.text.find_first_not_of("0123456789");
  Type type = kInt64;
  if (digits != std::string_view::npos) {
    const auto suffix = parse_type(token.text.substr(digits));
    if (!suffix) fail(token, fmt::format("'{}' is not a number, with or without a type", token.text));
    type = *suffix;
  }
  return program_.constant(magnitude(token, token.text.substr(0, digits), negative, type), type);
}

// In invariants: cell, cell[index], [address], thread.register
ExprId Parser::named_value() {
  if (accept("[")) {
    const Value address = signed_number();
    expect("]");
    return shared_cell(address);
  }
  if (current_.is("#") || ahead_.is(".")) {
    const ThreadId thread = thread_reference();
    expect(".");
    const FunctionId function = program_.thread(thread).function;
    const RegisterId reg = register_reference(function);
    const Type type = program_.function(function).registers[reg.index()].type;
    return program_.add_expression(
        {.op = ExprOp::kThreadRegister, .type = type, .reg = reg, .thread = thread});
  }
  if (!at_name()) fail_expected(current_, "a shared object, a number, or thread.register");
  const SharedObject& object = program_.object(object_reference(take()));
  Value index = 0;
  if (accept("[")) {
    index = signed_number();
    expect("]");
  }
  return shared_cell(cell_address(object, index));
}

ExprId Parser::shared_cell(Value address) {
  const auto object = program_.object_at(address);
  const Type type = object ? program_.object(*object).type : kInt64;
  return program_.add_expression({.op = ExprOp::kSharedCell, .type = type, .constant = address});
}

}  // namespace weir::text_form
