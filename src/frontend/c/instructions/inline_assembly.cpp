// The statements are executed on symbolic registers: each placeholder that is a register, and each register
// with a name, has a slot that holds an expression; the flags hold expressions, too. Accesses to memory are
// emitted as they come. What the outputs hold at the end is the value of the call.
#include "frontend/c/instructions/inline_assembly.hpp"

#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <map>

#include "frontend/c/instructions/inline_assembly_text.hpp"
#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

struct Flags {
  std::optional<ExprId> zero, carry, sign;
};

class Assembly {
 public:
  Assembly(FunctionLowering& lowering, const llvm::CallBase& call)
      : lowering_(lowering), emitter_(lowering.emitter), build_(lowering.build), call_(call) {}

  // False if something is not understood; what was emitted until then is no harm in a program that is
  // refused.
  bool run(const llvm::InlineAsm& source) {
    const auto statements = parse_assembly(source.getAsmString());
    if (!statements || !bind(source.ParseConstraints())) return false;
    for (const AssemblyStatement& statement : *statements)
      if (!execute(statement)) return false;
    return set_results();
  }

 private:
  enum class Role : std::uint8_t { kRegister, kMemory, kFlag };
  struct Binding {
    Role role = Role::kRegister;
    std::string slot;     // kRegister: where its value is; kFlag: the condition
    Type type{0, false};  // of the register, or of the memory if it is a scalar
    ExprId address;       // kMemory
    bool is_output = false;
  };
  struct Target {  // what an operand of a statement denotes
    bool is_memory = false;
    ExprId address;
    std::string slot;
    std::optional<ExprId> immediate;
    Type type{0, false};  // 0 bits: not known by itself
  };

  // --- Operands of the asm statement

  bool bind(const llvm::InlineAsm::ConstraintInfoVector& constraints) {
    const auto outputs = call_.getType()->isVoidTy()
                             ? std::vector<Leaf>{}
                             : lowering_.leaves(call_.getType()).value_or(std::vector<Leaf>{});
    std::size_t next_output = 0;
    unsigned next_argument = 0;
    for (const auto& constraint : constraints) {
      if (constraint.Type == llvm::InlineAsm::isClobber) continue;
      if (constraint.Type == llvm::InlineAsm::isLabel || constraint.Codes.empty()) return false;
      const bool is_output = constraint.Type == llvm::InlineAsm::isOutput;
      Binding binding{.slot = fmt::format("${}", bindings_.size()), .is_output = is_output};
      const std::string code = constraint.Codes.front();
      if (code.starts_with("{")) {
        const std::string name = code.substr(1, code.size() - 2);
        if (name.starts_with("@cc")) {
          binding.role = Role::kFlag;
          binding.slot = name.substr(3);
        } else {
          const auto reg = parse_register(name);
          if (!reg) return false;
          binding.slot = reg->name;
        }
      }
      if (constraint.isIndirect) {
        if (!bind_memory(next_argument++, binding)) return false;
      } else if (is_output) {
        if (next_output >= outputs.size()) return false;
        binding.type = unsigned_type(outputs[next_output++].type);
      } else {
        bind_input(next_argument++, code, binding);
      }
      bindings_.push_back(std::move(binding));
    }
    return true;
  }

  Type unsigned_type(const llvm::Type* type) const {
    const Type cell = cell_type(type, lowering_.data()).value_or(kAddress);
    return {cell.bits, false};
  }

  bool bind_memory(unsigned argument, Binding& binding) {
    llvm::Type* type = call_.getParamElementType(argument);
    if (type == nullptr) return false;
    binding.role = Role::kMemory;
    if (scalar_type(type)) binding.type = unsigned_type(type);
    binding.address = emitter_.in_register(lowering_.use(*call_.getArgOperand(argument)));
    return true;
  }

  // An input that is tied to an output shares its slot.
  void bind_input(unsigned argument, const std::string& code, Binding& binding) {
    const llvm::Value& value = *call_.getArgOperand(argument);
    binding.type = unsigned_type(value.getType());
    const bool tied = !code.empty() && code.find_first_not_of("0123456789") == std::string::npos;
    if (tied) binding.slot = bindings_.at(std::stoul(code)).slot;
    slots_[binding.slot] = emitter_.in_register(
        build_.cast(lowering_.as_stored(lowering_.use(value), *value.getType()), binding.type));
  }

  bool set_results() {
    Scalars results;
    const auto outputs = call_.getType()->isVoidTy()
                             ? std::vector<Leaf>{}
                             : lowering_.leaves(call_.getType()).value_or(std::vector<Leaf>{});
    for (const Binding& binding : bindings_) {
      if (!binding.is_output || binding.role == Role::kMemory) continue;
      const auto value = binding.role == Role::kFlag ? condition(binding.slot) : slot(binding.slot);
      if (!value || results.size() >= outputs.size()) return false;
      const llvm::Type& type = *outputs[results.size()].type;
      results.push_back(build_.cast(lowering_.as_loaded(*value, type), *scalar_type(&type)));
    }
    if (!results.empty()) lowering_.define(call_, std::move(results));
    return true;
  }

  std::optional<ExprId> slot(const std::string& name) const {
    const auto found = slots_.find(name);
    return found == slots_.end() ? std::nullopt : std::optional(found->second);
  }

  // --- Operands of one statement

  std::optional<Target> target(const AssemblyOperand& operand) {
    switch (operand.kind) {
      case AssemblyOperand::Kind::kImmediate:
        return Target{.immediate = build_.constant(operand.value, kAddress)};
      case AssemblyOperand::Kind::kRegister:
        return Target{.slot = operand.reg, .type = {static_cast<std::uint8_t>(operand.bits), false}};
      case AssemblyOperand::Kind::kIndirect: return indirect(operand);
      case AssemblyOperand::Kind::kPlaceholder: break;
    }
    if (operand.number >= bindings_.size()) return std::nullopt;
    const Binding& binding = bindings_[operand.number];
    if (binding.role == Role::kFlag) return std::nullopt;
    Type type = binding.type;
    if (operand.bits != 0) type.bits = static_cast<std::uint8_t>(operand.bits);
    if (binding.role == Role::kMemory)
      return Target{.is_memory = true, .address = binding.address, .type = type};
    return Target{.slot = binding.slot, .type = type};
  }

  std::optional<Target> indirect(const AssemblyOperand& operand) {
    std::string name = operand.reg;
    if (name.empty()) {
      if (operand.number >= bindings_.size() || bindings_[operand.number].role != Role::kRegister)
        return std::nullopt;
      name = bindings_[operand.number].slot;
    }
    const auto base = slot(name);
    if (!base) return std::nullopt;
    return Target{
        .is_memory = true,
        .address = build_.plus(build_.cast(lowering_.pointer_of_word(*base), kAddress), operand.value)};
  }

  ExprId read(const Target& source, Type type) {
    if (source.immediate) return build_.cast(*source.immediate, type);
    if (source.is_memory) return emitter_.value_of(emitter_.load(source.address, type, {.plain = false}));
    return build_.cast(slot(source.slot).value_or(build_.constant(0, type)), type);
  }

  bool is_known(const Target& source) const {
    return source.immediate || source.is_memory || slots_.contains(source.slot);
  }

  // Narrow writes to a register keep nothing of what was above: the outputs are as wide as they are.
  void write(const Target& place, ExprId value, Type type) {
    if (place.is_memory) return emitter_.store(place.address, value, type, {.plain = false});
    slots_[place.slot] = emitter_.in_register(value);
  }

  // --- Statements

  // Without the letter for the width, and the width.
  struct Operation {
    std::string name;
    Type type{0, false};
  };

  static Operation operation_of(const std::string& mnemonic) {
    static constexpr std::string_view kNames[] = {"mov", "add",  "sub",  "and",     "or",  "xor", "inc",
                                                  "dec", "xadd", "xchg", "cmpxchg", "bts", "btr", "btc",
                                                  "bt",  "sbb",  "test", "cmp",     "neg"};
    for (const std::string_view name : kNames) {
      if (mnemonic == name) return {mnemonic, {0, false}};
      if (mnemonic.size() != name.size() + 1 || !mnemonic.starts_with(name)) continue;
      switch (mnemonic.back()) {
        case 'b': return {std::string(name), {8, false}};
        case 'w': return {std::string(name), {16, false}};
        case 'l': return {std::string(name), {32, false}};
        case 'q': return {std::string(name), {64, false}};
        default: break;
      }
    }
    return {mnemonic, {0, false}};
  }

  bool execute(const AssemblyStatement& statement) {
    const std::string& word = statement.mnemonic;
    if (word == "pause" || word == "nop" || word == "lfence") return statement.operands.empty();
    if (word == "mfence" || word == "sfence") {
      const FenceKind kind = word == "mfence" ? FenceKind::kFull : FenceKind::kStoreStore;
      emitter_.emit({.op = Opcode::kFence, .fence = kind});
      return statement.operands.empty();
    }
    if (is_stack_fence(statement)) {
      emitter_.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
      return true;
    }
    if (word.starts_with("set") && statement.operands.size() == 1) return set_condition(statement);
    if (word == "cpuid" && statement.operands.empty()) return identify();
    std::vector<Target> operands;
    for (const AssemblyOperand& operand : statement.operands) {
      const auto found = target(operand);
      if (!found) return false;
      operands.push_back(*found);
    }
    if (word == "cmpxchg16b" || word == "cmpxchg8b")
      return operands.size() == 1 &&
             compare_exchange_pair(operands[0], word == "cmpxchg16b" ? 64 : 32, statement.locked);
    Operation operation = operation_of(word);
    // A register says how wide the operation is; what C says about memory does not matter to the assembler.
    for (const bool of_memory : {false, true})
      for (const Target& operand : operands)
        if (operation.type.bits == 0 && operand.type.bits != 0 && operand.is_memory == of_memory)
          operation.type = operand.type;
    if (operation.type.bits == 0) return false;
    if (operands.size() == 1) return unary(operation, operands[0], statement.locked);
    if (operands.size() == 2) return binary(operation, operands[0], operands[1], statement.locked);
    return false;
  }

  // "lock; addl $0, 0(%rsp)" changes nothing that anybody sees, but drains the buffer.
  static bool is_stack_fence(const AssemblyStatement& s) {
    const std::string name = operation_of(s.mnemonic).name;
    return s.locked && (name == "add" || name == "or") && s.operands.size() == 2 &&
           s.operands[0].kind == AssemblyOperand::Kind::kImmediate && s.operands[0].value == 0 &&
           s.operands[1].kind == AssemblyOperand::Kind::kIndirect && s.operands[1].reg == "sp";
  }

  bool set_condition(const AssemblyStatement& statement) {
    const auto place = target(statement.operands[0]);
    const auto value = condition(statement.mnemonic.substr(3));
    if (!place || !value) return false;
    write(*place, build_.cast(*value, {8, false}), {8, false});
    return true;
  }

  std::optional<ExprId> condition(std::string name) {
    const bool inverted = name.starts_with("n") && name != "n";
    if (inverted) name = name.substr(1);
    std::optional<ExprId> value;
    if (name == "e" || name == "z") value = flags_.zero;
    if (name == "c" || name == "b") value = flags_.carry;
    if (name == "s") value = flags_.sign;
    if (name == "ae" && !inverted && flags_.carry) return build_.negation(*flags_.carry);
    if (value && inverted) return build_.negation(*value);
    return value;
  }

  bool unary(const Operation& operation, const Target& place, bool locked) {
    const ExprId one = build_.constant(1, operation.type);
    if (operation.name == "inc") return update("add", place, one, operation.type, locked, false);
    if (operation.name == "dec") return update("sub", place, one, operation.type, locked, false);
    return false;
  }

  // AT&T: source first.
  bool binary(const Operation& operation, const Target& source, const Target& place, bool locked) {
    const Type type = operation.type;
    const std::string& name = operation.name;
    if (!is_known(source) && name != "sbb" && name != "xor") return false;
    if (name == "mov") {
      if (locked || (source.is_memory && place.is_memory)) return false;
      write(place, read(source, type), type);
      return true;
    }
    if (name == "xchg") return exchange(source, place, type);
    if (name == "xadd") return exchange_and_add(source, place, type, locked);
    if (name == "cmpxchg") return compare_exchange(source, place, type, locked);
    if (name == "sbb" || name == "xor")
      if (!source.immediate && !source.is_memory && !place.is_memory && source.slot == place.slot)
        return clear_or_spread(name, place, type);
    if (name == "bt" || name == "bts" || name == "btr" || name == "btc")
      return bit(name, source, place, type, locked);
    if (name == "test" || name == "cmp") return compare(name, source, place, type);
    if (name == "add" || name == "sub" || name == "and" || name == "or" || name == "xor")
      return update(name, place, read(source, type), type, locked, true);
    return false;
  }

  // sbb r,r: all bits are the carry; xor r,r: 0.
  bool clear_or_spread(const std::string& name, const Target& place, Type type) {
    if (name == "sbb" && !flags_.carry) return false;
    const ExprId zero = build_.constant(0, type);
    write(place, name == "xor" ? zero : build_.select(*flags_.carry, build_.constant(-1, type), zero), type);
    return true;
  }

  ExprId rmw(RmwOp op, const Target& place, ExprId operand, Type type, ExprId expected = {}) {
    const RegisterId old = emitter_.fresh(type);
    emitter_.emit({.op = Opcode::kRmw,
                   .order = Order::kSequential,
                   .rmw = op,
                   .type = type,
                   .result = old,
                   .a = place.address,
                   .b = operand,
                   .c = expected});
    return emitter_.value_of(old);
  }

  bool update(const std::string& name, const Target& place, ExprId operand, Type type, bool locked,
              bool sets_carry) {
    if (!is_known(place) || (locked && !place.is_memory)) return false;
    operand = emitter_.in_register(operand);
    const auto [op, rmw_op] = operators(name);
    const ExprId old = locked ? rmw(rmw_op, place, operand, type) : emitter_.in_register(read(place, type));
    const ExprId result = emitter_.in_register(build_.binary(op, old, operand));
    if (!locked) write(place, result, type);
    set_flags(result, type);
    flags_.carry.reset();
    if (sets_carry && name == "add") flags_.carry = build_.compare(ExprOp::kLt, result, old);
    if (sets_carry && name == "sub") flags_.carry = build_.compare(ExprOp::kLt, old, operand);
    if (name == "and" || name == "or" || name == "xor") flags_.carry = build_.constant(0, kBool);
    return true;
  }

  static std::pair<ExprOp, RmwOp> operators(const std::string& name) {
    if (name == "add") return {ExprOp::kAdd, RmwOp::kAdd};
    if (name == "sub") return {ExprOp::kSub, RmwOp::kSub};
    if (name == "and") return {ExprOp::kBitAnd, RmwOp::kBitAnd};
    if (name == "or") return {ExprOp::kBitOr, RmwOp::kBitOr};
    return {ExprOp::kBitXor, RmwOp::kBitXor};
  }

  void set_flags(ExprId result, Type type) {
    flags_.zero = build_.compare(ExprOp::kEq, result, build_.constant(0, type));
    flags_.sign = build_.compare(ExprOp::kLt, build_.cast(result, {type.bits, true}),
                                 build_.constant(0, {type.bits, true}));
  }

  // With memory it is locked, whatever the prefix says.
  bool exchange(Target a, Target b, Type type) {
    if (a.is_memory) std::swap(a, b);
    if (a.is_memory || a.immediate || b.immediate || !is_known(a) || !is_known(b)) return false;
    const ExprId given = emitter_.in_register(read(a, type));
    const ExprId old =
        b.is_memory ? rmw(RmwOp::kExchange, b, given, type) : emitter_.in_register(read(b, type));
    if (!b.is_memory) write(b, given, type);
    write(a, old, type);
    return true;
  }

  bool exchange_and_add(const Target& source, const Target& place, Type type, bool locked) {
    if (source.is_memory || source.immediate || !place.is_memory || !locked) return false;
    const ExprId added = emitter_.in_register(read(source, type));
    const ExprId old = rmw(RmwOp::kAdd, place, added, type);
    set_flags(build_.binary(ExprOp::kAdd, old, added), type);
    flags_.carry.reset();
    write(source, old, type);
    return true;
  }

  bool compare_exchange(const Target& source, const Target& place, Type type, bool locked) {
    const auto accumulator = slot("a");
    if (!accumulator || !place.is_memory || !locked) return false;
    const ExprId expected = emitter_.in_register(build_.cast(*accumulator, type));
    const ExprId old = rmw(RmwOp::kCompareExchange, place, read(source, type), type, expected);
    flags_ = {};
    flags_.zero = build_.compare(ExprOp::kEq, old, expected);
    slots_["a"] = old;
    return true;
  }

  // Two words side by side are compared with d:a; if they are equal, c:b is stored, otherwise d:a becomes what is there.
  bool compare_exchange_pair(const Target& place, unsigned bits, bool locked) {
    if (!place.is_memory || !locked) return false;
    for (const char* name : {"a", "b", "c", "d"})
      if (!slots_.contains(name)) return false;
    const Type word{static_cast<std::uint8_t>(bits), false};
    if (bits == 64)
      emitter_.require(
          build_.compare(ExprOp::kEq, build_.binary(ExprOp::kBitAnd, place.address, build_.address(15)),
                         build_.address(0)),
          "cmpxchg16b is given memory that is not aligned to 16 bytes");
    const ExprId second = build_.plus(place.address, bits / 8);
    const auto in_word = [&](const char* name) {
      return emitter_.in_register(build_.cast(slots_[name], word));
    };
    const ExprId low = in_word("a"), high = in_word("d"), new_low = in_word("b"), new_high = in_word("c");
    const AccessKind reads{.order = Order::kAcquire, .plain = false},
        writes{.order = Order::kRelease, .plain = false};
    ExprId old_low, old_high, equal;
    lowering_.atomically("compares and exchanges", [&] {
      old_low = emitter_.value_of(emitter_.load(place.address, word, reads));
      old_high = emitter_.value_of(emitter_.load(second, word, reads));
      equal = emitter_.in_register(build_.both(build_.compare(ExprOp::kEq, old_low, low),
                                               build_.compare(ExprOp::kEq, old_high, high)));
      emitter_.when(equal, [&] {
        emitter_.store(place.address, new_low, word, writes);
        emitter_.store(second, new_high, word, writes);
      });
    });
    flags_ = {};
    flags_.zero = equal;
    slots_["a"] = old_low;
    slots_["d"] = old_high;
    return true;
  }

  // It drains the buffer. What it tells about the processor is not followed.
  bool identify() {
    emitter_.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
    for (const char* name : {"a", "b", "c", "d"}) slots_[name] = build_.constant(0, {32, false});
    if (lowering_.plan.used(call_)) lowering_.module.restrict("cpuid gives zeros");
    return true;
  }

  // A bit of memory by a number in a register may be far away; a constant counts within the word.
  bool bit(const std::string& name, const Target& source, Target place, Type type, bool locked) {
    if (source.is_memory || !is_known(place) || (locked && !place.is_memory)) return false;
    const Type index_type{type.bits, true};
    const ExprId index = emitter_.in_register(build_.cast(read(source, type), index_type));
    if (place.is_memory && !source.immediate) {
      const int shift = type.bits == 64 ? 6 : type.bits == 32 ? 5 : 4;
      const ExprId words = build_.binary(ExprOp::kShr, index, build_.constant(shift, index_type));
      const ExprId bytes =
          build_.binary(ExprOp::kMul, build_.cast(words, kAddress), build_.address(type.bits / 8));
      place.address = emitter_.in_register(build_.binary(ExprOp::kAdd, place.address, bytes));
    }
    const ExprId within =
        build_.binary(ExprOp::kBitAnd, build_.as_unsigned(index), build_.constant(type.bits - 1, type));
    const ExprId mask = emitter_.in_register(build_.binary(ExprOp::kShl, build_.constant(1, type), within));
    const ExprId operand = name == "btr" ? build_.unary(ExprOp::kBitNot, mask) : mask;
    const std::string change = name == "bts" ? "or" : name == "btr" ? "and" : "xor";
    const auto [op, rmw_op] = operators(change);
    const ExprId old = locked ? rmw(rmw_op, place, operand, type) : emitter_.in_register(read(place, type));
    if (!locked && name != "bt") write(place, build_.binary(op, old, operand), type);
    flags_ = {};
    flags_.carry =
        build_.compare(ExprOp::kNe, build_.binary(ExprOp::kBitAnd, old, mask), build_.constant(0, type));
    return true;
  }

  bool compare(const std::string& name, const Target& source, const Target& place, Type type) {
    if (!is_known(place)) return false;
    const ExprId a = emitter_.in_register(read(place, type)), b = emitter_.in_register(read(source, type));
    set_flags(build_.binary(name == "cmp" ? ExprOp::kSub : ExprOp::kBitAnd, a, b), type);
    flags_.carry = name == "cmp" ? build_.compare(ExprOp::kLt, a, b) : build_.constant(0, kBool);
    return true;
  }

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  const llvm::CallBase& call_;
  std::vector<Binding> bindings_;
  std::map<std::string, ExprId> slots_;
  Flags flags_;
};

}  // namespace

void lower_inline_assembly(FunctionLowering& lowering, const llvm::CallBase& call) {
  const auto& source = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (Assembly(lowering, call).run(source)) return;
  lowering.unsupported(call, fmt::format("inline assembly \"{}\" is not supported", source.getAsmString()),
                       "fences, locked instructions, xchg and mov are; or use <stdatomic.h>");
}

}  // namespace weir::c
