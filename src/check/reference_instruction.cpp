// The instructions of a program, one by one, as the table of docs/semantics.md has them: first the conditions
// on lock and buffer, then all expressions, then the effect.
#include "check/reference_instruction.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "check/reference_evaluator.hpp"

namespace weir {

namespace {

Value wrapped(Value value, Type type) { return wrap(static_cast<std::uint64_t>(value), type); }

struct Operands {
  Value a = 0, b = 0, c = 0;
  std::vector<Value> arguments;
};

class InstructionRun {
 public:
  InstructionRun(const Program& program, Model model, ReferenceState& state, ThreadId thread, EdgeId edge,
                 Value chosen, bool in_block, Execution& result)
      : program_(program),
        model_(model),
        state_(state),
        thread_(thread),
        edge_id_(edge),
        edge_(program.edge(edge)),
        instruction_(edge_.instruction),
        chosen_(chosen),
        in_block_(in_block),
        result_(result) {}

  void run() {
    result_.step = {.thread = thread_, .kind = WitnessStep::Kind::kInstruction, .edge = edge_id_};
    result_.obstacle = obstacle();
    if (result_.obstacle != nullptr) return;
    if (const std::optional<Operands> operands = evaluate_operands())
      perform(*operands);
    else
      fail(ViolationKind::kAssertion, "division by zero");
  }

 private:
  // Conditions on lock, buffer and block.

  const char* obstacle() const {
    switch (instruction_.op) {
      case Opcode::kLoad: return foreign_lock();
      case Opcode::kStore: return goes_to_buffer() ? nullptr : first(foreign_lock(), stores_pending());
      case Opcode::kRmw: return first(foreign_lock(), stores_pending());
      case Opcode::kFence: return instruction_.fence == FenceKind::kFull ? stores_pending() : nullptr;
      case Opcode::kLock: return first(block_open(), first(stores_pending(), lock_taken()));
      case Opcode::kUnlock: return first(block_open(), first(stores_pending(), lock_not_own()));
      case Opcode::kAtomicBegin: return first(block_open(), first(foreign_lock(), stores_pending()));
      case Opcode::kAtomicEnd: return in_block_ ? nullptr : "no atomic block is open";
      default: return nullptr;
    }
  }

  static const char* first(const char* one, const char* other) { return one != nullptr ? one : other; }

  const char* foreign_lock() const {
    return !state_.lock || *state_.lock == thread_ ? nullptr : "another thread holds the lock";
  }
  const char* lock_taken() const { return state_.lock ? "the lock is taken" : nullptr; }
  const char* lock_not_own() const {
    return state_.lock == thread_ ? nullptr : "the thread does not hold the lock";
  }
  const char* stores_pending() const { return buffer().empty() ? nullptr : "its buffer is not empty"; }
  const char* block_open() const { return in_block_ ? "it is inside an atomic block" : nullptr; }

  bool goes_to_buffer() const {
    return model_ != Model::kSc && !in_block_ && instruction_.order != Order::kSequential;
  }

  // Operands.

  std::optional<Operands> evaluate_operands() const {
    Operands operands;
    if (uses_a() && !evaluate_into(instruction_.a, operands.a)) return std::nullopt;
    if (uses_b() && !evaluate_into(instruction_.b, operands.b)) return std::nullopt;
    if (uses_c() && !evaluate_into(instruction_.c, operands.c)) return std::nullopt;
    if (instruction_.op == Opcode::kCall)
      for (const ExprId argument : instruction_.arguments)
        if (!evaluate_into(argument, operands.arguments.emplace_back())) return std::nullopt;
    return operands;
  }

  bool uses_a() const {
    switch (instruction_.op) {
      case Opcode::kAssign:
      case Opcode::kAssume:
      case Opcode::kAssert:
      case Opcode::kLoad:
      case Opcode::kStore:
      case Opcode::kRmw: return true;
      case Opcode::kReturn: return instruction_.a.valid();
      default: return false;
    }
  }
  bool uses_b() const { return instruction_.op == Opcode::kStore || instruction_.op == Opcode::kRmw; }
  bool uses_c() const {
    return instruction_.op == Opcode::kRmw && instruction_.rmw == RmwOp::kCompareExchange;
  }

  bool evaluate_into(ExprId id, Value& value) const {
    const auto read_leaf = [this](const Expression& leaf) { return read_register(activation(), leaf); };
    const std::optional<Value> result = evaluate(program_, id, read_leaf);
    if (result) value = *result;
    return result.has_value();
  }

  // Effects.

  void perform(const Operands& operands) {
    switch (instruction_.op) {
      case Opcode::kNop:
      case Opcode::kAtomicBegin:
      case Opcode::kAtomicEnd: return advance();
      case Opcode::kAssign: return assign(operands.a);
      case Opcode::kAssume: return assume(operands.a);
      case Opcode::kAssert: return check_assertion(operands.a);
      case Opcode::kLoad: return load(operands.a);
      case Opcode::kStore: return store(operands.a, operands.b);
      case Opcode::kRmw: return read_modify_write(operands);
      case Opcode::kFence: return fence();
      case Opcode::kLock: return set_lock(thread_);
      case Opcode::kUnlock: return set_lock(std::nullopt);
      case Opcode::kChoose: return choose();
      case Opcode::kCall: return call(operands.arguments);
      case Opcode::kReturn: return leave_function(operands.a);
    }
    WEIR_CHECK(false, "every instruction is handled");
  }

  void assign(Value value) {
    result_.step.value = wrapped(value, type_of(instruction_.result));
    set_register(activation(), instruction_.result, value);
    advance();
  }

  void assume(Value condition) {
    if (condition == 0)
      result_.obstacle = "the assumption is false";
    else
      advance();
  }

  void check_assertion(Value condition) {
    if (condition != 0) return advance();
    fail(ViolationKind::kAssertion, instruction_.message.empty() ? "assertion failed" : instruction_.message);
  }

  void load(Value address) {
    if (!access(address)) return;
    const Value value = visible_value(address);
    result_.step.value = value;
    set_register(activation(), instruction_.result, value);
    advance();
  }

  void store(Value address, Value operand) {
    const std::optional<Type> cell = access(address);
    if (!cell) return;
    const Value value = wrapped(operand, *cell);
    result_.step.value = value;
    if (goes_to_buffer())
      store_into_buffer(address, value);
    else
      write_memory(program_, state_.memory, address, value);
    advance();
  }

  void store_into_buffer(Value address, Value value) {
    const bool release =
        instruction_.order == Order::kRelease || instruction_.order == Order::kAcquireRelease;
    if (model_ == Model::kPso && release) push_barrier(buffer());
    push_store(buffer(), {.address = address, .value = value, .edge = edge_id_}, model_);
  }

  void read_modify_write(const Operands& operands) {
    const std::optional<Type> cell = access(operands.a);
    if (!cell) return;
    const Type type = instruction_.type;
    const Value old_value = visible_value(operands.a);
    result_.step.value = old_value;
    result_.step.stored =
        instruction_.rmw != RmwOp::kCompareExchange || old_value == wrapped(operands.c, type);
    if (result_.step.stored) {
      result_.step.written = wrapped(modify(instruction_.rmw, old_value, operands.b, type), *cell);
      write_memory(program_, state_.memory, operands.a, result_.step.written);
    }
    set_register(activation(), instruction_.result, old_value);
    advance();
  }

  void fence() {
    if (instruction_.fence == FenceKind::kStoreStore && model_ == Model::kPso) push_barrier(buffer());
    advance();
  }

  void set_lock(std::optional<ThreadId> holder) {
    state_.lock = holder;
    advance();
  }

  void choose() {
    if (chosen_ < instruction_.low || chosen_ > instruction_.high) {
      result_.obstacle = "the value is not among those to choose from";
      return;
    }
    result_.step.value = chosen_;
    set_register(activation(), instruction_.result, chosen_);
    advance();
  }

  void call(const std::vector<Value>& arguments) {
    stack().push_back(enter_function(program_, instruction_.callee, arguments, edge_id_));
  }

  void leave_function(Value value) {
    if (stack().size() == 1) {
      activation().location = LocationId::none();
      return;
    }
    const Edge& call_edge = program_.edge(activation().call);
    stack().pop_back();
    activation().location = call_edge.target;
    if (uses_a()) set_register(activation(), call_edge.instruction.result, value);
  }

  // The type of the cell that is accessed; nothing if the access fails.
  std::optional<Type> access(Value address) {
    result_.step.address = address;
    const std::optional<Type> cell = cell_type(program_, address);
    if (!cell) {
      fail(ViolationKind::kMemory, fmt::format("address {} is outside every object", address));
      return std::nullopt;
    }
    if (cell->bits != instruction_.type.bits) {
      fail(ViolationKind::kMemory,
           fmt::format("{} is {} bits wide but accessed with {} bits", program_.address_name(address),
                       cell->bits, instruction_.type.bits));
      return std::nullopt;
    }
    return cell;
  }

  Value visible_value(Value address) const {
    const BufferEntry* buffered = newest_store(buffer(), address);
    const Value value = buffered != nullptr ? buffered->value : read_memory(program_, state_.memory, address);
    return wrapped(value, instruction_.type);
  }

  void fail(ViolationKind kind, std::string message) {
    result_.failure = Violation{.kind = kind, .message = std::move(message), .position = edge_.position};
  }

  void advance() { activation().location = edge_.target; }

  Type type_of(RegisterId reg) const {
    return reg ? program_.function(activation().function).registers.at(reg.index()).type : kInt64;
  }

  void set_register(Activation& target, RegisterId reg, Value value) const {
    if (!reg) return;
    const Type type = program_.function(target.function).registers.at(reg.index()).type;
    target.registers.at(reg.index()) = wrapped(value, type);
  }

  std::vector<Activation>& stack() const { return state_.threads.at(thread_.index()).stack; }
  Activation& activation() const { return stack().back(); }
  StoreBuffer& buffer() const { return state_.buffers.at(thread_.index()); }

  const Program& program_;
  const Model model_;
  ReferenceState& state_;
  const ThreadId thread_;
  const EdgeId edge_id_;
  const Edge& edge_;
  const Instruction& instruction_;
  const Value chosen_;
  const bool in_block_;
  Execution& result_;
};

}  // namespace

Execution execute(const Program& program, Model model, ReferenceState& state, ThreadId thread, EdgeId edge,
                  Value chosen, bool in_block) {
  Execution result;
  InstructionRun(program, model, state, thread, edge, chosen, in_block, result).run();
  return result;
}

Value read_register(const Activation& activation, const Expression& leaf) {
  WEIR_CHECK(leaf.op == ExprOp::kRegister, "instructions see only the registers of their own activation");
  return activation.registers.at(leaf.reg.index());
}

Activation enter_function(const Program& program, FunctionId id, const std::vector<Value>& arguments,
                          EdgeId call) {
  const Function& function = program.function(id);
  Activation activation{.function = id, .location = function.entry, .call = call, .registers = {}};
  for (std::size_t i = 0; i < function.registers.size(); ++i) {
    const bool given = i < function.parameter_count && i < arguments.size();
    const Register& reg = function.registers[i];
    activation.registers.push_back(wrapped(given ? arguments[i] : reg.initial, reg.type));
  }
  return activation;
}

}  // namespace weir
