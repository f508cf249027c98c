// The notation of Figure 1 of "Checking and Enforcing Robustness against TSO" [Bouajjani13], in which papers write programs:
//
//   program   = "program" NAME { thread }
//   thread    = "thread" NAME "regs" { NAME [","] } "init" LABEL [ "final" LABEL { [","] LABEL } ] "begin" { line } "end"
//   line      = LABEL ":" action ";" "goto" LABEL ";"
//   action    = "mem" "[" value "]" arrow value | REGISTER arrow "mem" "[" value "]" | REGISTER arrow value
//             | ( "if" | "assert" | "assume" | "check" ) value | "mfence" | "noop" | "skip" | "lock" | "unlock"
//   arrow     = "←" | "<-" | ":="
//
// Values have the operators of Trencher between their operands, with C's precedences; "=", "≠", "≤", "≥", "∧", "∨" and "¬" are
// read as well. `assert` in the later versions of the figure is what `if` is in the first: it blocks. A name in `mem[x]` that is no
// register is an address: such names get the numbers from 1 on that no number in the file takes. `final` is an addition; without it
// nothing is forbidden, as in the paper.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/characters.hpp"
#include "base/syntax_error.hpp"
#include "frontend/text/nesting.hpp"
#include "frontend/text/token_reader.hpp"
#include "frontend/text/words.hpp"
#include "frontend/trencher/draft.hpp"
#include "program/validate.hpp"

namespace weir::trencher {

namespace {

using text::Token;

constexpr CommentSyntax kComments[] = {{"//", "", ""}, {"/*", "*/", "expected '*/'"}, {"#", "", ""}};
constexpr std::string_view kKeywords[] = {"program", "thread", "regs",  "init",   "final",  "begin", "end",
                                          "goto",    "mem",    "if",    "assert", "assume", "check", "mfence",
                                          "noop",    "skip",   "local", "lock",   "unlock"};
constexpr std::string_view kLongSymbols[] = {
    "←", "<-", ":=", "==", "!=", "<>", "<=", ">=", "&&", "||", "≠", "≤", "≥", "∧", "∨", "¬"};
constexpr std::string_view kShortSymbols = ":;,=<>+-*&!()[]";
constexpr std::string_view kArrows[] = {"←", "<-", ":="};
constexpr std::uint32_t kMaximalNesting = 300;
constexpr std::size_t kMostOperators = kMaxExpressionDepth - 1;

Token read_word(TextCursor& in) {
  const std::size_t size = text::word_size(in.rest());
  if (size == 0) return text::take_symbol(in, kLongSymbols, kShortSymbols);
  if (is_letter(in.peek())) return text::take_word(in, size, kKeywords);
  if (text::digits_size(in.rest()) != size) text::refuse(in, size);
  return text::take_token(in, Token::Kind::kNumber, size);
}

struct Operator {
  std::string_view word;
  ExprOp op;
  int strength;
};

constexpr Operator kInfix[] = {
    {"||", ExprOp::kLogicalOr, 1}, {"∨", ExprOp::kLogicalOr, 1}, {"&&", ExprOp::kLogicalAnd, 2},
    {"∧", ExprOp::kLogicalAnd, 2}, {"&", ExprOp::kBitAnd, 3},    {"==", ExprOp::kEq, 4},
    {"=", ExprOp::kEq, 4},         {"!=", ExprOp::kNe, 4},       {"<>", ExprOp::kNe, 4},
    {"≠", ExprOp::kNe, 4},         {"<", ExprOp::kLt, 5},        {"<=", ExprOp::kLe, 5},
    {"≤", ExprOp::kLe, 5},         {">", ExprOp::kGt, 5},        {">=", ExprOp::kGe, 5},
    {"≥", ExprOp::kGe, 5},         {"+", ExprOp::kAdd, 6},       {"-", ExprOp::kSub, 6},
    {"*", ExprOp::kMul, 7}};
constexpr int kStrongest = 7;

class FigureReader {
 public:
  FigureReader(FileId file, std::string_view text) : tokens_({file, text}, kComments, read_word) {
    tokens_.start();
  }

  Draft read(std::string& name) {
    tokens_.expect("program", "at the beginning");
    name = tokens_.expect_name("the name of the program").text;
    while (!tokens_.at_end()) read_thread();
    number_addresses();
    return std::move(draft_);
  }

 private:
  void read_thread() {
    tokens_.expect("thread", "or the end of the text");
    ThreadDraft thread{.name = tokens_.expect_name("the name of a thread")};
    for (const ThreadDraft& other : draft_.threads)
      if (other.name.text == thread.name.text)
        fail(thread.name.position, fmt::format("a second thread named {}; the first is on line {}",
                                               describe(thread.name), other.name.position.line));
    registers_.clear();
    tokens_.expect("regs", "and the registers of the thread");
    for (const Name& reg : names("a register"))
      if (!registers_.insert(reg.text).second)
        fail(reg.position, fmt::format("a second register named {}", describe(reg)));
    tokens_.expect("init", "and the label where the thread starts");
    thread.initial = tokens_.expect_name("a label");
    if (tokens_.accept("final")) thread.finals = names("a label");
    tokens_.expect("begin", "before the lines of the thread");
    while (!tokens_.accept("end")) thread.transitions.push_back(read_line());
    check_states(thread);
    draft_.threads.push_back(std::move(thread));
  }

  std::vector<Name> names(std::string_view what) {
    std::vector<Name> result;
    while (tokens_.at(Token::Kind::kName)) {
      result.push_back(tokens_.take().name());
      if (tokens_.accept(",") && !tokens_.at(Token::Kind::kName)) tokens_.fail_expected(what);
    }
    return result;
  }

  Transition read_line() {
    Transition line{.source = tokens_.expect_name("a label or 'end'")};
    tokens_.expect(":", "behind a label");
    read_action(line);
    tokens_.expect(";", "behind an instruction");
    tokens_.expect("goto", "and the label of what is next");
    line.target = tokens_.expect_name("a label");
    tokens_.expect(";", "at the end of the line");
    return line;
  }

  void read_action(Transition& line) {
    static constexpr std::pair<std::string_view, Opcode> kPlain[] = {{"mfence", Opcode::kFence},
                                                                     {"noop", Opcode::kNop},
                                                                     {"skip", Opcode::kNop},
                                                                     {"lock", Opcode::kLock},
                                                                     {"unlock", Opcode::kUnlock}};
    for (const auto& [word, op] : kPlain)
      if (tokens_.accept(word)) return static_cast<void>(line.op = op);
    if (tokens_.at("mem")) {
      line.op = Opcode::kStore;
      line.address = cell();
      expect_arrow("behind what is written");
      line.value = value();
      return;
    }
    for (const std::string_view word : {"if", "assert", "assume", "check"})
      if (tokens_.accept(word)) {
        line.op = Opcode::kAssume;
        line.value = value();
        return;
      }
    tokens_.accept("local");
    const Name target = tokens_.expect_name("an instruction");
    if (!registers_.contains(target.text))
      fail(target.position, fmt::format("{} is no register of this thread", describe(target)),
           "registers are listed behind 'regs'; memory is written by mem[x] := value");
    line.reg = target.text;
    expect_arrow("behind a register");
    line.op = tokens_.at("mem") ? Opcode::kLoad : Opcode::kAssign;
    (line.op == Opcode::kLoad ? line.address : line.value) = tokens_.at("mem") ? cell() : value();
  }

  void expect_arrow(std::string_view where) {
    for (const std::string_view arrow : kArrows)
      if (tokens_.accept(arrow)) return;
    tokens_.fail_expected(fmt::format("'←', '<-' or ':=' {}", where));
  }

  PrefixExpression cell() {
    tokens_.take();
    tokens_.expect("[", "and an address");
    in_address_ = true;
    PrefixExpression address = value();
    in_address_ = false;
    tokens_.expect("]", "behind an address");
    return address;
  }

  // Values.

  PrefixExpression value() {
    operators_ = 0;
    return operation(1);
  }

  PrefixExpression operation(int strength) {
    if (strength > kStrongest) return unary();
    PrefixExpression left = operation(strength + 1);
    for (;;) {
      const auto found = std::ranges::find_if(
          kInfix, [&](const Operator& one) { return one.strength == strength && tokens_.at(one.word); });
      if (found == std::end(kInfix)) return left;
      count_operator();
      tokens_.take();
      left = joined(found->op, std::move(left), operation(strength + 1));
    }
  }

  static PrefixExpression joined(ExprOp op, PrefixExpression left, const PrefixExpression& right) {
    left.insert(left.begin(), Term{.op = op});
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }

  void count_operator() {
    if (++operators_ > kMostOperators)
      text::nested_too_deeply(tokens_.here(), "expression", static_cast<std::uint32_t>(kMostOperators));
  }

  PrefixExpression unary() {
    const auto level = nesting_.enter(tokens_.here());
    if (tokens_.at("!") || tokens_.at("¬")) {
      count_operator();
      tokens_.take();
      PrefixExpression operand = unary();
      operand.insert(operand.begin(), Term{.op = ExprOp::kLogicalNot});
      return operand;
    }
    if (tokens_.accept("-")) {
      if (tokens_.at(Token::Kind::kNumber)) return {number(true)};
      count_operator();
      return joined(ExprOp::kSub, {Term{.value = 0}}, unary());
    }
    if (tokens_.accept("(")) {
      PrefixExpression inner = operation(1);
      tokens_.expect(")", "behind a value in parentheses");
      return inner;
    }
    if (tokens_.at(Token::Kind::kNumber)) return {number(false)};
    return {name_in_value()};
  }

  Term number(bool negative) {
    const Token word = tokens_.take();
    const auto result = text::integer(word.text, negative);
    if (!result) fail(word.position, fmt::format("the number {} does not fit into 64 bits", describe(word)));
    numbers_.insert(*result);
    return {.op = ExprOp::kConstant, .value = *result};
  }

  Term name_in_value() {
    const Name name = tokens_.expect_name("a value");
    if (registers_.contains(name.text)) return {.op = ExprOp::kRegister, .name = name.text};
    if (!in_address_ && !addresses_.contains(name.text))
      fail(name.position, fmt::format("{} is no register of this thread", describe(name)),
           "registers are listed behind 'regs'; other names stand in mem[…]");
    addresses_.try_emplace(name.text, name.position);
    return {.op = ExprOp::kConstant, .name = name.text};  // gets its number at the end
  }

  void number_addresses() {
    std::map<std::string, Value> chosen;
    Value next = 1;
    for (const auto& [name, position] : addresses_) {
      while (numbers_.contains(next)) ++next;
      draft_.cells[next] = {.name = name, .position = position};
      chosen[name] = next++;
    }
    for (ThreadDraft& thread : draft_.threads)
      for (Transition& line : thread.transitions)
        for (PrefixExpression* expression : {&line.value, &line.address})
          for (Term& term : *expression)
            if (term.op == ExprOp::kConstant && !term.name.empty())
              term = {.op = ExprOp::kConstant, .value = chosen.at(term.name)};
  }

  text::TokenReader tokens_;
  text::Nesting nesting_{kMaximalNesting, "values"};
  Draft draft_;
  std::set<std::string> registers_;                  // of the thread being read
  std::map<std::string, SourcePosition> addresses_;  // with the places where they occur first
  std::set<Value> numbers_;
  std::size_t operators_ = 0;  // in the value being read
  bool in_address_ = false;
};

}  // namespace

bool is_figure(FileId file, std::string_view text) {
  TextCursor cursor(file, text);
  cursor.skip_gap(kComments);
  return cursor.at("program") && text::word_size(cursor.rest()) == 7;
}

Draft read_figure(FileId file, std::string_view text, std::string& name) {
  return FigureReader(file, text).read(name);
}

}  // namespace weir::trencher
