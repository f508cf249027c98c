// The question is asked as one about a bad state: a copy of the program gets, where a thread stops, a full
// fence and an assignment that marks the thread as done, behind the first instruction of a thread that waits
// to be started one that marks it as started, and an invariant that says that not all have stopped with the
// condition true. Edges of the program keep their numbers, so an execution of the copy is one of the program
// as soon as the steps of the new edges are left out.
#include "verify/outcomes/final_witness.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/explicit/explicit.hpp"
#include "program/validate.hpp"
#include "verify/confirmation.hpp"

namespace weir::verify {

namespace {

constexpr const char *kDoneMark = "done", *kStartedMark = "started";

class MarkedProgram {
 public:
  MarkedProgram(const Program& program, const FinalQuestion& question)
      : program_(program), question_(question) {}

  Program with_condition(const FinalCondition& condition) {
    program_.properties = {};
    std::set<FunctionId> marked;
    for (const Thread& thread : program_.threads)
      if (marked.insert(thread.function).second) mark(thread.function);
    ExprId bad = expression(condition);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      bad = program_.binary(ExprOp::kLogicalAnd, has_stopped(ThreadId(t)), bad);
    const ExprId invariant = program_.unary(ExprOp::kLogicalNot, bad);
    program_.properties.invariants.push_back(
        {invariant, "not " + condition_text(program_, question_, condition), {}});
    return std::move(program_);
  }

 private:
  void mark(FunctionId function) {
    const bool waits = std::ranges::any_of(program_.threads, [&](const Thread& thread) {
      return thread.dormant && thread.function == function;
    });
    if (waits) mark_start(function);
    mark_ends(function);
  }

  // A dormant thread counts as stopped until its first instruction, so the mark goes behind that.
  void mark_start(FunctionId function) {
    const RegisterId started = program_.add_register(function, kStartedMark);
    const ExprId one = program_.constant(1);
    const std::vector<EdgeId> first = program_.location(program_.function(function).entry).edges;
    for (const EdgeId edge : first) {
      const LocationId behind = program_.add_location(function);
      const LocationId target = std::exchange(program_.edges[edge.index()].target, behind);
      program_.add_edge(behind, target, {.op = Opcode::kAssign, .result = started, .a = one});
    }
  }

  ExprId has_stopped(ThreadId thread) {
    const ExprId done = thread_register(thread, mark_of(thread, kDoneMark));
    if (!program_.thread(thread).dormant) return done;
    const ExprId started = thread_register(thread, mark_of(thread, kStartedMark));
    return program_.binary(ExprOp::kLogicalOr, done, program_.unary(ExprOp::kLogicalNot, started));
  }

  void mark_ends(FunctionId function) {
    const RegisterId done = program_.add_register(function, kDoneMark);
    const ExprId one = program_.constant(1);
    const std::size_t count = program_.locations.size();
    for (std::size_t l = 0; l < count; ++l) {
      if (program_.locations[l].function != function || !ends_at(LocationId(l))) continue;
      const LocationId drained = program_.add_location(function), end = program_.add_location(function);
      // Where the function returns, it does so behind the mark.
      for (const EdgeId edge : program_.locations[l].edges) program_.edges[edge.index()].source = end;
      program_.locations[end.index()].edges = std::exchange(program_.locations[l].edges, {});
      program_.add_edge(LocationId(l), drained, {.op = Opcode::kFence, .fence = FenceKind::kFull});
      program_.add_edge(drained, end, {.op = Opcode::kAssign, .result = done, .a = one});
    }
  }

  // Nothing but a return is left to do.
  bool ends_at(LocationId location) const {
    return std::ranges::all_of(program_.location(location).edges, [&](EdgeId edge) {
      return program_.edge(edge).instruction.op == Opcode::kReturn;
    });
  }

  // Marks are the last registers; the user may have some of the same name.
  RegisterId mark_of(ThreadId thread, std::string_view mark) const {
    const auto& registers = program_.function(program_.thread(thread).function).registers;
    std::size_t last = registers.size() - 1;
    while (registers[last].name != mark) --last;
    return RegisterId(last);
  }

  ExprId thread_register(ThreadId thread, RegisterId reg) {
    const Type type = program_.function(program_.thread(thread).function).registers[reg.index()].type;
    return program_.add_expression(
        {.op = ExprOp::kThreadRegister, .type = type, .reg = reg, .thread = thread});
  }

  ExprId value(const ObservedPlace& place) {
    const ExprId whole = place.is_register() ? thread_register(place.thread, place.reg) : cell(place.address);
    return program_.unary(ExprOp::kCast, whole, place.type);
  }

  ExprId cell(Value address) {
    const Type type = program_.object(program_.object_at(address).value()).type;
    return program_.add_expression({.op = ExprOp::kSharedCell, .type = type, .constant = address});
  }

  ExprId expression(const FinalCondition& condition) {
    using Op = FinalCondition::Op;
    switch (condition.op) {
      case Op::kTrue: return program_.constant(1);
      case Op::kFalse: return program_.constant(0);
      case Op::kIs: {
        const ObservedPlace& place = question_.places[condition.place];
        const ExprId left = value(place);
        return program_.binary(ExprOp::kEq, left, program_.constant(condition.value, place.type));
      }
      case Op::kSame: {
        const ExprId left = program_.unary(ExprOp::kCast, value(question_.places[condition.place]));
        const ExprId right = program_.unary(ExprOp::kCast, value(question_.places[condition.other]));
        return program_.binary(ExprOp::kEq, left, right);
      }
      case Op::kNot: return program_.unary(ExprOp::kLogicalNot, expression(condition.parts[0]));
      case Op::kAnd: return joined(ExprOp::kLogicalAnd, condition.parts);
      case Op::kOr: return joined(ExprOp::kLogicalOr, condition.parts);
      case Op::kImplies: {
        const ExprId left = program_.unary(ExprOp::kLogicalNot, expression(condition.parts[0]));
        return program_.binary(ExprOp::kLogicalOr, left, expression(condition.parts[1]));
      }
    }
    throw InternalError("a condition without a meaning");
  }

  ExprId joined(ExprOp op, const std::vector<FinalCondition>& parts) {
    ExprId result = expression(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) result = program_.binary(op, result, expression(parts[i]));
    return result;
  }

  Program program_;
  const FinalQuestion& question_;
};

}  // namespace

FinalWitness find_final_witness(const Program& program, const FinalQuestion& question,
                                const FinalCondition& condition, Model model, Context& context) {
  const Program marked = MarkedProgram(program, question).with_condition(condition);
  WEIR_CHECK(validate(marked).empty(), "a program stays well formed when its ends are marked");
  ExplicitOptions options;
  options.model = model;
  options.symmetry = false;
  Answer answer = check_explicit(marked, options, context);
  FinalWitness result{.complete = answer.verdict != Verdict::kUnknown};
  if (answer.verdict != Verdict::kUnsafe) return result;
  result.witness = confirmed(marked, *answer.witness, context);
  std::erase_if(result.witness->steps, [&](const WitnessStep& step) {
    return step.edge && step.edge.index() >= program.edges.size();
  });
  result.witness->violation = {.kind = ViolationKind::kUnsafe,
                               .message = condition_text(program, question, condition)};
  return result;
}

}  // namespace weir::verify
