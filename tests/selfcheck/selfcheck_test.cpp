// The self-check itself: what happens to a number depends on nothing else, everything is compared with
// something, and a disagreement becomes a small program that can be loaded again. Whether it finds mistakes
// in the engines is shown by mutation_test.py.
#include "selfcheck/selfcheck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/text/text.hpp"
#include "program/validate.hpp"
#include "selfcheck/selfcheck_report.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::selfcheck_test {

using namespace selfcheck;
using testing::HasSubstr;

SelfcheckResult check(std::uint64_t count, std::size_t jobs, std::vector<std::string> comparisons = {}) {
  SelfcheckOptions options{.seed = 5, .count = count, .jobs = jobs, .comparisons = std::move(comparisons)};
  Context context;
  return run_selfcheck(options, context);
}

std::string all_text(const RandomInput& random) {
  const auto* genome = std::get_if<Genome>(&random.input);
  return genome != nullptr ? print(build(*genome)) : "an array system";
}

TEST(Selfcheck, ProgramsDependOnSeedAndNumberOnly) {
  const RandomInputs some(5, {}, {}), same(5, {}, {}), others(6, {}, {});
  std::size_t different = 0;
  for (std::uint64_t number = 0; number < 50; ++number) {
    EXPECT_EQ(all_text(some.input(number)), all_text(same.input(number)));
    different += all_text(some.input(number)) != all_text(others.input(number)) ? 1 : 0;
  }
  EXPECT_GT(different, 40u);
}

TEST(Selfcheck, JobsDoNotChangeWhatIsCompared) {
  const std::vector<std::string> quick = {"lazy", "outcomes", "robust", "smc"};
  const SelfcheckResult one = check(30, 1, quick), two = check(30, 2, quick);
  EXPECT_FALSE(one.disagreement.has_value());
  EXPECT_EQ(one.ledger.tallies(), two.ledger.tallies());
  EXPECT_EQ(one.inputs, 30u);
}

TEST(Selfcheck, EveryComparisonIsMadeOnSomeInput) {
  for (const std::string& name : comparison_names()) {
    if (name.starts_with("array")) continue;
    const std::uint64_t programs = name == "races" ? 40 : 4;  // few ask for data races
    const SelfcheckResult result = check(programs, 1, {name});
    EXPECT_GT(result.ledger.all_compared(), 0u) << name;
    EXPECT_FALSE(result.disagreement.has_value()) << name;
  }
}

TEST(Selfcheck, OptionsShapePrograms) {
  const InputOptions options{.threads = 1, .features = std::vector<std::string>{"branches"}};
  const RandomInputs inputs(5, options, {"explicit"});
  for (std::uint64_t number = 0; number < 40; ++number) {
    const RandomInput random = inputs.input(number);
    const Program program = build(std::get<Genome>(random.input));
    EXPECT_EQ(program.threads.size(), 1u);
    for (const Edge& edge : program.edges) {
      EXPECT_NE(edge.instruction.op, Opcode::kFence);
      EXPECT_NE(edge.instruction.op, Opcode::kLock);
      EXPECT_NE(edge.instruction.op, Opcode::kRmw);
    }
  }
}

TEST(Selfcheck, GivenProgramsGoThroughAllEngines) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("s", "x");
  const SelfcheckResult result = selfcheck_program(tiny.program(), {});
  EXPECT_FALSE(result.disagreement.has_value());
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const auto& tallies = result.ledger.tallies();
    EXPECT_EQ(tallies.at({"explicit dynamic", "reference machine", model}).compared, 4u);
    EXPECT_EQ(tallies.at({"smc rf", "all executions", model}).compared, 1u);
    EXPECT_EQ(tallies.at({"final states by search", "by axioms", model}).compared, 1u);
  }
}

TEST(Selfcheck, FilesOfDisagreementsCanBeLoadedAgain) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  const Disagreement found{.comparison = "dual",
                           .problem = "explicit says safe,\ndual unsafe",
                           .text = print(tiny.program()),
                           .suffix = ".weir",
                           .commands = {"weir check a.weir --engine dual"}};
  const std::string text = selfcheck_file(found);
  EXPECT_THAT(text, HasSubstr("// weir check a.weir --engine dual\n"));
  auto program = parse_program_text("a.weir", text);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(validate(*program).empty());
  EXPECT_EQ(print(*program), found.text);
}

TEST(Ledger, AddsUp) {
  const ComparedPair pair{"dual", "explicit", Model::kTso};
  Ledger one, two;
  one.compared(pair, 2);
  two.compared(pair);
  two.left_out(pair, "too large", 3);
  one.add(two);
  EXPECT_EQ(one.tallies().at(pair).compared, 3u);
  EXPECT_EQ(one.tallies().at(pair).all_left_out(), 3u);
  EXPECT_EQ(one.all_compared(), 3u);
}

}  // namespace weir::test::selfcheck_test
