// Printing to IMP: structure comes back, the text is a fixed point, and it means the same.
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/imp/syntax.hpp"
#include "frontend/trencher/trencher.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/arbitrary_genome.hpp"
#include "support/tiny_program.hpp"

namespace weir::imp_print_test {

using test::TinyProgram;

std::string printed(const Program& program) {
  const auto text = print_imp(program);
  return text.ok() ? text.value() : test::rendered(text.error(), program.sources);
}

// Prints, parses, prints again: the same text. Returns the second program.
Program reprinted(const Program& program) {
  const std::string text = printed(program);
  auto again = parse_imp("again.imp", text);
  EXPECT_TRUE(again.ok()) << test::rendered(again) << text;
  if (!again.ok()) return {};
  EXPECT_TRUE(validate(*again).empty());
  EXPECT_EQ(printed(*again), text);
  return std::move(*again);
}

std::string refusal(const Program& program) {
  const auto text = print_imp(program);
  return text.ok() ? "accepted" : text.error().front().message;
}

// A text in the printer's own layout comes back unchanged.
void expect_same_text(const std::string& text) {
  const auto program = parse_imp("test.imp", text);
  ASSERT_TRUE(program.ok()) << test::rendered(program);
  EXPECT_EQ(printed(program.value()), text);
}

std::string process(const std::string& lines) {
  return "program p\nvariables x = 0, y = 1, a[3] = {0, 1, 2}\n\nprocess P begin\n" + lines + "end\n";
}

TEST(ImpPrint, StatementsComeBack) {
  expect_same_text(process("  1: x := 1 - y;\n  skip;\n  fence;\n  assert x = 0;\n  2: assume not x;\n"));
  expect_same_text(
      process("  local r := 4;\n  local s;\n  r := x;\n  s := r + s * 2;\n  x := (r + s) * -r;\n"));
  expect_same_text(process("  local i;\n  a[i] := a[a[x]] + a[2 + i];\n  i := a[x];\n"));
  expect_same_text(process("  atomic {\n    x := y;\n    y := 0;\n  };\n  atomic {\n  };\n"));
}

TEST(ImpPrint, StructureComesBack) {
  expect_same_text(
      process("  if x = 1 then\n    y := 2;\n  else\n    1: y := 3;\n  fi;\n  if x then\n  fi;\n"));
  expect_same_text(
      process("  2: while x + y < 7 do\n    if a[0] then\n      x := 1;\n    fi;\n  od;\n  x := 2;\n"));
  expect_same_text(process("  1: while true do\n    while x do\n    od;\n    2: skip;\n  od;\n"));
  expect_same_text(process(
      "  while true do\n    if x then\n      while true do\n      od;\n    fi;\n    y := 1;\n  od;\n"));
}

TEST(ImpPrint, CopiesAndProperties) {
  expect_same_text(
      "program p\nvariables x = 0\nexclusive cs\nexclusive P0:1, Q:1\ngoal Q:1\n\n"
      "process P[2] begin\n  1: x := me;\n  cs: skip;\nend\n\nprocess Q begin\n  1: skip;\nend\n");
}

TEST(ImpPrint, ReadsOfNamedRegistersAreKept) {
  const auto program =
      parse_trencher("t.trn", "thread t\ninitial q\ntransition q p read r 0\ntransition p o write r 1\nend");
  ASSERT_TRUE(program.ok());
  const std::string text = printed(program.value());
  EXPECT_NE(text.find("q: r := m0;"), std::string::npos) << text;
  EXPECT_NE(text.find("p: m1 := r;"), std::string::npos) << text;
}

TEST(ImpPrint, TrencherLoopsBecomeWhile) {
  const auto program = parse_trencher(
      "t.trn",
      "name 0 flag[0]\nthread t\ninitial q0\nfinal cs\ntransition q0 q1 write 1 0\ntransition q1 q2 read r "
      "1\n"
      "transition q2 q1 check != r 0\ntransition q2 cs check == r 0\ntransition cs q0 write 0 0\nend");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(printed(program.value()),
            "program t\nvariables flag_0 = 0, m1 = 0\ngoal cs\n\nprocess t begin\n  while true do\n"
            "    q0: flag_0 := 1;\n    q1: while m1 != 0 do\n    od;\n    cs: flag_0 := 0;\n  od;\nend\n");
}

TEST(ImpPrint, UnstructuredFlowBecomesADispatchLoop) {
  const auto program =
      parse_trencher("t.trn",
                     "thread t\ninitial a\nfinal c\ntransition a b read r 0\ntransition b c check == r "
                     "0\ntransition b d check == r 1\n"
                     "transition c d write 1 1\ntransition d c write 2 1\ntransition c e check 0\nend");
  ASSERT_TRUE(program.ok());
  EXPECT_NE(refusal(program.value()).find("a nondeterministic choice"), std::string::npos);
  const auto irreducible = parse_trencher("t.trn",
                                          "thread t\ninitial a\nfinal d\ntransition a b read r 0\ntransition "
                                          "b c check == r 0\ntransition b d check != r 0\n"
                                          "transition c d write 1 1\ntransition d c write 2 1\nend");
  ASSERT_TRUE(irreducible.ok());
  const Program again = reprinted(irreducible.value());
  EXPECT_NE(printed(again).find("while pc >= 0 do"), std::string::npos) << printed(again);
}

TEST(ImpPrint, ConditionsThatExcludeEachOther) {
  const auto program = parse_trencher(
      "t.trn",
      "name 0 x\nname 1 y\nthread t\ninitial a\ntransition a b read r 0\ntransition b c check == r 0\n"
      "transition b d check == r 1\ntransition b e check == r 2\ntransition c f write 1 1\ntransition d f "
      "write 2 1\ntransition e f write 3 1\nend");
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(test::same_behaviour(program.value(), reprinted(program.value())));
}

TEST(ImpPrint, ReadModifyWritesBecomeAtomic) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("y", 1).exchange("r", "x", 2).store_register("y", "r").fetch_add("r", "x", 1);
  tiny.thread("Q").fetch_add("r", "x", 3).compare_exchange("s", "y", 1, 2).store_register("x", "s");
  tiny.thread("R").compare_exchange("s", "y", 0, 5).store("x", 9, Order::kSequential).leave();
  EXPECT_TRUE(test::same_behaviour(tiny.program(), reprinted(tiny.program())));
}

TEST(ImpPrint, NamesAreMadeValid) {
  TinyProgram tiny({"x", "while", "a.b", "me"});
  tiny.thread("0 thread").load("x", "while").store_register("a.b", "x").store("me", 1);
  Program again = reprinted(tiny.program());
  EXPECT_EQ(again.objects[1].name, "while_");
  EXPECT_EQ(again.objects[2].name, "a_b");
  EXPECT_EQ(again.objects[3].name, "me_");
  EXPECT_EQ(again.functions[0].registers[0].name, "x_1") << "not the shared variable";
}

TEST(ImpPrint, Refusals) {
  TinyProgram lock({"x"});
  lock.thread("P").lock().unlock();
  EXPECT_NE(refusal(lock.program()).find("the global lock"), std::string::npos);
  TinyProgram choice({"x"});
  choice.thread("P").choose("r", 0, 1);
  EXPECT_NE(refusal(choice.program()).find("a nondeterministic choice"), std::string::npos);
  TinyProgram release({"x"});
  release.thread("P").store("x", 1, Order::kRelease);
  EXPECT_NE(refusal(release.program()).find("a release store"), std::string::npos);
  const auto computed = parse_trencher("t.trn", "thread t\ninitial a\ntransition a a write 1 r\nend");
  ASSERT_TRUE(computed.ok());
  EXPECT_NE(refusal(computed.value()).find("a computed address"), std::string::npos);
  EXPECT_EQ(print_imp(computed.value()).error().front().position.line, 3u);
}

TEST(ImpPrint, DeepNestingIsPrintedToo) {
  const auto repeat = [](const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  for (const std::string& body : {repeat("if x then ", 450) + "skip" + repeat(" fi", 450),
                                  repeat("while x do ", 450) + "skip" + repeat(" od", 450),
                                  "x := " + repeat("1 - (", 450) + "x" + repeat(")", 450),
                                  "x := x" + repeat(" + 1", 900), "x := " + repeat("- not ", 200) + "x"}) {
    const auto program = parse_imp("deep.imp", "program p variables x = 0 process P begin " + body + " end");
    ASSERT_TRUE(program.ok()) << test::rendered(program);
    reprinted(program.value());
    EXPECT_TRUE(print_trencher(program.value()).ok());
  }
}

TEST(ImpPrint, EveryExampleIsAFixedPointAndMeansTheSame) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_SOURCE_DIR "/examples")) {
    const std::string path = entry.path();
    const bool is_imp = path.ends_with(".imp"), is_trencher = path.ends_with(".trn");
    if (!is_imp && !is_trencher) continue;
    const auto program =
        is_imp ? parse_imp(path, test::read_file(path)) : parse_trencher(path, test::read_file(path));
    ASSERT_TRUE(program.ok()) << test::rendered(program);
    EXPECT_TRUE(validate(program.value()).empty());
    if (!print_imp(program.value()).ok()) continue;
    ++count;
    EXPECT_TRUE(test::same_behaviour(program.value(), reprinted(program.value()))) << path;
  }
  EXPECT_GE(count, 20);
}

// Random structured programs, written as syntax.
class RandomSyntax {
 public:
  explicit RandomSyntax(std::uint64_t seed) : random_(seed) {}

  imp::ProgramSyntax program() {
    syntax_.name = "random";
    syntax_.variables = {{{"x", {}}, false, {0}}, {{"y", {}}, false, {1}}, {{"a", {}}, true, {0, 1}}};
    for (const char* name : {"P", "Q"}) {
      imp::Process process{.name = {name, {}}, .copies = pick(4) == 0 ? 2u : 0u};
      in_copies_ = process.copies > 0;
      label_ = 0;
      process.body.push_back(local("r", pick(3)));
      process.body.push_back(local("s", 0));
      for (imp::Statement& s : statements(3)) process.body.push_back(std::move(s));
      syntax_.processes.push_back(std::move(process));
      if (pick(2) == 0) break;
    }
    return std::move(syntax_);
  }

 private:
  using Kind = imp::Statement::Kind;

  int pick(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }

  imp::Statement local(const std::string& name, Value value) {
    imp::Statement s{.kind = Kind::kLocal, .target = {name, {}}};
    if (value != 0) s.value = syntax_.terms.number(value);
    return s;
  }

  imp::TermId term(int depth) {
    imp::Terms& terms = syntax_.terms;
    switch (depth == 0 ? pick(5) : pick(9)) {
      case 0: return terms.number(pick(5) - 2);
      case 1: return terms.name(in_copies_ && pick(2) == 0 ? "me" : "r");
      case 2: return terms.name("s");
      case 3: return terms.name(pick(2) == 0 ? "x" : "y");
      case 4:
        return terms.element("a", pick(2) == 0
                                      ? terms.number(pick(2))
                                      : terms.binary(ExprOp::kBitAnd, terms.name("r"), terms.number(1)));
      case 5: {
        static constexpr ExprOp kUnary[] = {ExprOp::kNegate, ExprOp::kLogicalNot, ExprOp::kBitNot};
        const imp::TermId a = term(depth - 1);
        return terms.unary(kUnary[pick(3)], a);
      }
      default: {
        static constexpr ExprOp kBinary[] = {
            ExprOp::kAdd,    ExprOp::kSub,        ExprOp::kMul,       ExprOp::kEq,
            ExprOp::kNe,     ExprOp::kLt,         ExprOp::kLe,        ExprOp::kGt,
            ExprOp::kGe,     ExprOp::kLogicalAnd, ExprOp::kLogicalOr, ExprOp::kBitOr,
            ExprOp::kBitXor, ExprOp::kBitAnd,     ExprOp::kDiv,       ExprOp::kShl};
        const imp::TermId a = term(depth - 1);
        const imp::TermId b = term(depth - 1);
        return terms.binary(kBinary[pick(16)], a, b);
      }
    }
  }

  imp::Statement statement(int depth) {
    imp::Statement s;
    if (pick(3) == 0) s.label = {std::to_string(++label_), {}};
    switch (depth == 0 ? pick(6) : pick(10)) {
      case 0: s.kind = Kind::kSkip; break;
      case 1: s.kind = Kind::kFence; break;
      case 2:
        s.kind = pick(2) == 0 ? Kind::kAssert : Kind::kAssume;
        s.value = term(1);
        break;
      case 3:
      case 4:
      case 5: assignment(s); break;
      case 6:
        s.kind = Kind::kIf;
        s.value = term(1);
        s.body = statements(depth - 1);
        s.otherwise = statements(depth - 1);
        break;
      case 7:
        if (in_atomic_) break;
        s.kind = Kind::kAtomic;
        in_atomic_ = true;
        s.body = statements(depth - 1);
        in_atomic_ = false;
        break;
      default:
        s.kind = Kind::kWhile;
        s.value = pick(3) == 0 ? syntax_.terms.number(1) : term(1);
        s.body = statements(depth - 1);
    }
    return s;
  }

  void assignment(imp::Statement& s) {
    s.kind = Kind::kAssign;
    s.target.text = std::array{"x", "y", "r", "s", "a"}[static_cast<std::size_t>(pick(5))];
    if (s.target.text == "a") s.index = syntax_.terms.number(pick(2));
    s.value = term(2);
  }

  std::vector<imp::Statement> statements(int depth) {
    std::vector<imp::Statement> result;
    for (int count = pick(4); count > 0; --count) result.push_back(statement(depth));
    return result;
  }

  std::mt19937_64 random_;
  imp::ProgramSyntax syntax_;
  bool in_copies_ = false;
  bool in_atomic_ = false;
  int label_ = 0;
};

RC_GTEST_PROP(ImpPrint, RandomSyntaxComesBack, (std::uint64_t seed)) {
  const std::string text = imp::print(RandomSyntax(seed).program());
  RC_LOG() << text;
  RC_ASSERT(imp::print(imp::parse(FileId(0), text)) == text);
  auto program = parse_imp("random.imp", text);
  RC_ASSERT(program.ok());
  RC_ASSERT(validate(*program).empty());
  const auto once = print_imp(*program);
  RC_ASSERT(once.ok());
  RC_LOG() << once.value();
  RC_ASSERT(once.value().find("pc") == std::string::npos);  // our own code is structured
  auto again = parse_imp("again.imp", once.value());
  RC_ASSERT(again.ok());
  RC_ASSERT(print_imp(*again).value() == once.value());
  const bool same = static_cast<bool>(test::same_behaviour(*program, *again));
  RC_ASSERT(same);
}

// An if/else of which one side never ends can be written in two ways: this one was not written as it was read.
TEST(ImpPrint, BranchesThatNeverJoinAreWrittenInOneWay) {
  const std::string text = imp::print(RandomSyntax(296876548996u).program());
  auto program = parse_imp("random.imp", text);
  ASSERT_TRUE(program.ok()) << text;
  reprinted(*program);
}

RC_GTEST_PROP(ImpPrint, RandomGraphsKeepTheirBehaviour, ()) {
  selfcheck::Genome genome = *test::arbitrary_genome({.max_threads = 2,
                                                      .max_instructions = 5,
                                                      .ordered_stores = false,
                                                      .locks = false,
                                                      .loops = true,
                                                      .nondeterminism = false,
                                                      .choices = false,
                                                      .calls = false,
                                                      .open_memory = true,
                                                      .invariants = false,
                                                      .deadlocks = false});
  genome.open_memory = true;
  const Program program = selfcheck::build(genome);
  const auto once = print_imp(program);
  if (!once.ok()) {
    for (const Diagnostic& problem : once.error())
      RC_ASSERT(problem.message.find("store-store fence") != std::string::npos ||
                problem.message.find("atomic block") != std::string::npos ||
                problem.message.find("nondeterministic") != std::string::npos);
    RC_SUCCEED("not expressible");
  }
  RC_LOG() << once.value();
  auto again = parse_imp("again.imp", once.value());
  RC_ASSERT(again.ok());
  RC_ASSERT(validate(*again).empty());
  RC_LOG() << printed(*again);
  RC_ASSERT(print_imp(*again).value() == once.value());
  const bool same = static_cast<bool>(test::same_behaviour(program, *again));
  RC_ASSERT(same);
}

}  // namespace weir::imp_print_test
