// x86 code as syntax, whichever of the two notations it was written in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/litmus/litmus.hpp"
#include "frontend/litmus/syntax.hpp"

namespace weir::litmus {

// A register, or the lower bits of one.
struct X86Register {
  std::string whole;  // the name of the full register: EAX, rax
  std::string name;   // as it is shown
  std::uint8_t bits = 0;
};

// By name, in any case of letters; nothing if the processor has none of that name, or if it is not modelled.
std::optional<X86Register> x86_register(LitmusLanguage language, std::string_view name);
// The type of full registers.
Type x86_register_type(LitmusLanguage language);

enum class X86Op : std::uint8_t {
  kMov,
  kLea,
  kXchg,
  kXadd,
  kCmpxchg,
  kAdd,
  kSub,
  kAnd,
  kOr,
  kXor,
  kInc,
  kDec,
  kNeg,
  kNot,
  kCmp,
  kTest,
  kMfence,
  kSfence,
  kNop,  // lfence and pause, too: loads stay in order anyway
  kJump,
  kJumpIf,
  kSetIf,
  kMoveIf,
};

// What a conditional instruction asks of the flags.
enum class X86Condition : std::uint8_t {
  kEqual,
  kLess,
  kLessOrEqual,
  kBelow,
  kBelowOrEqual,
  kSign,
  kOverflow,
};

struct X86Operand {
  enum class Kind : std::uint8_t { kRegister, kNumber, kMemory };

  Kind kind = Kind::kNumber;
  X86Register reg;   // kRegister
  Value number = 0;  // kNumber; kMemory: the displacement
  Name symbol;       // kNumber: the address of this variable; kMemory: relative to it
  std::optional<X86Register> base, index;
  Value scale = 1;
  SourcePosition position;

  bool is_memory() const { return kind == Kind::kMemory; }
  bool is_register() const { return kind == Kind::kRegister; }
  // The variable that it names, if it is memory at no other address.
  bool is_variable() const { return is_memory() && !symbol.text.empty() && !base && !index && number == 0; }
};

struct X86Instruction {
  X86Op op = X86Op::kNop;
  X86Condition condition = X86Condition::kEqual;
  bool negated = false;              // the condition
  bool locked = false;               // by a prefix
  std::uint8_t bits = 0;             // of what it works on; 0 only if it has no operands
  std::vector<X86Operand> operands;  // the destination first
  Name target;                       // of a jump
  Name mnemonic;
};

struct X86Line {
  std::vector<Name> labels;
  std::optional<X86Instruction> instruction;
};

struct X86Thread {
  SourcePosition position;
  std::vector<X86Line> lines;
};

}  // namespace weir::litmus
