// A program in the form in which threads execute it: made once, shared by all automata.
//
// Expressions are flattened to operations on operands that stand in registers, among constants or in
// temporaries, so that evaluating takes no recursion and no look-up of nodes: `r := a + b` is one operation,
// `assume r` none. Each location knows whether it is a plain step (one edge) or a two-way branch on one
// condition, which almost all are; the rest is decided edge by edge.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "program/analysis/liveness.hpp"
#include "program/program.hpp"

namespace weir {

// Where an operand stands.
struct Operand {
  enum Base : std::uint32_t { kRegister, kConstant, kTemporary, kSpecial };

  Base base = kConstant;
  std::uint32_t index = 0;
};

// Indices of kSpecial.
inline constexpr std::uint32_t kSelfValue = 0, kFrameAddress = 1;

// One step of an evaluation: a strict operator, or one of the control operations that make && || and select
// lazy.
struct Operation {
  enum class Control : std::uint8_t { kNone, kMove, kJump, kJumpIfZero };

  ExprOp op = ExprOp::kConstant;
  Control control = Control::kNone;
  bool unary = false;
  Type type;          // of the result
  Type operand_type;  // of a
  Operand a, b;
  std::uint32_t temporary = 0;  // where the result goes
  std::uint32_t target = 0;     // of a jump: number of an operation
};

struct ExpressionCode {
  std::uint32_t first = 0, end = 0;  // operations
  Operand result;
};

// What `Code::evaluate` needs of a thread: where its operands stand.
struct Operands {
  const Value* bases[4] = {};
  Value* temporaries = nullptr;

  Value operator[](Operand operand) const { return bases[operand.base][operand.index]; }
};

// What happens at a location, where that is an assignment, a branch or an access to the private memory of the
// activation; `kOther` for everything else.
struct LocationPlan {
  enum class Kind : std::uint8_t { kOther, kNop, kAssign, kBranch, kPrivateLoad, kPrivateStore };

  Kind kind = Kind::kOther;
  Type type;           // assign, load: of the register
  Type access;         // load, store: of the memory accessed
  RegisterId result;   // assign, load
  ExprId expression;   // assign: the value; branch: the condition; load, store: the address
  ExprId stored;       // store
  EdgeId edge, other;  // branch: taken if the condition is not zero, and if it is
  LocationId target, other_target;
};

// Can threads with the same code and arguments behave differently because they are different threads?
bool knows_self(const Program& program);

class Code {
 public:
  // `program` must outlive the code.
  explicit Code(const Program& program);

  const Program& program() const { return program_; }
  bool live(LocationId location, RegisterId reg) const { return live_.live(location, reg); }
  const LocationPlan& plan(LocationId location) const { return plans_[location.index()]; }
  std::span<const Value> constants() const { return constants_; }
  std::size_t temporary_count() const { return temporaries_; }

  // False if it divides by zero.
  bool evaluate(ExprId expression, const Operands& operands, Value& result) const {
    const ExpressionCode& code = expressions_[expression.index()];
    if (code.first != code.end && !execute(code, operands)) return false;
    result = operands[code.result];
    return true;
  }

  // Words that an activation of the function takes: registers, private memory, which of its bytes are
  // initialised.
  std::size_t frame_words(FunctionId function) const { return frames_[function.index()].words; }
  std::size_t private_begin(FunctionId function) const { return frames_[function.index()].private_begin; }
  std::size_t mask_begin(FunctionId function) const { return frames_[function.index()].mask_begin; }

  // The declared object with a cell at this address.
  ObjectId object_at(Value address) const {
    const auto found = objects_.find(address);
    return found == objects_.end() ? ObjectId::none() : found->second;
  }

  // The cell of a declared object that a byte belongs to; none if there is none.
  std::optional<Value> cell_around(Value byte) const;

  bool allocates() const { return allocates_; }
  // Could some thread allocate a block of that many bytes?
  bool may_allocate(BlockKind kind, std::uint64_t size) const {
    return any_size_[static_cast<std::size_t>(kind)] ||
           block_sizes_.contains({kind, static_cast<Value>(size)});
  }
  bool knows_self() const { return knows_self_; }

 private:
  struct Frame {
    std::size_t private_begin = 0, mask_begin = 0, words = 0;
  };

  bool execute(const ExpressionCode& code, const Operands& operands) const;
  void compile(ExprId expression);
  Operand compile_part(ExprId expression);
  Operand compile_lazy(const Expression& e);
  Operand constant(Value value);
  std::uint32_t emit(Operation operation);
  void plan_location(LocationId location);
  void plan_access(LocationPlan& plan, EdgeId edge) const;
  void plan_branch(LocationPlan& plan, EdgeId yes, EdgeId no) const;
  void lay_out(const Function& function);
  void note_size(const Instruction& allocation);

  const Program& program_;
  LiveRegisters live_;
  std::vector<ExpressionCode> expressions_;
  std::vector<Operation> operations_;
  std::vector<Value> constants_ = {0};  // so that operand number 0 exists
  std::size_t temporaries_ = 0, next_temporary_ = 0;
  std::vector<LocationPlan> plans_;
  std::vector<Frame> frames_;
  absl::flat_hash_map<Value, ObjectId> objects_;
  std::set<std::pair<BlockKind, Value>> block_sizes_;  // of those whose size is constant
  std::array<bool, 8> any_size_{};                     // by kind: is there one whose size is computed?
  bool allocates_ = false, knows_self_ = false;
};

}  // namespace weir
