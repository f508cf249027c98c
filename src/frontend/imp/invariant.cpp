#include "frontend/imp/invariant.hpp"

#include <fmt/format.h>

#include "frontend/imp/expression_parser.hpp"

namespace weir {

namespace imp {

namespace {

class InvariantBuilder {
 public:
  InvariantBuilder(const Terms& terms, Program& program) : terms_(terms), program_(program) {}

  ExprId build(TermId id) {
    const Term& term = terms_[id];
    switch (term.kind) {
      case Term::Kind::kNumber: return program_.constant(term.value);
      case Term::Kind::kName: return scalar(term);
      case Term::Kind::kElement: return element(term);
      case Term::Kind::kAddress: return cell(constant(term.a), term);
      case Term::Kind::kRegister: return thread_register(term);
      case Term::Kind::kUnary: return program_.unary(term.op, build(term.a));
      case Term::Kind::kBinary: break;
    }
    const ExprId a = build(term.a);
    return program_.binary(term.op, a, build(term.b));
  }

 private:
  // Values of other types are compared as 64-bit integers.
  ExprId widened(Expression expression) {
    const ExprId id = program_.add_expression(expression);
    return expression.type == kInt64 ? id : program_.unary(ExprOp::kCast, id);
  }

  ExprId cell(Value address, const Term& term) {
    const auto object = program_.object_at(address);
    if (!object && !program_.open_memory)
      fail(term.position, fmt::format("there is nothing at address {}", address));
    const Type type = object ? program_.object(*object).type : kInt64;
    return widened({.op = ExprOp::kSharedCell, .type = type, .constant = address});
  }

  ExprId scalar(const Term& term) {
    const auto object = program_.find_object(term.name);
    if (!object)
      fail(term.position, fmt::format("no shared variable '{}'", term.name),
           "a register is written THREAD.register, an address without a name [7]");
    const SharedObject& found = program_.object(*object);
    if (found.initial.size() > 1)
      fail(term.position, fmt::format("'{}' is an array; say which element", term.name));
    return cell(found.base, term);
  }

  // An element of an array, or a cell whose own name looks like one, as Trencher files give.
  ExprId element(const Term& term) {
    const Value index = constant(term.a);
    if (const auto named = program_.find_object(fmt::format("{}[{}]", term.name, index)))
      return cell(program_.object(*named).base, term);
    const auto object = program_.find_object(term.name);
    if (!object) fail(term.position, fmt::format("no shared variable '{}'", term.name));
    const SharedObject& found = program_.object(*object);
    const Value size = static_cast<Value>(found.initial.size());
    if (index < 0 || index >= size)
      fail(terms_[term.a].position, fmt::format("'{}' has the elements 0 to {}", term.name, size - 1));
    return cell(found.base + index, term);
  }

  Value constant(TermId id) const {
    if (terms_[id].kind != Term::Kind::kNumber)
      fail(terms_[id].position, "expected a constant: an invariant names its cells");
    return terms_[id].value;
  }

  ExprId thread_register(const Term& term) {
    const auto thread = program_.find_thread(term.thread);
    if (!thread) fail(term.position, fmt::format("no thread '{}'", term.thread));
    const FunctionId function = program_.thread(*thread).function;
    const auto reg = program_.find_register(function, term.name);
    if (!reg) fail(term.position, fmt::format("thread '{}' has no register '{}'", term.thread, term.name));
    const Type type = program_.function(function).registers[reg->index()].type;
    return widened({.op = ExprOp::kThreadRegister, .type = type, .reg = *reg, .thread = *thread});
  }

  const Terms& terms_;
  Program& program_;
};

}  // namespace

}  // namespace imp

std::optional<Diagnostic> add_invariant(Program& program, std::string_view text) {
  const FileId file = program.sources.add("<invariant>", std::string(text));
  try {
    imp::Terms terms;
    imp::TokenReader tokens(file, text);
    const imp::TermId root = imp::ExpressionParser(tokens, terms, imp::Speaks::kOfTheWholeState).parse();
    if (!tokens.at_end()) tokens.fail_expected("the end of the invariant");
    const ExprId expression = imp::InvariantBuilder(terms, program).build(root);
    program.properties.invariants.push_back({expression, std::string(text), {file, 1, 1}});
  } catch (SyntaxError& error) {
    return std::move(error.diagnostic);
  }
  return std::nullopt;
}

}  // namespace weir
