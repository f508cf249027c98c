// Protects the Promela writer: what it writes, what it refuses, and, where SPIN is installed, that SPIN
// agrees.
#include "export/promela/promela.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::promela_test {

using ::testing::HasSubstr;

Program parsed(const std::string& text) {
  auto result = parse_program_text("test.weir", "weir 1\n" + text);
  if (!result) ADD_FAILURE() << render(result.error().diagnostics[0], result.error().sources);
  Program program = result ? std::move(*result) : Program{};
  for (const auto& mistake : validate(program)) ADD_FAILURE() << mistake.message;
  return program;
}

std::string refusal(const std::string& text) {
  const auto result = promela(parsed(text));
  return result ? "" : result.error().at(0).message;
}

struct SpinResult {
  bool error = false;
  long states = 0;
};

// Runs SPIN's verifier, without its reduction so that the states can be compared; nothing if SPIN is missing.
std::optional<SpinResult> run_spin(const std::string& model, bool deadlock = false) {
  namespace fs = std::filesystem;
  if (std::system("command -v spin gcc >/dev/null 2>&1") != 0) return std::nullopt;
  std::string folder = (fs::temp_directory_path() / "weir-spin-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return std::nullopt;
  std::ofstream(folder + "/m.pml") << model;
  const std::string command =
      "cd " + folder +
      " && spin -a m.pml >log 2>&1 && gcc -w -O1 -DSAFETY -DNOREDUCE -o pan pan.c 2>>log && ./pan " +
      (deadlock ? "" : "-E") + " >out 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::stringstream out;
  out << std::ifstream(folder + "/out").rdbuf();
  fs::remove_all(folder);
  const std::string text = out.str();
  SpinResult result{.error = text.find("errors: 0") == std::string::npos};
  const std::size_t stored = text.find(" states, stored");
  EXPECT_NE(stored, std::string::npos) << text;
  if (stored == std::string::npos) return result;
  result.states = std::atol(text.c_str() + text.rfind('\n', stored) + 1);
  return result;
}

std::string peterson(bool correct) {
  return std::string(R"(shared flag = 0, 0
shared turn = 0
function p(me)
  register f
  register t
  start:
    store flag[me] := )") +
         (correct ? "1" : "0") + R"( -> a
  a:
    store turn := 1 - me -> b
  b:
    f := load flag[1 - me] -> c
  c:
    assume f == 0 -> critical
    assume f != 0 -> d
  d:
    t := load turn -> e
  e:
    assume t == me -> critical
    assume t != me -> b
  critical:
    store flag[me] := 0 -> start
end
thread P0 = p(0)
thread P1 = p(1)
exclusive P0 at critical, P1 at critical
)";
}

void expect_spin(const std::string& program, bool error, std::optional<long> states = std::nullopt) {
  const Program parsed_program = parsed(program);
  const auto model = promela(parsed_program);
  ASSERT_TRUE(model.ok()) << model.error()[0].message;
  const auto result = run_spin(model.value(), parsed_program.properties.deadlock);
  ASSERT_TRUE(result.has_value()) << "SPIN is needed here: scripts/setup.sh test installs it";
  EXPECT_EQ(result->error, error) << model.value();
  EXPECT_EQ(result->states, states.value_or(result->states)) << model.value();
}

// 32 is also what the explicit engine counts.
TEST(Promela, SpinProvesPetersonWithTheSameNumberOfStates) { expect_spin(peterson(true), false, 32); }
TEST(Promela, SpinFindsTheBrokenPeterson) { expect_spin(peterson(false), true); }

TEST(Promela, InvariantsAndAssertions) {
  const std::string increment =
      "shared x\nfunction f()\n register r\n s:\n r := load x -> a\n a:\n store x := r + 1 -> b\n b:\nend\n"
      "thread A = f()\nthread B = f()\n";
  expect_spin(increment + "invariant x <= 2\n", false);
  expect_spin(increment + "invariant x <= 1\n", true);
  expect_spin(increment + "invariant A.r + B.r <= 0\n", true);
  expect_spin(
      "function f()\n register r\n s:\n r := choose 0 .. 3 -> a\n a:\n assert r < 3 -> b\n b:\nend\nthread T "
      "= f()\n",
      true);
  expect_spin(
      "function f()\n register r\n s:\n r := choose 0 .. 3 -> a\n a:\n assert r < 4 -> b\n b:\nend\nthread T "
      "= f()\n",
      false);
}

TEST(Promela, GoalNeedsAllThreads) {
  const std::string toggle =
      "shared x\nfunction f(v)\n s:\n store x := v -> a\n a:\n store x := 0 -> s\nend\n"
      "thread A = f(1)\nthread B = f(2)\n";
  expect_spin(toggle + "goal A at a\ngoal B at a\n", true);
  const std::string once =
      "shared x\nfunction f()\n register r\n s:\n r := rmw exchange x, 1 -> t\n t:\n assume r == 0 -> won\n"
      " assume r != 0 -> lost\n won:\n lost:\nend\nthread A = f()\nthread B = f()\n";
  expect_spin(once + "goal A at won\ngoal B at won\n", false);
  expect_spin(once + "goal A at won\ngoal B at lost\n", true);
  expect_spin(once + "goal A at won\ngoal B at won\nor goal A at lost\ngoal B at lost\n", false);
  expect_spin(once + "goal A at won\ngoal B at won\nor goal A at lost\ngoal B at won\n", true);
}

TEST(Promela, LocksAndAtomicBlocks) {
  // Two increments; once both are done, none may be lost.
  const auto counter = [](const std::string& in, const std::string& out) {
    return "shared x\nshared done\nfunction f()\n register r\n s:\n " + in +
           " -> a\n a:\n r := load x -> b\n b:\n store x := r + 1 -> c\n c:\n " + out +
           " -> d\n d:\n rmw add done, 1 -> e\n e:\nend\nthread A = f()\nthread B = f()\n"
           "invariant done != 2 || x == 2\n";
  };
  expect_spin(counter("nop", "nop"), true);
  expect_spin(counter("lock", "unlock"), false);
  expect_spin(counter("atomic_begin", "atomic_end"), false);
}

TEST(Promela, AtomicBlockThatCannotReachItsEndDoesNothing) {
  const auto test_and_set = [](const std::string& begin, const std::string& end) {
    return "shared m\nfunction f()\n register r\n s:\n " + begin +
           " -> a\n a:\n r := load m -> b\n b:\n assume r == 0 -> c\n c:\n store m := 1 -> d\n d:\n " + end +
           " -> cs\n cs:\n store m := 0 -> s\nend\nthread A = f()\nthread B = f()\nexclusive A at cs, B at "
           "cs\n";
  };
  expect_spin(test_and_set("atomic_begin", "atomic_end"), false);
  expect_spin(test_and_set("nop", "nop"), true);
}

TEST(Promela, DeadlockIsAnInvalidEndState) {
  const std::string wait =
      "shared x\nfunction f()\n register r\n s:\n r := load x -> t\n t:\n assume r == 1 -> u\n u:\nend\n"
      "thread A = f()\n";
  expect_spin(wait + "deadlock\n", true);
  expect_spin(wait, false);
}

TEST(Promela, RefusesWhatItCannotSay) {
  EXPECT_THAT(
      refusal(
          "function g()\n s:\n return\nend\nfunction f()\n s:\n call g() -> t\n t:\nend\nthread T = f()\n"),
      HasSubstr("calls"));
  EXPECT_THAT(refusal("shared x : u8\nfunction f()\n register r : u8\n s:\n r := load u8 x -> t\n "
                      "t:\nend\nthread T = f()\n"),
              HasSubstr("u8"));
  EXPECT_THAT(
      refusal("open memory\nfunction f(p)\n register r\n s:\n r := load [r] -> s\nend\nthread T = f(0)\n"),
      HasSubstr("names no object"));
  EXPECT_THAT(
      refusal("shared x\nfunction f()\n s:\n store x := 99999999999 -> t\n t:\nend\nthread T = f()\n"),
      HasSubstr("32 bits"));
}

}  // namespace weir::promela_test
