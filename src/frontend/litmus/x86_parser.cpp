// One function per construct. Mnemonics come from a table; in both notations they may have a suffix that
// tells the width (b, w, l, q). An instruction that is not in the table is refused with its place.
#include "frontend/litmus/x86_parser.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include "frontend/litmus/state_parser.hpp"

namespace weir::litmus {

namespace {

struct OpDescription {
  std::string_view name;
  X86Op op;
  std::size_t operands;
};

constexpr std::array kOps = {
    OpDescription{"MOV", X86Op::kMov, 2},         OpDescription{"LEA", X86Op::kLea, 2},
    OpDescription{"XCHG", X86Op::kXchg, 2},       OpDescription{"XADD", X86Op::kXadd, 2},
    OpDescription{"CMPXCHG", X86Op::kCmpxchg, 2}, OpDescription{"ADD", X86Op::kAdd, 2},
    OpDescription{"SUB", X86Op::kSub, 2},         OpDescription{"AND", X86Op::kAnd, 2},
    OpDescription{"OR", X86Op::kOr, 2},           OpDescription{"XOR", X86Op::kXor, 2},
    OpDescription{"INC", X86Op::kInc, 1},         OpDescription{"DEC", X86Op::kDec, 1},
    OpDescription{"NEG", X86Op::kNeg, 1},         OpDescription{"NOT", X86Op::kNot, 1},
    OpDescription{"CMP", X86Op::kCmp, 2},         OpDescription{"TEST", X86Op::kTest, 2},
    OpDescription{"MFENCE", X86Op::kMfence, 0},   OpDescription{"SFENCE", X86Op::kSfence, 0},
    OpDescription{"LFENCE", X86Op::kNop, 0},      OpDescription{"NOP", X86Op::kNop, 0},
    OpDescription{"PAUSE", X86Op::kNop, 0},       OpDescription{"JMP", X86Op::kJump, 0}};

struct ConditionDescription {
  std::string_view name;
  X86Condition condition;
  bool negated;
};

constexpr std::array kConditions = {ConditionDescription{"E", X86Condition::kEqual, false},
                                    ConditionDescription{"Z", X86Condition::kEqual, false},
                                    ConditionDescription{"NE", X86Condition::kEqual, true},
                                    ConditionDescription{"NZ", X86Condition::kEqual, true},
                                    ConditionDescription{"L", X86Condition::kLess, false},
                                    ConditionDescription{"LT", X86Condition::kLess, false},
                                    ConditionDescription{"NGE", X86Condition::kLess, false},
                                    ConditionDescription{"GE", X86Condition::kLess, true},
                                    ConditionDescription{"NL", X86Condition::kLess, true},
                                    ConditionDescription{"LE", X86Condition::kLessOrEqual, false},
                                    ConditionDescription{"NG", X86Condition::kLessOrEqual, false},
                                    ConditionDescription{"G", X86Condition::kLessOrEqual, true},
                                    ConditionDescription{"GT", X86Condition::kLessOrEqual, true},
                                    ConditionDescription{"NLE", X86Condition::kLessOrEqual, true},
                                    ConditionDescription{"B", X86Condition::kBelow, false},
                                    ConditionDescription{"C", X86Condition::kBelow, false},
                                    ConditionDescription{"NAE", X86Condition::kBelow, false},
                                    ConditionDescription{"AE", X86Condition::kBelow, true},
                                    ConditionDescription{"NB", X86Condition::kBelow, true},
                                    ConditionDescription{"NC", X86Condition::kBelow, true},
                                    ConditionDescription{"BE", X86Condition::kBelowOrEqual, false},
                                    ConditionDescription{"NA", X86Condition::kBelowOrEqual, false},
                                    ConditionDescription{"A", X86Condition::kBelowOrEqual, true},
                                    ConditionDescription{"NBE", X86Condition::kBelowOrEqual, true},
                                    ConditionDescription{"S", X86Condition::kSign, false},
                                    ConditionDescription{"NS", X86Condition::kSign, true},
                                    ConditionDescription{"O", X86Condition::kOverflow, false},
                                    ConditionDescription{"NO", X86Condition::kOverflow, true}};

constexpr std::array kSuffixes = {std::pair{'B', std::uint8_t{8}}, std::pair{'W', std::uint8_t{16}},
                                  std::pair{'L', std::uint8_t{32}}, std::pair{'Q', std::uint8_t{64}}};

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

// What a mnemonic means.
struct Meaning {
  X86Op op = X86Op::kNop;
  std::size_t operands = 0;
  X86Condition condition = X86Condition::kEqual;
  bool negated = false;
  std::uint8_t bits = 0;
};

std::optional<Meaning> conditional(std::string_view word, std::string_view prefix, X86Op op,
                                   std::size_t operands) {
  if (!word.starts_with(prefix)) return std::nullopt;
  for (const ConditionDescription& condition : kConditions)
    if (word.substr(prefix.size()) == condition.name)
      return Meaning{op, operands, condition.condition, condition.negated};
  return std::nullopt;
}

std::optional<Meaning> meaning_without_suffix(std::string_view word) {
  for (const OpDescription& op : kOps)
    if (op.name == word) return Meaning{op.op, op.operands};
  if (auto jump = conditional(word, "J", X86Op::kJumpIf, 0)) return jump;
  if (auto set = conditional(word, "SET", X86Op::kSetIf, 1)) return set;
  return conditional(word, "CMOV", X86Op::kMoveIf, 2);
}

std::optional<Meaning> meaning(std::string_view word) {
  if (auto exact = meaning_without_suffix(word)) return exact;
  if (word.empty()) return std::nullopt;
  for (const auto& [letter, bits] : kSuffixes) {
    if (word.back() != letter) continue;
    auto found = meaning_without_suffix(word.substr(0, word.size() - 1));
    if (!found || found->operands == 0) return std::nullopt;
    found->bits = bits;
    return found;
  }
  return std::nullopt;
}

class X86Parser {
 public:
  X86Parser(TokenReader& tokens, LitmusLanguage language) : tokens_(tokens), language_(language) {}

  std::vector<X86Thread> parse() {
    parse_thread_names();
    while (!at_question(tokens_)) parse_row();
    return std::move(threads_);
  }

 private:
  bool destination_first() const { return language_ == LitmusLanguage::kX86; }

  void parse_thread_names() {
    do {
      const Name name = tokens_.expect_name("the name of a thread such as P0");
      if (name.text != fmt::format("P{}", threads_.size()))
        fail(name.position, fmt::format("expected P{}, found {}", threads_.size(), describe(name)),
             "threads are P0, P1 and so on, from left to right");
      threads_.push_back({.position = name.position});
    } while (tokens_.accept("|"));
    tokens_.expect(";", "behind the names of the threads");
  }

  void parse_row() {
    std::size_t column = 0;
    do {
      if (column == threads_.size())
        fail(tokens_.here(), fmt::format("this row has more columns than threads ({})", column));
      parse_cell(threads_[column++].lines.emplace_back());
    } while (tokens_.accept("|"));
    if (!tokens_.at(";") && !at_question(tokens_)) tokens_.fail_expected("'|' or ';' behind an instruction");
    tokens_.accept(";");
  }

  void parse_cell(X86Line& line) {
    while (!at_end_of_cell()) {
      const Name word = tokens_.expect_name("an instruction or a label");
      if (tokens_.accept(":")) {
        line.labels.push_back(word);
        continue;
      }
      line.instruction = parse_instruction(word);
      if (!at_end_of_cell()) tokens_.fail_expected("'|' or ';' behind an instruction");
    }
  }

  bool at_end_of_cell() const { return tokens_.at("|") || tokens_.at(";") || tokens_.at_end(); }

  X86Instruction parse_instruction(Name word) {
    X86Instruction instruction;
    if (same_ignoring_case(word.text, "LOCK")) {
      instruction.locked = true;
      tokens_.accept(";");
      word = tokens_.expect_name("an instruction behind 'LOCK'");
    }
    instruction.mnemonic = word;
    const auto found = meaning(upper(word.text));
    if (!found)
      fail(word.position, fmt::format("the instruction {} is not modelled", describe(word)),
           "moves, exchanges, integer arithmetic, comparisons, jumps and fences are");
    instruction.op = found->op;
    instruction.condition = found->condition;
    instruction.negated = found->negated;
    if (found->op == X86Op::kJump || found->op == X86Op::kJumpIf) {
      instruction.target = tokens_.expect_name("the label to jump to");
      return instruction;
    }
    parse_operands(instruction, *found);
    return instruction;
  }

  void parse_operands(X86Instruction& instruction, const Meaning& found) {
    for (std::size_t i = 0; i < found.operands; ++i) {
      if (i > 0) tokens_.expect(",", "between two operands");
      instruction.operands.push_back(parse_operand());
    }
    put_destination_first(instruction);
    if (found.operands > 0) set_width(instruction, found.bits);
    check_operands(instruction);
  }

  // Exchanges are written in either order, whatever the notation: the one in memory is the destination.
  void put_destination_first(X86Instruction& instruction) const {
    auto& operands = instruction.operands;
    if (operands.size() < 2) return;
    const bool exchanges =
        instruction.op == X86Op::kXchg || instruction.op == X86Op::kXadd || instruction.op == X86Op::kCmpxchg;
    const bool reversed = exchanges && operands[0].is_memory() != operands[1].is_memory()
                              ? operands[1].is_memory()
                              : !destination_first();
    if (reversed) std::swap(operands[0], operands[1]);
  }

  void set_width(X86Instruction& instruction, std::uint8_t suffix) const {
    instruction.bits = suffix;
    for (const X86Operand& operand : instruction.operands) {
      if (!operand.is_register() || instruction.op == X86Op::kLea) continue;
      if (instruction.bits == 0) instruction.bits = operand.reg.bits;
      if (instruction.bits != operand.reg.bits)
        fail(operand.position, fmt::format("'{}' has {} bits, but '{}' works on {}", operand.reg.name,
                                           operand.reg.bits, instruction.mnemonic.text, instruction.bits));
    }
    if (instruction.bits == 64 && destination_first())
      fail(instruction.mnemonic.position, "X86 has no operands of 64 bits", "X86_64 has");
    if (instruction.bits == 0 && instruction.op == X86Op::kSetIf) instruction.bits = 8;
    if (instruction.bits == 0) instruction.bits = kInt.bits;
  }

  static void check_operands(const X86Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (operands.empty()) return;
    const X86Op op = instruction.op;
    const bool only_reads = op == X86Op::kCmp || op == X86Op::kTest;
    if (operands[0].kind == X86Operand::Kind::kNumber && !only_reads)
      fail(operands[0].position, fmt::format("'{}' cannot write to a number", instruction.mnemonic.text));
    if (operands.size() == 2 && operands[0].is_memory() && operands[1].is_memory())
      fail(operands[1].position, "an instruction has one operand in memory at most");
    if ((op == X86Op::kLea && !operands[1].is_memory()) ||
        ((op == X86Op::kLea || op == X86Op::kMoveIf) && !operands[0].is_register()))
      fail(operands[0].position, fmt::format("these are no operands of '{}'", instruction.mnemonic.text));
    const bool swaps = op == X86Op::kXchg || op == X86Op::kXadd || op == X86Op::kCmpxchg;
    if (swaps && !operands[1].is_register())
      fail(operands[1].position, fmt::format("'{}' exchanges with a register", instruction.mnemonic.text));
  }

  // $1, 1, $x, EAX, %eax, [x], (x), [EAX], 8(%rax,%rbx,4), x(%rip)
  X86Operand parse_operand() {
    X86Operand operand{.position = tokens_.here()};
    const bool immediate = tokens_.accept("$");
    if (tokens_.at("-") || tokens_.at(Token::Kind::kNumber)) {
      operand.number = tokens_.expect_number("a number");
      if (!immediate && (tokens_.at("(") || tokens_.at("["))) parse_memory(operand);
      return operand;
    }
    if (immediate) {
      operand.symbol = parse_symbol();
      return operand;
    }
    if (tokens_.at("(") || tokens_.at("[")) {
      parse_memory(operand);
      return operand;
    }
    if (const auto reg = parse_register()) {
      operand.kind = X86Operand::Kind::kRegister;
      operand.reg = *reg;
      return operand;
    }
    operand.symbol = parse_symbol();
    if (!tokens_.at("("))
      fail(operand.position, fmt::format("there is no register '{}'", operand.symbol.text),
           fmt::format("the variable is written {}", destination_first() ? "[x]" : "(x)"));
    parse_memory(operand);
    return operand;
  }

  Name parse_symbol() { return tokens_.expect_name("an operand"); }

  // A register if the next word is one; with '%' it must be.
  std::optional<X86Register> parse_register() {
    const bool marked = tokens_.accept("%");
    const Token word = tokens_.peek();
    const auto reg = word.kind == Token::Kind::kName ? x86_register(language_, word.text) : std::nullopt;
    if (!reg && !marked) return std::nullopt;
    if (!reg) fail(word.position, fmt::format("there is no register {}", describe(word)));
    tokens_.take();
    return reg;
  }

  // "(" or "[", base, index, scale
  void parse_memory(X86Operand& operand) {
    operand.kind = X86Operand::Kind::kMemory;
    const std::string_view closing = tokens_.take().is("(") ? ")" : "]";
    parse_base(operand, tokens_.accept("%"));
    while (tokens_.accept("+")) operand.number += tokens_.expect_number("a distance");
    if (tokens_.accept(",")) {
      operand.index = parse_register();
      if (!operand.index) tokens_.fail_expected("a register as index");
      if (tokens_.accept(",")) operand.scale = tokens_.expect_number("the scale of an index");
    }
    tokens_.expect(closing, "behind an address");
  }

  // A register, which must be one if it is marked by '%'; or a variable. What is relative to the instruction
  // pointer has a variable before it.
  void parse_base(X86Operand& operand, bool marked) {
    const Token word = tokens_.peek();
    const bool is_name = word.kind == Token::Kind::kName, has_symbol = !operand.symbol.text.empty();
    const auto reg = is_name ? x86_register(language_, word.text) : std::nullopt;
    if (reg || (has_symbol && same_ignoring_case(word.text, "rip"))) {
      tokens_.take();
      operand.base = reg;
    } else if (marked) {
      fail(word.position, fmt::format("there is no register {}", describe(word)));
    } else if (is_name && !has_symbol) {
      operand.symbol = parse_symbol();
    } else {
      fail(word.position,
           fmt::format("expected a variable or a register as address, found {}", describe(word)));
    }
  }

  TokenReader& tokens_;
  LitmusLanguage language_;
  std::vector<X86Thread> threads_;
};

}  // namespace

std::vector<X86Thread> parse_x86(TokenReader& tokens, LitmusLanguage language) {
  return X86Parser(tokens, language).parse();
}

}  // namespace weir::litmus
