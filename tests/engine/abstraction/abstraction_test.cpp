// Each abstraction proves what it can and no more, refinement finds the queue that is long enough, and what
// the engine does not decide it refuses with a reason.
#include "engine/abstraction/abstraction.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "check/replay.hpp"
#include "frontend/trencher/trencher.hpp"
#include "support/tiny_program.hpp"

namespace weir::abstraction_test {

using test::TinyProgram;

Answer ask(const Program& program, const AbstractionOptions& options = {}) {
  Context context;
  return check_abstraction(program, options, context);
}

std::uint64_t figure(const Answer& answer, std::string_view name) {
  return std::get<std::uint64_t>(*answer.statistics.find(name));
}

struct Promise {
  std::string file, abstraction, verdict;
};

void PrintTo(const Promise& promise, std::ostream* out) {
  *out << promise.file << " " << promise.abstraction << " " << promise.verdict;
}

const std::filesystem::path kPrograms = std::filesystem::path(WEIR_SOURCE_DIR) / "tests/programs/abstraction";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// From the first lines of the programs.
std::vector<Promise> promises() {
  std::vector<Promise> all;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms)) {
    const std::string text = text_of(entry.path());
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(first.find("# abstraction:"), std::string::npos) << entry.path();
    static const std::regex promise("(set|multiset|refined|[0-9]+) (safe|unsafe|unknown)");
    for (auto at = std::sregex_iterator(first.begin(), first.end(), promise); at != std::sregex_iterator();
         ++at)
      all.push_back({entry.path().filename().string(), (*at)[1].str(), (*at)[2].str()});
  }
  std::ranges::sort(all, {}, [](const Promise& p) { return std::pair(p.file, p.abstraction); });
  return all;
}

class AbstractionPrograms : public testing::TestWithParam<Promise> {};

TEST_P(AbstractionPrograms, GiveThePromisedVerdict) {
  const Promise& promise = GetParam();
  auto program = parse_trencher(promise.file, text_of(kPrograms / promise.file));
  ASSERT_TRUE(program.ok());
  AbstractionOptions options;
  if (promise.abstraction != "refined") options.only = parse_abstraction(promise.abstraction);
  const Answer answer = ask(*program, options);
  EXPECT_EQ(name(answer.verdict), promise.verdict) << answer.reason;
  if (options.only && answer.verdict != Verdict::kUnsafe) {
    EXPECT_NE(answer.reason.find(describe(*options.only)), std::string::npos) << answer.reason;
  }
  if (!answer.witness) return;
  const ReplayResult result = replay(*program, *answer.witness);
  EXPECT_TRUE(result.reproduced) << result.failure;
}

INSTANTIATE_TEST_SUITE_P(All, AbstractionPrograms, testing::ValuesIn(promises()), [](const auto& test) {
  std::string name = test.param.file + "_" + test.param.abstraction;
  std::ranges::replace(name, '.', '_');
  return name;
});

// The candidate of the multisets swaps the second store with the third: a queue of one would not exclude it,
// so none is tried.
TEST(Abstraction, TheQueueIsAsLongAsTheCandidateNeeds) {
  auto program = parse_trencher("third_store.trn", text_of(kPrograms / "third_store.trn"));
  const Answer answer = ask(*program);
  EXPECT_EQ(answer.verdict, Verdict::kSafe);
  EXPECT_EQ(figure(answer, "rounds"), 2u);
  EXPECT_EQ(figure(answer, "spurious"), 1u);
  EXPECT_EQ(figure(answer, "queue"), 2u);
  EXPECT_NE(answer.reason.find("the first 2 buffered stores and the set of the others"), std::string::npos);
}

// Multisets prove the program safe, and say so.
TEST(Abstraction, MultisetsNeedNoQueue) {
  auto program = parse_trencher("figure_3_7.trn", text_of(kPrograms / "figure_3_7.trn"));
  const Answer answer = ask(*program);
  EXPECT_EQ(figure(answer, "rounds"), 1u);
  EXPECT_EQ(answer.statistics.find("queue"), nullptr);
  EXPECT_NE(answer.reason.find("the multiset of buffered stores"), std::string::npos) << answer.reason;
}

// A variable that counts has no end of values for the backward search: the rounds begin with the set.
TEST(Abstraction, CountersAreLeftToTheSearchOfStates) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 1).load("r", "x").assert_equal("r", 1);
  const Answer answer = ask(tiny.program());
  EXPECT_EQ(answer.verdict, Verdict::kSafe);
  EXPECT_NE(answer.reason.find("the set of buffered stores"), std::string::npos) << answer.reason;
}

Program with_property(void (*change)(Properties&)) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  change(tiny.program().properties);
  return tiny.program();
}

TEST(Abstraction, WhatIsNotDecidedIsRefused) {
  for (const auto change : {+[](Properties& p) { p.deadlock = true; }, +[](Properties& p) { p.races = true; },
                            +[](Properties& p) { p.leaks = true; }}) {
    const Answer answer = ask(with_property(change));
    EXPECT_EQ(answer.verdict, Verdict::kUnknown);
    EXPECT_NE(answer.reason.find("not looked for"), std::string::npos) << answer.reason;
  }
}

// The failing instruction is inside an atomic block, and the block of another thread leads to it.
TEST(Abstraction, FailuresInsideAtomicBlocks) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("x", 1).store("y", 1).atomic_end();
  tiny.thread("Q")
      .atomic_begin()
      .load("r", "x")
      .assume_equal("r", 1)
      .load("r", "y")
      .assert_equal("r", 0)
      .atomic_end();
  for (const auto& only : {std::optional<BufferAbstraction>(), std::optional(kSetAbstraction)}) {
    AbstractionOptions options;
    options.only = only;
    const Answer answer = ask(tiny.program(), options);
    ASSERT_EQ(answer.verdict, Verdict::kUnsafe) << answer.reason;
    EXPECT_TRUE(replay(tiny.program(), *answer.witness).reproduced);
  }
}

// Both writes of the block are seen, or none.
TEST(Abstraction, AtomicBlocksAreNotInterrupted) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").atomic_begin().store("x", 1).store("y", 1).atomic_end();
  tiny.thread("Q").load("r", "x").assume_equal("r", 1).load("r", "y").assert_equal("r", 1);
  EXPECT_EQ(ask(tiny.program()).verdict, Verdict::kSafe);
}

TEST(Abstraction, EndsWhenItIsTold) {
  auto program = parse_trencher("figure_3_3.trn", text_of(kPrograms / "figure_3_3.trn"));
  Context context;
  context.request_stop(StopReason::kInterrupt);
  EXPECT_EQ(check_abstraction(*program, {}, context).verdict, Verdict::kUnknown);
}

}  // namespace weir::abstraction_test
