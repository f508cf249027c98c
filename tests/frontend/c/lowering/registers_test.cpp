// Sharing registers must not change what a function does: random graphs, before and after.
#include "frontend/c/lowering/registers.hpp"

#include <gtest/gtest.h>
#include <random>

#include "check/explore.hpp"
#include "program/validate.hpp"

namespace weir::lowering_registers_test {

constexpr int kCells = 3;

// Straight pieces, branches by choice, and one loop that is left after a few rounds. Every register is
// written before it is read: the first ones at the start, others before each use in the same piece.
class RandomGraph {
 public:
  RandomGraph(unsigned seed, Program& program) : random_(seed), program_(program) {}

  c::Graph make() {
    graph_.entry = here_ = graph_.add_node();
    for (int i = 0; i < 6; ++i) {
      const Type type = i % 3 == 0 ? Type{8, true} : kInt64;
      known_.push_back(graph_.add_register(i % 2 == 0 ? "v" + std::to_string(i) : "", type));
      assign(known_.back(), program_.constant(i + 1, type));
    }
    for (int i = 0; i < 4; ++i) {
      if (below(3) == 0)
        loop();
      else if (below(2) == 0)
        branch();
      else
        piece();
    }
    for (int i = 0; i < kCells; ++i)
      emit({.op = Opcode::kStore, .a = program_.constant(i), .b = as_word(known_[below(known_.size())])});
    return std::move(graph_);
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }
  ExprId value(RegisterId reg) { return program_.register_value(reg, graph_.registers[reg.index()].type); }
  ExprId as_word(RegisterId reg) { return program_.unary(ExprOp::kCast, value(reg), kInt64); }

  void emit(Instruction instruction, c::NodeId target = {}) {
    const bool stays = static_cast<bool>(target);
    if (!target) target = graph_.add_node();
    graph_.edges.push_back({here_, target, std::move(instruction), {}});
    if (!stays) here_ = target;
  }

  void assign(RegisterId to, ExprId from) { emit({.op = Opcode::kAssign, .result = to, .a = from}); }

  void piece() {
    for (int i = 0; i < 5; ++i) {
      const RegisterId source = known_[below(known_.size())];
      const Type type = graph_.registers[source.index()].type;
      const RegisterId fresh = graph_.add_register("", type);
      const ExprId sum = program_.binary(ExprOp::kAdd, value(source), program_.constant(1, type), type);
      assign(fresh, below(2) == 0 ? value(source) : sum);
      RegisterId target = known_[below(known_.size())];
      if (graph_.registers[target.index()].type == type) assign(target, value(fresh));
      if (below(3) == 0) known_.push_back(fresh);
    }
  }

  void branch() {
    const RegisterId choice = graph_.add_register("", kInt64);
    emit({.op = Opcode::kChoose, .result = choice, .low = 0, .high = 1});
    const c::NodeId start = here_, end = graph_.add_node();
    for (const Value side : {0, 1}) {
      here_ = start;
      emit({.op = Opcode::kAssume,
            .a = program_.binary(ExprOp::kEq, value(choice), program_.constant(side), kInt64)},
           graph_.add_node());
      here_ = graph_.edges.back().target;
      const auto known = known_;
      piece();
      known_ = known;
      emit({.op = Opcode::kNop}, end);
    }
    here_ = end;
  }

  void loop() {
    const RegisterId counter = graph_.add_register("i", kInt64);
    assign(counter, program_.constant(0));
    const c::NodeId head = here_;
    const auto known = known_;
    piece();
    known_ = known;
    assign(counter, program_.binary(ExprOp::kAdd, value(counter), program_.constant(1)));
    const ExprId more = program_.binary(ExprOp::kLt, value(counter), program_.constant(3));
    emit({.op = Opcode::kAssume, .a = more}, head);
    emit({.op = Opcode::kAssume, .a = program_.unary(ExprOp::kLogicalNot, more)});
  }

  std::mt19937 random_;
  Program& program_;
  c::Graph graph_;
  c::NodeId here_;
  std::vector<RegisterId> known_;
};

Program program_with(unsigned seed, bool shared) {
  Program program;
  program.objects.push_back({.name = "x", .initial = std::vector<Value>(kCells)});
  const FunctionId function = program.add_function("f");
  c::Graph graph = RandomGraph(seed, program).make();
  if (shared) c::share_registers(graph, program, 0, nullptr);
  c::remove_idle_edges(graph);
  std::vector<const llvm::Instruction*> origins;
  c::add_to_program(std::move(graph), function, program, origins);
  program.add_thread("main", function);
  return program;
}

TEST(RegisterSharing, ChangesNothingButTheNumberOfRegisters) {
  std::size_t before = 0, after = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Program plain = program_with(seed, false), shared = program_with(seed, true);
    ASSERT_TRUE(validate(shared).empty()) << "seed " << seed;
    ASSERT_EQ(explore_all(plain, Model::kSc).memories, explore_all(shared, Model::kSc).memories)
        << "seed " << seed;
    before += plain.functions[0].registers.size();
    after += shared.functions[0].registers.size();
  }
  EXPECT_LT(after * 2, before);
}

}  // namespace weir::lowering_registers_test
