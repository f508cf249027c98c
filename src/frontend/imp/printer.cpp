// IMP syntax as text, with as few parentheses as the precedences allow.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

namespace {

struct Spelling {
  std::string_view text;
  int precedence;
};

constexpr int kUnaryPrecedence = 11;

Spelling spelling(ExprOp op) {
  switch (op) {
    case ExprOp::kLogicalOr: return {"or", 1};
    case ExprOp::kLogicalAnd: return {"and", 2};
    case ExprOp::kBitOr: return {"|", 3};
    case ExprOp::kBitXor: return {"^", 4};
    case ExprOp::kBitAnd: return {"&", 5};
    case ExprOp::kEq: return {"=", 6};
    case ExprOp::kNe: return {"!=", 6};
    case ExprOp::kLt: return {"<", 7};
    case ExprOp::kLe: return {"<=", 7};
    case ExprOp::kGt: return {">", 7};
    case ExprOp::kGe: return {">=", 7};
    case ExprOp::kShl: return {"<<", 8};
    case ExprOp::kShr: return {">>", 8};
    case ExprOp::kAdd: return {"+", 9};
    case ExprOp::kSub: return {"-", 9};
    case ExprOp::kMul: return {"*", 10};
    case ExprOp::kDiv: return {"/", 10};
    case ExprOp::kRem: return {"%", 10};
    case ExprOp::kNegate: return {"-", kUnaryPrecedence};
    case ExprOp::kBitNot: return {"~", kUnaryPrecedence};
    default: return {"not ", kUnaryPrecedence};
  }
}

class Printer {
 public:
  explicit Printer(const Terms& terms) : terms_(terms) {}

  // In parentheses if it binds weaker than `weakest`.
  std::string expression(TermId id, int weakest = 0) const {
    const Term& term = terms_[id];
    switch (term.kind) {
      case Term::Kind::kNumber: return fmt::format("{}", term.value);
      case Term::Kind::kName: return term.name;
      case Term::Kind::kElement: return fmt::format("{}[{}]", term.name, expression(term.a));
      case Term::Kind::kAddress: return fmt::format("[{}]", expression(term.a));
      case Term::Kind::kRegister: return fmt::format("{}.{}", term.thread, term.name);
      case Term::Kind::kUnary: return unary(term);
      case Term::Kind::kBinary: return binary(term, weakest);
    }
    return {};
  }

  std::string program(const ProgramSyntax& syntax) {
    text_ = fmt::format("program {}\n", syntax.name);
    print_variables(syntax.variables);
    for (const auto& places : syntax.exclusive) print_places("exclusive", places);
    if (!syntax.goal.empty()) print_places("goal", syntax.goal);
    for (const Process& process : syntax.processes) print_process(process);
    return std::move(text_);
  }

 private:
  // A minus before a number would become part of it.
  std::string unary(const Term& term) const {
    const Spelling op = spelling(term.op);
    std::string operand = expression(term.a, kUnaryPrecedence);
    if (term.op == ExprOp::kNegate &&
        (operand[0] == '-' || std::isdigit(static_cast<unsigned char>(operand[0]))))
      operand = fmt::format("({})", operand);
    return fmt::format("{}{}", op.text, operand);
  }

  std::string binary(const Term& term, int weakest) const {
    const Spelling op = spelling(term.op);
    std::string text = fmt::format("{} {} {}", expression(term.a, op.precedence), op.text,
                                   expression(term.b, op.precedence + 1));
    return op.precedence < weakest ? fmt::format("({})", text) : text;
  }

  void line(int indent, std::string_view text) { text_ += fmt::format("{:{}}{}\n", "", 2 * indent, text); }

  void print_variables(const std::vector<Variable>& variables) {
    std::string list;
    for (const Variable& variable : variables) {
      list += list.empty() ? "variables " : ", ";
      list += variable.name.text;
      if (variable.is_array) list += fmt::format("[{}]", variable.initial.size());
      list += " = " + initial_values(variable);
    }
    if (!list.empty()) line(0, list);
  }

  static std::string initial_values(const Variable& variable) {
    const bool equal =
        std::equal(variable.initial.begin() + 1, variable.initial.end(), variable.initial.begin());
    if (equal) return fmt::format("{}", variable.initial.front());
    return fmt::format("{{{}}}", fmt::join(variable.initial, ", "));
  }

  void print_places(std::string_view word, const std::vector<Place>& places) {
    std::string list;
    for (const Place& place : places) {
      if (!list.empty()) list += ", ";
      if (!place.process.empty()) list += place.process.text + ":";
      list += place.label.text;
    }
    line(0, fmt::format("{} {}", word, list));
  }

  void print_process(const Process& process) {
    const std::string copies = process.copies > 0 ? fmt::format("[{}]", process.copies) : "";
    line(0, fmt::format("\nprocess {}{} begin", process.name.text, copies));
    print_statements(process.body, 1);
    line(0, "end");
  }

  void print_statements(const std::vector<Statement>& statements, int indent) {
    for (const Statement& statement : statements) print_statement(statement, indent);
  }

  void print_statement(const Statement& s, int indent) {
    const std::string label = s.label.empty() ? "" : s.label.text + ": ";
    switch (s.kind) {
      case Statement::Kind::kSkip: return line(indent, label + "skip;");
      case Statement::Kind::kFence: return line(indent, label + "fence;");
      case Statement::Kind::kAssert: return line(indent, label + "assert " + expression(s.value) + ";");
      case Statement::Kind::kAssume: return line(indent, label + "assume " + expression(s.value) + ";");
      case Statement::Kind::kLocal: return line(indent, label + "local " + assignment(s) + ";");
      case Statement::Kind::kAssign: return line(indent, label + assignment(s) + ";");
      case Statement::Kind::kIf: return print_if(s, label, indent);
      case Statement::Kind::kWhile:
        return print_body(s.body, label + "while " + condition(s.value) + " do", "od;", indent);
      case Statement::Kind::kAtomic: return print_body(s.body, label + "atomic {", "};", indent);
    }
  }

  std::string condition(TermId id) const {
    const Term& term = terms_[id];
    return term.kind == Term::Kind::kNumber && term.value == 1 ? "true" : expression(id);
  }

  std::string assignment(const Statement& s) const {
    std::string text = s.target.text;
    if (s.index) text += fmt::format("[{}]", expression(s.index));
    if (s.value) text += " := " + expression(s.value);
    return text;
  }

  void print_body(const std::vector<Statement>& body, const std::string& open, std::string_view close,
                  int indent) {
    line(indent, open);
    print_statements(body, indent + 1);
    line(indent, close);
  }

  void print_if(const Statement& s, const std::string& label, int indent) {
    line(indent, label + "if " + condition(s.value) + " then");
    print_statements(s.body, indent + 1);
    if (!s.otherwise.empty()) print_body(s.otherwise, "else", "fi;", indent);
    if (s.otherwise.empty()) line(indent, "fi;");
  }

  const Terms& terms_;
  std::string text_;
};

}  // namespace

std::string print(const ProgramSyntax& syntax) { return Printer(syntax.terms).program(syntax); }

std::string print(const Terms& terms, TermId term) { return Printer(terms).expression(term); }

}  // namespace weir::imp
