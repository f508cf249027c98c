// The instructions of a program, one by one, as the table of docs/semantics.md has them: all expressions,
// then the conditions on lock and buffer, then the effect. Whether an access needs the lock depends on its
// address; where that cannot be evaluated, it does.
#include "check/reference/instruction.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "check/reference/access.hpp"
#include "check/reference/evaluator.hpp"
#include "program/address.hpp"

namespace weir {

namespace {

Value wrapped(Value value, Type type) { return wrap(static_cast<std::uint64_t>(value), type); }

// C++'s operators come in pairs, and so do the functions of C.
const char* wrong_pair(BlockKind freed_as, BlockKind kind) {
  if (freed_as == kind) return nullptr;
  if (kind == BlockKind::kObject) return "is from new, but is not released by delete";
  if (kind == BlockKind::kArray) return "is from new[], but is not released by delete[]";
  if (freed_as == BlockKind::kObject) return "is released by delete, but is not from new";
  if (freed_as == BlockKind::kArray) return "is released by delete[], but is not from new[]";
  return nullptr;
}

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
    const std::optional<Operands> operands = evaluate_operands();
    result_.obstacle = obstacle();
    if (result_.obstacle != nullptr) return;
    if (operands)
      perform(*operands);
    else
      fail(ViolationKind::kAssertion, "division by zero");
    if (result_.succeeded()) state_.threads.at(thread_.index()).dormant = false;
  }

 private:
  // Conditions on lock, buffer and block.

  const char* obstacle() const {
    if (state_.halted) return "the execution has ended";
    if (is_local()) return drains_privately() ? stores_pending() : nullptr;
    switch (instruction_.op) {
      case Opcode::kLoad: return foreign_lock();
      case Opcode::kStore: return goes_to_buffer() ? nullptr : first(foreign_lock(), stores_pending());
      case Opcode::kRmw: return first(foreign_lock(), stores_pending());
      case Opcode::kFree: return foreign_lock();
      case Opcode::kFence: return instruction_.fence == FenceKind::kFull ? stores_pending() : nullptr;
      case Opcode::kLock: return first(block_open(), first(stores_pending(), lock_taken()));
      case Opcode::kUnlock: return first(block_open(), first(stores_pending(), lock_not_own()));
      case Opcode::kAtomicBegin: return first(block_open(), first(foreign_lock(), stores_pending()));
      case Opcode::kAtomicEnd: return in_block_ ? nullptr : "no atomic block is open";
      default: return nullptr;
    }
  }

  // Accesses to memory that nobody shares, and `free 0`.
  bool is_local() const {
    Value address = 0;
    if (!uses_a() || !evaluate_into(instruction_.a, address)) return false;
    switch (instruction_.op) {
      case Opcode::kLoad: return region_of(program_, address) != Region::kShared;
      case Opcode::kStore:
      case Opcode::kRmw: return region_of(program_, address) == Region::kPrivate;
      case Opcode::kFree: return address == 0;
      default: return false;
    }
  }

  // Locked instructions wait for the buffer wherever they go.
  bool drains_privately() const {
    return instruction_.op == Opcode::kRmw ||
           (instruction_.op == Opcode::kStore && instruction_.order == Order::kSequential);
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
      case Opcode::kRmw:
      case Opcode::kAllocate:
      case Opcode::kFree: return true;
      case Opcode::kReturn: return instruction_.a.valid();
      default: return false;
    }
  }
  bool uses_b() const { return instruction_.op == Opcode::kStore || instruction_.op == Opcode::kRmw; }
  bool uses_c() const {
    return (instruction_.op == Opcode::kRmw && instruction_.rmw == RmwOp::kCompareExchange) ||
           (instruction_.op == Opcode::kLoad && instruction_.waits);
  }

  bool evaluate_into(ExprId id, Value& value) const {
    const auto leaf = [this](const Expression& expression) { return read_leaf(expression); };
    const std::optional<Value> result = evaluate(program_, id, leaf);
    if (result) value = *result;
    return result.has_value();
  }

  Value read_leaf(const Expression& leaf) const {
    if (leaf.op == ExprOp::kSelf) return static_cast<Value>(thread_.index());
    if (leaf.op == ExprOp::kFrame) return frame_address(static_cast<std::uint64_t>(leaf.constant));
    WEIR_CHECK(leaf.op == ExprOp::kRegister, "instructions see only what their own activation has");
    return activation().registers.at(leaf.reg.index());
  }

  Value frame_address(std::uint64_t offset) const {
    const PrivateAddress place{stack().size() - 1, offset};
    const Value address = encode(place);
    WEIR_CHECK(decode_private(address).activation == place.activation, "so deep a stack has no addresses");
    return address;
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
      case Opcode::kLoad: return load(operands);
      case Opcode::kStore: return store(operands.a, operands.b);
      case Opcode::kRmw: return read_modify_write(operands);
      case Opcode::kFence: return fence();
      case Opcode::kLock: return set_lock(thread_);
      case Opcode::kUnlock: return set_lock(std::nullopt);
      case Opcode::kChoose: return choose();
      case Opcode::kCall: return call(operands.arguments);
      case Opcode::kReturn: return leave_function(operands.a);
      case Opcode::kStop: return stop();
      case Opcode::kAllocate: return allocate(static_cast<std::uint64_t>(operands.a));
      case Opcode::kFree: return free_block(operands.a);
      case Opcode::kHalt: return halt();
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

  void load(const Operands& operands) {
    const Access access = access_to(operands.a, /*writes=*/false);
    if (!allowed(access)) return;
    const std::optional<Value> seen = visible_value(program_, state_, access);
    if (!seen && !instruction_.copies) return fail_uninitialised(access);
    if (instruction_.waits && (seen == wrapped(operands.c, access.type)) != instruction_.until) {
      result_.obstacle = "it waits for another value";
      return;
    }
    if (!seen && partly_initialised(program_, state_, access)) {
      result_.unsupported = fmt::format(
          "some bytes at {} are initialised, and others not; it is not supported to copy both "
          "at once",
          program_.address_name(access.address));
      return;
    }
    const Value value = seen.value_or(kUninitialised);
    result_.step.value = value;
    set_register(activation(), instruction_.result, value);
    advance();
  }

  void store(Value address, Value operand) {
    const Access access = access_to(address, /*writes=*/true);
    if (!allowed(access)) return;
    const bool takes_value_away = instruction_.copies && operand == kUninitialised;
    const Type cell = cell_type(program_, access);
    const Value value = takes_value_away ? kUninitialised : wrapped(operand, cell);
    if (value == kUninitialised && !takes_value_away) return fail_with_mark(access);
    result_.step.value = value;
    if (goes_to_buffer() && region_of(program_, address) != Region::kPrivate)
      store_into_buffer(store_of(access, value), is_release(instruction_.order));
    else
      write(access, value);
    advance();
  }

  static bool is_release(Order order) { return order == Order::kRelease || order == Order::kAcquireRelease; }

  BufferEntry store_of(const Access& access, Value value) const {
    return {.address = access.address,
            .value = value,
            .units = units_of(program_, access.address, access.type),
            .edge = edge_id_};
  }

  void store_into_buffer(const BufferEntry& store, bool release) {
    if (model_ == Model::kPso && release) push_barrier(buffer());
    push_store(buffer(), store, model_);
  }

  // Straight to memory. kUninitialised takes the value away.
  void write(const Access& access, Value value) {
    if (region_of(program_, access.address) != Region::kPrivate)
      write_memory(program_, state_.memory, store_of(access, value));
    else
      write_private(state_, access, value == kUninitialised ? std::nullopt : std::optional(value));
  }

  void read_modify_write(const Operands& operands) {
    const Access access = access_to(operands.a, /*writes=*/true);
    if (!allowed(access)) return;
    const std::optional<Value> old_value = visible_value(program_, state_, access);
    if (!old_value) return fail_uninitialised(access);
    const bool stores =
        instruction_.rmw != RmwOp::kCompareExchange || *old_value == wrapped(operands.c, access.type);
    const Value new_value =
        wrapped(modify(instruction_.rmw, *old_value, operands.b, access.type), cell_type(program_, access));
    if (stores && new_value == kUninitialised) {
      result_.failed_by_content = true;
      return fail_with_mark(access);
    }
    result_.step.value = *old_value;
    result_.step.stored = stores;
    if (stores) {
      result_.step.written = new_value;
      write(access, new_value);
    }
    set_register(activation(), instruction_.result, *old_value);
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

  void stop() {
    stack().resize(1);
    activation().location = LocationId::none();
  }

  void halt() { state_.halted = true; }

  // Blocks.

  void allocate(std::uint64_t size) {
    ThreadState& thread = state_.threads.at(thread_.index());
    const bool on_stack = instruction_.block == BlockKind::kStack;
    std::uint64_t& count = on_stack ? thread.stack_blocks : thread.heap_blocks;
    WEIR_CHECK(thread_.index() < kMostAllocatingThreads, "a block's address has room for its thread");
    if (size > kLargestBlock || count >= kMostBlocks) return halt();
    if (size >= kSmallBlocks && count >= kMostBlocksWithLarge) return halt();
    const Value address =
        encode(BlockAddress{thread_.index(), count, instruction_.block, size, /*offset=*/0});
    ++count;
    state_.blocks.starts.push_back(address);
    result_.step.value = address;
    set_register(activation(), instruction_.result, address);
    advance();
  }

  void free_block(Value address) {
    result_.step.address = address;
    if (address == 0) return advance();
    if (is_cut_address(address)) {
      result_.unsupported = kCutAddress;
      return;
    }
    if (const char* problem = why_not_free(address))
      return fail(ViolationKind::kMemory, fmt::format("{} {}", program_.address_name(address), problem));
    if (instruction_.block == BlockKind::kStack)
      end_or_renew(address);
    else if (model_ == Model::kSc || in_block_)
      write_memory(program_, state_.memory, status_address(address), 1);
    else
      store_into_buffer({.address = status_address(address), .value = 1, .edge = edge_id_}, /*release=*/true);
    advance();
  }

  // At once, whatever is in the buffer. What the block held is gone.
  void end_or_renew(Value address) {
    write_memory(program_, state_.memory, status_address(address), instruction_.renews ? 0 : 1);
    if (instruction_.renews) return;
    const auto size = static_cast<Value>(decode_block(address).size);
    auto& memory = state_.memory;
    memory.erase(memory.lower_bound(address), memory.lower_bound(address + size));
  }

  const char* why_not_free(Value address) const {
    const BlockAddress block = decode_block(address);
    const bool is_block = !program_.open_memory && address_kind(address) == AddressKind::kBlock &&
                          is_allocated(state_, address);
    if (!is_block || block.offset != 0) return "is released but is not the start of a block";
    const bool frees_stack = instruction_.block == BlockKind::kStack;
    if (frees_stack && block.kind != BlockKind::kStack) return "is released but is not on the stack";
    if (!frees_stack && block.kind == BlockKind::kStack) return "is released but is on the stack";
    if (const char* pair = wrong_pair(instruction_.block, block.kind)) return pair;
    if (released(program_, state_, thread_, address) && !instruction_.renews)
      return "is released a second time";
    return nullptr;
  }

  // Accesses that fail.

  Access access_to(Value address, bool writes) {
    result_.step.address = address;
    return {.thread = thread_, .address = address, .type = instruction_.type, .writes = writes};
  }

  bool allowed(const Access& access) {
    std::optional<AccessProblem> problem = find_problem(program_, state_, access);
    if (!problem) return true;
    result_.failed_by_content = problem->by_content;
    if (problem->unsupported)
      result_.unsupported = std::move(problem->message);
    else
      fail(ViolationKind::kMemory, std::move(problem->message));
    return false;
  }

  void fail_uninitialised(const Access& access) {
    result_.failed_by_content = true;
    fail(ViolationKind::kMemory,
         fmt::format("{} is read but not initialised", program_.address_name(access.address)));
  }

  void fail_with_mark(const Access& access) {
    fail(ViolationKind::kMemory, fmt::format("{} would get the number {}, which marks uninitialised memory",
                                             program_.address_name(access.address), kUninitialised));
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

Activation enter_function(const Program& program, FunctionId id, const std::vector<Value>& arguments,
                          EdgeId call) {
  const Function& function = program.function(id);
  Activation activation{
      .function = id, .location = function.entry, .call = call, .registers = {}, .bytes = {}};
  for (std::size_t i = 0; i < function.registers.size(); ++i) {
    const bool given = i < function.parameter_count && i < arguments.size();
    const Register& reg = function.registers[i];
    activation.registers.push_back(wrapped(given ? arguments[i] : reg.initial, reg.type));
  }
  return activation;
}

}  // namespace weir
