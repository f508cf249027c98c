// Printing to Trencher: what is said with what, what is refused, and that the text means the same.
#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/trencher/trencher.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/arbitrary_genome.hpp"
#include "support/tiny_program.hpp"

namespace weir::trencher_print_test {

using test::TinyProgram;

Program from_imp(const std::string& text) {
  auto program = parse_imp("test.imp", text);
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  return program.ok() ? std::move(*program) : Program{};
}

// Prints, parses again, compares.
Program round_trip(const Program& program) {
  const auto text = print_trencher(program);
  EXPECT_TRUE(text.ok()) << test::rendered(text.ok() ? std::vector<Diagnostic>{} : text.error(),
                                           program.sources);
  if (!text.ok()) return {};
  auto again = parse_trencher("again.trn", text.value());
  EXPECT_TRUE(again.ok()) << test::rendered(again) << text.value();
  if (!again.ok()) return {};
  EXPECT_TRUE(validate(*again).empty());
  EXPECT_TRUE(test::same_behaviour(program, *again)) << text.value();
  return std::move(*again);
}

std::string refusal(const Program& program) {
  const auto text = print_trencher(program);
  return text.ok() ? "accepted" : text.error().front().message;
}

TEST(TrencherPrint, ParsedFilesComeBackAsText) {
  const std::string text =
      "name 0 flag[0]\nmemory 0 = 1\nmemory 5 = 0\n\n"
      "thread t0\ninitial q0\nfinal q1\n"
      "transition q0 q1 write + r 1 0\ntransition q1 q0 check ! == r -3\nend\n\n"
      "thread t1\ninitial q0\ntransition q0 q0 mfence\nend\n";
  const auto program = parse_trencher("t.trn", text);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(print_trencher(program.value()).value(), text);
}

TEST(TrencherPrint, ReadModifyWritesBecomeLocked) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("y", 1).exchange("r", "x", 2).load("s", "y");
  tiny.thread("Q").fetch_add("r", "x", 3).compare_exchange("s", "y", 1, 2).store_register("x", "s");
  round_trip(tiny.program());
}

TEST(TrencherPrint, ResultsMayBeOperands) {
  TinyProgram tiny({"x"});
  auto p = tiny.thread("P");
  const RegisterId r = p.reg("r");
  p.assign("r", tiny.program().constant(5));
  p.add({.op = Opcode::kRmw,
         .rmw = RmwOp::kBitXor,
         .result = r,
         .a = tiny.program().constant(0),
         .b = p.value("r")});
  p.store_register("x", "r");
  round_trip(tiny.program());
}

TEST(TrencherPrint, SequentialStoresChoicesAndInitialValues) {
  TinyProgram tiny({"x", "y"});
  auto p = tiny.thread("P");
  p.store("x", 1, Order::kSequential).load("r", "y").choose("c", 2, 4).store_register("y", "c").leave();
  tiny.program().functions[0].registers[p.reg("k").index()].initial = 7;
  p = tiny.thread("Q");
  p.store("y", 1).load("r", "x");
  tiny.program().functions[1].registers[p.reg("r").index()].initial = 9;
  round_trip(tiny.program());
}

TEST(TrencherPrint, AtomicBlocksThatAlwaysEnd) {
  round_trip(
      from_imp("program p variables x = y = 0 process P[2] begin x := 1; "
               "atomic { if x = y then y := y + 1 else x := 0 fi; fence } end"));
}

TEST(TrencherPrint, ConstantParametersBecomeNumbers) {
  const Program again =
      round_trip(from_imp("program p variables b[2] = 0, x = 0 exclusive c process P[2] begin b[me] := me + "
                          "1; c: x := b[me] end"));
  EXPECT_EQ(again.objects.size(), 3u);
  EXPECT_EQ(again.properties.goals.at(0).size(), 2u) << "mutual exclusion of two threads is a goal";
}

TEST(TrencherPrint, OperatorsThatTrencherLacks) {
  round_trip(
      from_imp("program p variables x = y = 6 process P begin local r; r := x; "
               "y := (r | 9) + (r ^ 5) + ~r + -r + (r << 3) end"));
}

TEST(TrencherPrint, MarksThatCannotBeReached) {
  Program program = from_imp(
      "program p variables x = 0 goal P:a, Q:b process P begin a: x := 1 end "
      "process Q begin while true do x := 2 od; b: skip end");
  round_trip(program);
  const LocationId lonely = program.add_location(program.threads[0].function, "lonely");
  program.properties.goals = {{{ThreadId(0), lonely}}};
  round_trip(program);
}

TEST(TrencherPrint, Refusals) {
  EXPECT_NE(refusal(from_imp("program p process P begin assert 0 end")).find("assertions"),
            std::string::npos);
  EXPECT_NE(refusal(from_imp("program p variables x = 0 process P begin atomic { assume x = 1 } end"))
                .find("a condition that can fail"),
            std::string::npos);
  EXPECT_NE(
      refusal(from_imp("program p variables x = 0 process P begin atomic { while x = 0 do skip od } end"))
          .find("a loop"),
      std::string::npos);
  EXPECT_NE(refusal(from_imp("program p variables x = 0 process P begin x := 4 / x end")).find("division"),
            std::string::npos);
  EXPECT_NE(refusal(from_imp("program p variables a[2] = 0 process P begin local i; a[i] := 1; i := 1 end"))
                .find("may miss its object"),
            std::string::npos);
  EXPECT_NE(
      refusal(from_imp("program p exclusive c process P[3] begin c: skip end")).find("more than two threads"),
      std::string::npos);
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1, Order::kRelease);
  EXPECT_NE(refusal(tiny.program()).find("a release store"), std::string::npos);
  TinyProgram barrier({"x"});
  barrier.thread("P").store_fence();
  EXPECT_NE(refusal(barrier.program()).find("a store-store fence"), std::string::npos);
}

TEST(TrencherPrint, ARefusalIsLocated) {
  const Program program = from_imp("program p\nprocess P begin\n  skip;\n  assert 0\nend");
  const auto text = print_trencher(program);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().front().position.line, 4u);
  EXPECT_EQ(text.error().front().position.column, 3u);
  EXPECT_NE(text.error().front().hint.find("--goal"), std::string::npos);
}

// Whatever is printed means the same and is printed the same again.
RC_GTEST_PROP(TrencherPrint, RandomProgramsKeepTheirBehaviour, ()) {
  selfcheck::Genome genome = *test::arbitrary_genome({.max_threads = 2,
                                                      .max_instructions = 4,
                                                      .ordered_stores = false,
                                                      .locks = false,
                                                      .assertions = false,
                                                      .calls = false,
                                                      .open_memory = true,
                                                      .exclusives = false,
                                                      .invariants = false,
                                                      .deadlocks = false});
  genome.open_memory = true;
  const Program program = selfcheck::build(genome);
  const auto text = print_trencher(program);
  if (!text.ok()) {  // blocks that may not end, barriers, and nothing else
    for (const Diagnostic& problem : text.error())
      RC_ASSERT(problem.message.find("atomic block") != std::string::npos ||
                problem.message.find("store-store fence") != std::string::npos);
    RC_SUCCEED("not expressible");
  }
  auto again = parse_trencher("again.trn", text.value());
  RC_ASSERT(again.ok());
  RC_ASSERT(validate(*again).empty());
  const bool same = static_cast<bool>(test::same_behaviour(program, *again));
  RC_ASSERT(same);
  RC_ASSERT(print_trencher(*again).value() ==
            print_trencher(*parse_trencher("third.trn", print_trencher(*again).value())).value());
}

}  // namespace weir::trencher_print_test
