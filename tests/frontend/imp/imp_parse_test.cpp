// The IMP grammar, rule by rule: what each construct becomes, and every diagnostic with its place.
#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"

namespace weir::imp_parse_test {

using test::expect_error;

Expected<Program> parse(const std::string& text) { return parse_imp("test.imp", text); }

Program parsed(const std::string& text) {
  auto program = parse(text);
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  if (!program.ok()) return {};
  EXPECT_TRUE(validate(*program).empty());
  return std::move(*program);
}

// A program with two variables, an array and one process with this body, which starts on line 4.
std::string with_body(const std::string& body) {
  return "program test\nvariables x = y = 0, a[3] = 0\nprocess P begin\n" + body + "\nend\n";
}

// The opcodes of the body, in the order of the edges.
std::vector<Opcode> opcodes(const std::string& body) {
  std::vector<Opcode> result;
  for (const Edge& edge : parsed(with_body(body)).edges) result.push_back(edge.instruction.op);
  return result;
}

// What the program leaves in `x` when P runs alone.
Value result_of(const std::string& expression) {
  const Program program = parsed(with_body("local r := 5; local s := -3; x := " + expression));
  const ReferenceExploration explored = explore_all(program, Model::kSc);
  EXPECT_EQ(explored.terminal.size(), 1u);
  const auto& memory = explored.terminal.begin()->memory;
  return memory.contains(0) ? memory.at(0) : 0;
}

using Ops = std::vector<Opcode>;
constexpr Opcode kLoad = Opcode::kLoad, kStore = Opcode::kStore, kAssume = Opcode::kAssume,
                 kNop = Opcode::kNop, kAssign = Opcode::kAssign;

TEST(ImpParse, EveryReadIsALoadAndEveryAssignmentAStore) {
  EXPECT_EQ(opcodes("x := 1"), (Ops{kStore}));
  EXPECT_EQ(opcodes("x := x"), (Ops{kLoad, kStore}));
  EXPECT_EQ(opcodes("x := y - x * y"), (Ops{kLoad, kLoad, kLoad, kStore}));
  EXPECT_EQ(opcodes("a[x] := y"), (Ops{kLoad, kLoad, kStore}));
  EXPECT_EQ(opcodes("x := a[a[y]]"), (Ops{kLoad, kLoad, kLoad, kStore}));
  EXPECT_EQ(opcodes("x := x && y || a[0]"), (Ops{kLoad, kLoad, kLoad, kStore}));
}

TEST(ImpParse, LoadsGoFromLeftToRight) {
  const Program program = parsed(with_body("x := y + x + a[2]"));
  EXPECT_EQ(program.address_name(program.expression(program.edges[0].instruction.a).constant), "y");
  EXPECT_EQ(program.address_name(program.expression(program.edges[1].instruction.a).constant), "x");
  EXPECT_EQ(program.address_name(program.expression(program.edges[2].instruction.a).constant), "a[2]");
}

TEST(ImpParse, TemporariesAreUsedAgain) {
  const Program program = parsed(with_body("x := x + y; y := x + y; if x = y then skip fi"));
  EXPECT_EQ(program.functions[0].registers.size(), 2u);
}

TEST(ImpParse, ALocalVariableIsLoadedDirectly) {
  EXPECT_EQ(opcodes("local r; r := x"), (Ops{kLoad}));
  EXPECT_EQ(opcodes("skip; local r := x"), (Ops{kNop, kLoad}));
  EXPECT_EQ(opcodes("local r; r := r + 1"), (Ops{kAssign}));
}

TEST(ImpParse, LeadingConstantsAreInitialValues) {
  const Program program = parsed(with_body("local r := 7; local s; r := s"));
  EXPECT_EQ(program.functions[0].registers[0].initial, 7);
  EXPECT_EQ(program.edges.size(), 1u);
  EXPECT_EQ(opcodes("skip; local r := 7"), (Ops{kNop, kAssign}));
  EXPECT_EQ(opcodes("1: local r := 7"), (Ops{kAssign}));
  EXPECT_EQ(opcodes("1: local r"), (Ops{kNop}));
}

TEST(ImpParse, ConditionsAreComplementaryAssumes) {
  const Program program = parsed(with_body("if x then y := 1 else y := 2 fi"));
  ASSERT_EQ(program.edges.size(), 5u);
  EXPECT_EQ(program.edges[1].instruction.op, kAssume);
  EXPECT_EQ(program.edges[2].instruction.op, kAssume);
  EXPECT_EQ(program.expression(program.edges[2].instruction.a).op, ExprOp::kLogicalNot);
  EXPECT_EQ(program.expression(program.edges[2].instruction.a).a, program.edges[1].instruction.a);
  EXPECT_EQ(program.edges[3].target, program.edges[4].target);
}

TEST(ImpParse, WhileGoesBackToWhereItsConditionIsRead) {
  const Program program = parsed(with_body("1: while x = 0 do 2: skip od; 3: y := 1"));
  const auto head = program.find_label(FunctionId(0), "1");
  ASSERT_TRUE(head);
  EXPECT_EQ(program.functions[0].entry, *head);
  EXPECT_EQ(program.edge(program.location(*head).edges[0]).instruction.op, kLoad);
  const auto body = program.find_label(FunctionId(0), "2");
  ASSERT_TRUE(body);
  EXPECT_EQ(program.edge(program.location(*body).edges[0]).target, *head);
  EXPECT_TRUE(program.find_label(FunctionId(0), "3"));
}

TEST(ImpParse, ConstantConditionsOfferOneWay) {
  EXPECT_EQ(opcodes("while true do x := 1 od"), (Ops{kNop, kStore}));
  EXPECT_EQ(opcodes("while false do x := 1 od"), (Ops{kNop, kStore}));
  EXPECT_EQ(opcodes("while true do od"), (Ops{kNop}));
  EXPECT_EQ(opcodes("if x = 0 then fi"), (Ops{kLoad, kAssume, kAssume}));
}

TEST(ImpParse, AtomicFenceAssertAssume) {
  EXPECT_EQ(opcodes("atomic { x := y }"), (Ops{Opcode::kAtomicBegin, kLoad, kStore, Opcode::kAtomicEnd}));
  EXPECT_EQ(opcodes("atomic { }"), (Ops{Opcode::kAtomicBegin, Opcode::kAtomicEnd}));
  EXPECT_EQ(opcodes("fence; assert x; assume 1"), (Ops{Opcode::kFence, kLoad, Opcode::kAssert, kAssume}));
  const Program program = parsed(with_body("assert x = 1 + 1"));
  EXPECT_EQ(program.edges.back().instruction.message, "assertion 'x = 1 + 1' fails");
}

TEST(ImpParse, Precedence) {
  EXPECT_EQ(result_of("1 + 2 * 3"), 7);
  EXPECT_EQ(result_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(result_of("10 - 4 - 3"), 3);
  EXPECT_EQ(result_of("17 / 5 * 10 + 17 % 5"), 32);
  EXPECT_EQ(result_of("r = 5 and s < 0"), 1);
  EXPECT_EQ(result_of("r == 4 || s <> -3 or r >= 5"), 1);
  EXPECT_EQ(result_of("not r = 0"), 1) << "not binds tighter than =";
  EXPECT_EQ(result_of("!(r > 5) && r <= 5"), 1);
  EXPECT_EQ(result_of("- -r - -1"), 6);
  EXPECT_EQ(result_of("true + true + false"), 2);
  EXPECT_EQ(result_of("1 << 4 | 3 & 6 ^ ~0"), 16 | ((3 & 6) ^ ~0));
  EXPECT_EQ(result_of("-9223372036854775808 + 1"), std::numeric_limits<Value>::min() + 1);
}

TEST(ImpParse, Variables) {
  const Program program =
      parsed("program p variables a = b = 3, c, d[2] = -1, e[3] = {1, 2, 3}; process P begin end");
  ASSERT_EQ(program.objects.size(), 5u);
  EXPECT_EQ(program.objects[1].initial, (std::vector<Value>{3}));
  EXPECT_EQ(program.objects[2].initial, (std::vector<Value>{0}));
  EXPECT_EQ(program.objects[3].initial, (std::vector<Value>{-1, -1}));
  EXPECT_EQ(program.objects[4].initial, (std::vector<Value>{1, 2, 3}));
  EXPECT_FALSE(program.open_memory);
}

TEST(ImpParse, CopiesShareAFunction) {
  const Program program =
      parsed("program p variables x = 0 process P[3] begin x := 1 end proc Q begin skip end");
  ASSERT_EQ(program.threads.size(), 4u);
  EXPECT_EQ(program.functions.size(), 2u);
  EXPECT_EQ(program.threads[2].name, "P2");
  EXPECT_TRUE(program.threads[2].arguments.empty()) << "nothing tells these threads apart";
}

TEST(ImpParse, CopiesMayKnowTheirNumber) {
  const Program program = parsed("program p variables x = 0 process P[2] begin x := me end");
  EXPECT_EQ(program.functions[0].parameter_count, 1u);
  EXPECT_EQ(program.threads[1].arguments, std::vector<Value>{1});
}

TEST(ImpParse, ExclusiveAndGoal) {
  const Program program = parsed(
      "program p exclusive cs, 7 exclusive Q:9, R1:cs; goal R:cs, Q:7\n"
      "process Q begin cs: skip; 7: skip; 9: skip end; process R[2] begin cs: skip end;");
  ASSERT_EQ(program.properties.exclusive.size(), 2u);
  EXPECT_EQ(program.properties.exclusive[0].size(), 4u);
  EXPECT_EQ(program.properties.exclusive[1].size(), 2u);
  EXPECT_EQ(program.properties.exclusive[1][1].thread, ThreadId(2));
  EXPECT_EQ(program.properties.goals.at(0).size(), 3u);
}

TEST(ImpParse, CommentsAndSeparators) {
  parsed("(* a *) program p // b\r\n/* c\n * d */ variables x = 0;\nprocess P begin skip; end");
}

TEST(ImpParse, GoalAndLabelsMayBeNames) {
  parsed(with_body("local goal := 0; goal: goal := goal + 1; x: x := 1"));
}

TEST(ImpParse, AnIndexOutsideIsAMemoryViolation) {
  const Program program = parsed(with_body("local i := 3; a[i] := 1"));
  EXPECT_TRUE(explore_all(program, Model::kTso).violations.contains({ViolationKind::kMemory, 0}));
}

TEST(ImpParse, PositionsPointIntoTheText) {
  const Program program = parsed(with_body("  x := y"));
  EXPECT_EQ(program.edges[0].position.line, 4u);
  EXPECT_EQ(program.edges[0].position.column, 8u) << "the load is where y is";
  EXPECT_EQ(program.edges[1].position.column, 3u) << "the store is where the statement is";
}

}  // namespace weir::imp_parse_test
