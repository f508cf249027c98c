// One x86 instruction becomes a few instructions of a Program. What other threads can see is exact: an
// instruction that reads and writes memory without a lock is a load and a store, one with a lock (or XCHG,
// which has it always) is one `rmw`, which waits for an empty buffer. MFENCE is a full fence; SFENCE orders
// stores, which matters under PSO only.
//
// Flags are registers ZF, SF, CF and OF of one bit each. They are only computed in threads that ask for them.
// A register has the width of the machine; a name for its lower bits reads and writes these, and in 64-bit
// code writing 32 bits clears the rest.
#include "frontend/litmus/x86_lowering.hpp"

#include <fmt/format.h>

#include "frontend/litmus/thread_builder.hpp"

namespace weir::litmus {

namespace {

constexpr Type kFlag{8, false};

enum Flag : unsigned { kZero = 1, kSignFlag = 2, kCarry = 4, kOverflowFlag = 8 };

unsigned flags_of(X86Condition condition) {
  switch (condition) {
    case X86Condition::kEqual: return kZero;
    case X86Condition::kLess: return kSignFlag | kOverflowFlag;
    case X86Condition::kLessOrEqual: return kZero | kSignFlag | kOverflowFlag;
    case X86Condition::kBelow: return kCarry;
    case X86Condition::kBelowOrEqual: return kCarry | kZero;
    case X86Condition::kSign: return kSignFlag;
    case X86Condition::kOverflow: return kOverflowFlag;
  }
  return 0;
}

bool asks_for_flags(X86Op op) { return op == X86Op::kJumpIf || op == X86Op::kSetIf || op == X86Op::kMoveIf; }

unsigned flags_asked_for(const X86Thread& thread) {
  unsigned flags = 0;
  for (const X86Line& line : thread.lines)
    if (line.instruction && asks_for_flags(line.instruction->op))
      flags |= flags_of(line.instruction->condition);
  return flags;
}

// The binary operation that computes the result of an arithmetic instruction.
ExprOp expression_of(X86Op op) {
  switch (op) {
    case X86Op::kAdd:
    case X86Op::kXadd:
    case X86Op::kInc: return ExprOp::kAdd;
    case X86Op::kSub:
    case X86Op::kDec:
    case X86Op::kNeg:
    case X86Op::kCmp:
    case X86Op::kCmpxchg: return ExprOp::kSub;
    case X86Op::kAnd:
    case X86Op::kTest: return ExprOp::kBitAnd;
    case X86Op::kOr: return ExprOp::kBitOr;
    default: return ExprOp::kBitXor;
  }
}

std::optional<RmwOp> update_of(X86Op op) {
  switch (op) {
    case X86Op::kAdd:
    case X86Op::kXadd:
    case X86Op::kInc: return RmwOp::kAdd;
    case X86Op::kSub:
    case X86Op::kDec: return RmwOp::kSub;
    case X86Op::kAnd: return RmwOp::kBitAnd;
    case X86Op::kOr: return RmwOp::kBitOr;
    case X86Op::kXor:
    case X86Op::kNot: return RmwOp::kBitXor;
    default: return std::nullopt;
  }
}

class ThreadLowering {
 public:
  ThreadLowering(const X86Thread& thread, LitmusLanguage language, Variables& variables, Program& program,
                 FunctionId function)
      : thread_(thread),
        language_(language),
        variables_(variables),
        program_(program),
        code_(program, function),
        flags_(flags_asked_for(thread)) {}

  void run() {
    for (const X86Line& line : thread_.lines) add_labels(line);
    for (const X86Line& line : thread_.lines) {
      for (const Name& label : line.labels) code_.continue_at(labels_.at(label.text), label.position);
      if (line.instruction) lower(*line.instruction);
    }
  }

 private:
  void add_labels(const X86Line& line) {
    for (const Name& label : line.labels)
      if (!labels_.emplace(label.text, code_.new_location(label.position, label.text)).second)
        fail(label.position, fmt::format("a second label '{}' in this thread", label.text));
  }

  void lower(const X86Instruction& i) {
    bits_ = i.bits;
    position_ = i.mnemonic.position;
    if (i.locked) check_lock(i);
    switch (i.op) {
      case X86Op::kMov: return lower_move(i.operands[0], i.operands[1]);
      case X86Op::kLea:
        bits_ = i.operands[0].reg.bits;
        return write_register(i.operands[0].reg, code_.cast(address(i.operands[1]), type()));
      case X86Op::kXchg: return lower_exchange(i);
      case X86Op::kXadd: return lower_exchange_and_add(i);
      case X86Op::kCmpxchg: return lower_compare_and_exchange(i);
      case X86Op::kCmp:
      case X86Op::kTest: return lower_comparison(i);
      case X86Op::kMfence: return code_.emit({.op = Opcode::kFence, .fence = FenceKind::kFull}, position_);
      case X86Op::kSfence:
        return code_.emit({.op = Opcode::kFence, .fence = FenceKind::kStoreStore}, position_);
      case X86Op::kNop: return;
      case X86Op::kJump: return code_.jump(target(i), position_);
      case X86Op::kJumpIf: return code_.branch(condition(i), target(i), position_);
      case X86Op::kSetIf: return write(i.operands[0], code_.cast(condition(i), type()));
      case X86Op::kMoveIf: return lower_conditional_move(i);
      default: return lower_arithmetic(i);
    }
  }

  static void check_lock(const X86Instruction& i) {
    const bool updates = update_of(i.op) || i.op == X86Op::kXchg || i.op == X86Op::kCmpxchg;
    if (updates && i.operands[0].is_memory()) return;
    fail(i.mnemonic.position, fmt::format("'{}' with LOCK is not modelled", i.mnemonic.text),
         "LOCK is for ADD, SUB, AND, OR, XOR, NOT, INC, DEC, XADD, XCHG and CMPXCHG with memory as "
         "destination");
  }

  LocationId target(const X86Instruction& i) const {
    const auto found = labels_.find(i.target.text);
    if (found == labels_.end())
      fail(i.target.position, fmt::format("there is no label '{}' in this thread", i.target.text));
    return found->second;
  }

  // Operands.

  Type type() const { return {bits_, true}; }

  RegisterId whole(const X86Register& reg) {
    return x86_register_of(program_, language_, code_.function(), reg);
  }

  ExprId read_register(const X86Register& reg, Type type) { return code_.cast(code_.read(whole(reg)), type); }

  void write_register(const X86Register& reg, ExprId value) {
    const RegisterId id = whole(reg);
    const Type full = x86_register_type(language_);
    if (bits_ == full.bits) return code_.assign(id, value, position_);
    if (bits_ == 32) return code_.assign(id, code_.cast(code_.cast(value, {32, false}), full), position_);
    const Value mask = (Value{1} << bits_) - 1;
    const ExprId kept = program_.binary(ExprOp::kBitAnd, code_.read(id), code_.number(~mask, full), full);
    const ExprId lower = code_.cast(code_.cast(value, {bits_, false}), full);
    code_.assign(id, program_.binary(ExprOp::kBitOr, kept, lower, full), position_);
  }

  ExprId address(const X86Operand& operand) {
    const auto add = [&](ExprId sum, ExprId term) {
      return sum ? program_.binary(ExprOp::kAdd, sum, term) : term;
    };
    ExprId sum;
    if (!operand.symbol.text.empty()) sum = code_.number(variables_.get(operand.symbol).base, kInt64);
    if (operand.base) sum = add(sum, read_register(*operand.base, kInt64));
    if (operand.index)
      sum = add(sum, program_.binary(ExprOp::kMul, read_register(*operand.index, kInt64),
                                     code_.number(operand.scale, kInt64)));
    if (operand.number != 0 || !sum) sum = add(sum, code_.number(operand.number, kInt64));
    return sum;
  }

  // Accesses of a named variable have its width.
  void check_width(const X86Operand& operand) {
    if (!operand.is_variable()) return;
    const SharedObject& variable = variables_.get(operand.symbol);
    if (variable.type.bits == bits_) return;
    fail(operand.position,
         fmt::format("an access of {} bits to '{}', which has {}", bits_, operand.symbol.text,
                     variable.type.bits),
         "accesses of different sizes to one variable are not modelled");
  }

  RegisterId temporary(const char* name) {
    return code_.find_or_add_register(fmt::format("{}{}", name, bits_), type());
  }

  void load(RegisterId result, const X86Operand& operand, Type as) {
    check_width(operand);
    code_.emit({.op = Opcode::kLoad, .type = as, .result = result, .a = address(operand)}, position_);
  }

  void store(const X86Operand& operand, ExprId value) {
    check_width(operand);
    code_.emit({.op = Opcode::kStore, .type = type(), .a = address(operand), .b = value}, position_);
  }

  // The old value is in the register `old` afterwards, if that is given.
  void update(const X86Operand& operand, RmwOp op, ExprId value, RegisterId old = {}, ExprId expected = {}) {
    check_width(operand);
    code_.emit({.op = Opcode::kRmw,
                .order = Order::kSequential,
                .rmw = op,
                .type = type(),
                .result = old,
                .a = address(operand),
                .b = value,
                .c = expected},
               position_);
  }

  ExprId read(const X86Operand& operand) {
    switch (operand.kind) {
      case X86Operand::Kind::kRegister: return read_register(operand.reg, type());
      case X86Operand::Kind::kNumber:
        return code_.number(
            operand.symbol.text.empty() ? operand.number : variables_.get(operand.symbol).base, type());
      case X86Operand::Kind::kMemory: break;
    }
    const RegisterId loaded = temporary("loaded");
    load(loaded, operand, type());
    return code_.read(loaded);
  }

  void write(const X86Operand& operand, ExprId value) {
    if (operand.is_memory()) return store(operand, value);
    write_register(operand.reg, value);
  }

  // Instructions.

  void lower_move(const X86Operand& to, const X86Operand& from) {
    const Type full = x86_register_type(language_);
    const bool fills = to.is_register() && (bits_ == full.bits || bits_ == 32);
    if (from.is_memory() && fills) return load(whole(to.reg), from, {bits_, bits_ == full.bits});
    write(to, read(from));
  }

  void lower_exchange(const X86Instruction& i) {
    const RegisterId old = temporary("old");
    if (i.operands[0].is_memory())
      update(i.operands[0], RmwOp::kExchange, read(i.operands[1]), old);
    else
      code_.assign(old, read(i.operands[0]), position_);
    if (!i.operands[0].is_memory()) write(i.operands[0], read(i.operands[1]));
    write(i.operands[1], code_.read(old));
  }

  void lower_exchange_and_add(const X86Instruction& i) {
    const RegisterId old = temporary("old");
    const ExprId added = read(i.operands[1]);
    if (i.locked) {
      update(i.operands[0], RmwOp::kAdd, added, old);
      set_flags(i.op, code_.read(old), added);
    } else {
      code_.assign(old, read(i.operands[0]), position_);
      set_flags(i.op, code_.read(old), added);
      write(i.operands[0], program_.binary(ExprOp::kAdd, code_.read(old), added, type()));
    }
    write(i.operands[1], code_.read(old));
  }

  // Compares the accumulator with the destination: if they are equal the source goes there, else the
  // destination to the accumulator.
  void lower_compare_and_exchange(const X86Instruction& i) {
    const X86Register accumulator = *x86_register(language_, accumulator_name());
    const RegisterId old = temporary("old"), expected = temporary("expected");
    code_.assign(expected, read_register(accumulator, type()), position_);
    const LocationId different = code_.new_location(position_), end = code_.new_location(position_);
    if (i.locked)
      update(i.operands[0], RmwOp::kCompareExchange, read(i.operands[1]), old, code_.read(expected));
    else
      code_.assign(old, read(i.operands[0]), position_);
    set_flags(i.op, code_.read(expected), code_.read(old));
    code_.branch(program_.binary(ExprOp::kNe, code_.read(old), code_.read(expected)), different, position_);
    if (!i.locked) write(i.operands[0], read(i.operands[1]));
    code_.jump(end, position_);
    code_.continue_at(different, position_);
    write_register(accumulator, code_.read(old));
    code_.continue_at(end, position_);
  }

  std::string_view accumulator_name() const {
    switch (bits_) {
      case 8: return "al";
      case 16: return "ax";
      case 32: return "eax";
      default: return "rax";
    }
  }

  void lower_comparison(const X86Instruction& i) {
    const ExprId left = read(i.operands[0]);
    set_flags(i.op, left, read(i.operands[1]));
  }

  void lower_conditional_move(const X86Instruction& i) {
    const ExprId value = read(i.operands[1]);  // memory is read in any case
    const ExprId old = read(i.operands[0]);
    write(i.operands[0],
          program_.add_expression(
              {.op = ExprOp::kSelect, .type = type(), .a = condition(i), .b = value, .c = old}));
  }

  // The second operand of INC, DEC, NEG and NOT goes without saying. NEG is 0 - a.
  void lower_arithmetic(const X86Instruction& i) {
    const ExprId right = i.operands.size() == 2 ? read(i.operands[1])
                         : i.op == X86Op::kNot  ? code_.number(-1, type())
                                                : code_.number(1, type());
    if (i.locked) {
      const RegisterId old = sets_flags(i.op) ? temporary("old") : RegisterId();
      update(i.operands[0], *update_of(i.op), right, old);
      if (old) set_flags(i.op, code_.read(old), right);
      return;
    }
    const ExprId left = read(i.operands[0]);
    const bool negates = i.op == X86Op::kNeg;
    const ExprId a = negates ? code_.number(0, type()) : left, b = negates ? left : right;
    set_flags(i.op, a, b);
    write(i.operands[0], program_.binary(expression_of(i.op), a, b, type()));
  }

  // Flags.

  bool sets_flags(X86Op op) const { return flags_ != 0 && op != X86Op::kNot; }

  RegisterId flag(const char* name) { return code_.find_or_add_register(name, kFlag); }

  void set_flag(Flag which, const char* name, ExprId value) {
    if (flags_ & which) code_.assign(flag(name), value, position_);
  }

  // The flags after the operation of `op` on two operands, none of which is overwritten yet.
  void set_flags(X86Op op, ExprId a, ExprId b) {
    if (!sets_flags(op)) return;
    const ExprOp operation = expression_of(op);
    const ExprId result = program_.binary(operation, a, b, type()), zero = code_.number(0, type());
    set_flag(kZero, "ZF", program_.binary(ExprOp::kEq, result, zero, kFlag));
    set_flag(kSignFlag, "SF", program_.binary(ExprOp::kLt, result, zero, kFlag));
    set_flag(kOverflowFlag, "OF", overflow(operation, a, b, result));
    if (op != X86Op::kInc && op != X86Op::kDec) set_flag(kCarry, "CF", carry(operation, a, b, result));
  }

  // Both operands of an addition differ in sign from the result; in a subtraction, the second one agrees.
  ExprId overflow(ExprOp operation, ExprId a, ExprId b, ExprId result) {
    if (operation != ExprOp::kAdd && operation != ExprOp::kSub) return code_.number(0, kFlag);
    const auto differ = [&](ExprId x, ExprId y) { return program_.binary(ExprOp::kBitXor, x, y, type()); };
    const ExprId second = operation == ExprOp::kAdd ? differ(b, result) : differ(a, b);
    const ExprId both = program_.binary(ExprOp::kBitAnd, differ(a, result), second, type());
    return program_.binary(ExprOp::kLt, both, code_.number(0, type()), kFlag);
  }

  ExprId carry(ExprOp operation, ExprId a, ExprId b, ExprId result) {
    if (operation != ExprOp::kAdd && operation != ExprOp::kSub) return code_.number(0, kFlag);
    const Type bare{bits_, false};
    const ExprId left = operation == ExprOp::kAdd ? result : a, right = operation == ExprOp::kAdd ? a : b;
    return program_.binary(ExprOp::kLt, code_.cast(left, bare), code_.cast(right, bare), kFlag);
  }

  ExprId condition(const X86Instruction& i) {
    const ExprId positive = condition(i.condition);
    return i.negated ? program_.unary(ExprOp::kLogicalNot, positive) : positive;
  }

  ExprId condition(X86Condition condition) {
    const auto value = [&](const char* name) { return code_.read(flag(name)); };
    const auto less = [&] { return program_.binary(ExprOp::kNe, value("SF"), value("OF")); };
    switch (condition) {
      case X86Condition::kEqual: return value("ZF");
      case X86Condition::kLess: return less();
      case X86Condition::kLessOrEqual: {
        const ExprId zero = value("ZF");
        return program_.binary(ExprOp::kLogicalOr, zero, less());
      }
      case X86Condition::kBelow: return value("CF");
      case X86Condition::kBelowOrEqual: {
        const ExprId zero = value("ZF");
        return program_.binary(ExprOp::kLogicalOr, zero, value("CF"));
      }
      case X86Condition::kSign: return value("SF");
      case X86Condition::kOverflow: return value("OF");
    }
    throw InternalError("a condition of no flags");
  }

  const X86Thread& thread_;
  LitmusLanguage language_;
  Variables& variables_;
  Program& program_;
  ThreadBuilder code_;
  unsigned flags_;
  std::map<std::string, LocationId> labels_;
  std::uint8_t bits_ = 0;  // of the current instruction
  SourcePosition position_;
};

}  // namespace

std::map<std::string, Type> accessed_types(const std::vector<X86Thread>& threads) {
  std::map<std::string, Type> types;
  for (const X86Thread& thread : threads)
    for (const X86Line& line : thread.lines) {
      if (!line.instruction || line.instruction->op == X86Op::kLea) continue;
      for (const X86Operand& operand : line.instruction->operands)
        if (operand.is_variable()) types.emplace(operand.symbol.text, Type{line.instruction->bits, true});
    }
  return types;
}

RegisterId x86_register_of(Program& program, LitmusLanguage language, FunctionId function,
                           const X86Register& reg) {
  if (const auto found = program.find_register(function, reg.whole)) return *found;
  return program.add_register(function, reg.whole, x86_register_type(language));
}

void lower_x86(const std::vector<X86Thread>& threads, LitmusLanguage language, Variables& variables,
               Program& program) {
  for (std::size_t t = 0; t < threads.size(); ++t)
    ThreadLowering(threads[t], language, variables, program, program.threads[t].function).run();
}

}  // namespace weir::litmus
