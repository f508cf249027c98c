// Printing to RMM, and from RMM to the other languages: what is said with what, what is refused, and that the
// text means the same.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/analysis/polling.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/arbitrary_genome.hpp"
#include "support/tiny_program.hpp"

namespace weir::rmm_print_test {

using test::TinyProgram;

Program from_imp(const std::string& text) {
  auto program = parse_imp("test.imp", text);
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  return program.ok() ? std::move(*program) : Program{};
}

Program from_rmm(const std::string& text) {
  auto program = parse_rmm("test.rmm", text);
  EXPECT_TRUE(program.ok()) << test::rendered(program) << text;
  if (!program.ok()) return {};
  EXPECT_TRUE(validate(*program).empty());
  return std::move(*program);
}

// Can something bad happen? Nothing if there are too many states.
std::optional<bool> is_violated(const Program& program, Model model) {
  const ReferenceExploration explored = explore_all(program, model, {.states = 20'000, .buffered_stores = 6});
  if (!explored.complete && explored.violations.empty()) return std::nullopt;
  return !explored.violations.empty();
}

::testing::AssertionResult same_verdicts(const Program& a, const Program& b) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const auto x = is_violated(a, model), y = is_violated(b, model);
    if (x && y && *x != *y)
      return ::testing::AssertionFailure()
             << "the first is " << (*x ? "un" : "") << "safe under " << name(model) << ", the second is not";
  }
  return ::testing::AssertionSuccess();
}

// What memory can hold when nothing happens any more, as the values of the variables in their order. Nothing
// if there are too many states.
std::optional<std::set<std::vector<Value>>> final_values(const Program& program, Model model) {
  std::vector<Value> addresses;
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k)
      addresses.push_back(object.base + static_cast<Value>(k));
  std::ranges::sort(addresses);
  const ReferenceExploration explored = explore_all(program, model, {.states = 20'000, .buffered_stores = 6});
  if (!explored.complete) return std::nullopt;
  std::set<std::vector<Value>> result;
  for (const ReferenceState& state : explored.terminal) {
    std::vector<Value> values;
    for (const Value address : addresses) {
      const auto changed = state.memory.find(address);
      const SharedObject& object = program.object(*program.object_at(address));
      values.push_back(changed != state.memory.end()
                           ? changed->second
                           : object.initial[static_cast<std::size_t>(address - object.base)]);
    }
    result.insert(std::move(values));
  }
  return result;
}

Program round_trip(const Program& program) {
  const auto text = print_rmm(program);
  EXPECT_TRUE(text.ok()) << test::rendered(text.ok() ? std::vector<Diagnostic>{} : text.error(),
                                           program.sources);
  if (!text.ok()) return {};
  Program again = from_rmm(text.value());
  EXPECT_TRUE(same_verdicts(program, again)) << text.value();
  return again;
}

std::string refusal(const Program& program) {
  const auto text = print_rmm(program);
  return text.ok() ? "accepted" : text.error().front().message;
}

TEST(RmmPrint, LooksLikeThis) {
  const Program program = from_imp(
      "program p variables x = y = 0, goal = 0 exclusive cs\n"
      "process P[2] begin local r; x := 1; r := y; if r = 0 then cs: skip fi end");
  EXPECT_EQ(print_rmm(program).value(), R"(forbidden
  cs cs

data
  x = 0
  y = 0
  goal = 0

process(2)
registers
  $r = 0
text
  q0:
    write: x := 1;
  q2:
    read: $r := y;
  q3:
    either {
      assume: $r = 0; goto cs
    or
      assume: not [$r = 0]; goto q1
    };
  cs:
    goto q1;
  q1:
    goto end;
  never: goto end;
  end: nop
)");
  round_trip(program);
}

TEST(RmmPrint, ReadModifyWritesAreLocked) {
  TinyProgram tiny({"x", "y"});
  auto p = tiny.thread("P").store("y", 1).exchange("r", "x", 2).load("s", "y").assume_equal("s", 7);
  auto q = tiny.thread("Q")
               .fetch_add("r", "x", 3)
               .compare_exchange("s", "y", 1, 7)
               .store_register("x", "s")
               .assume_equal("r", 2);
  tiny.program().properties.goals = {{{p.id(), p.here()}, {q.id(), q.here()}}};
  EXPECT_EQ(is_violated(tiny.program(), Model::kTso), true);
  round_trip(tiny.program());
}

TEST(RmmPrint, AssertionsAreForbiddenLabels) {
  const Program program = from_imp(
      "program p variables x = y = 0 process P begin x := 1; assert y = 0 end process Q begin y := 2; assert "
      "x = 0 end");
  const Program again = round_trip(program);
  EXPECT_EQ(again.properties.goals.size(), 2u);
  EXPECT_EQ(is_violated(again, Model::kSc), true);
  const Program block = from_imp(
      "program p variables x = y = 0 process P begin x := 1 end process Q begin atomic { y := 1; assert x = "
      "0; y := 2; assume x = 3 } end");
  EXPECT_EQ(is_violated(block, Model::kSc), true);
  EXPECT_EQ(is_violated(round_trip(block), Model::kSc), true)
      << "the block fails, although it cannot come to its end";
}

TEST(RmmPrint, WaitingLoads) {
  const std::string text =
      "forbidden End * data x = 0 process text read: x = 2; End: nop process text write: x := 2; write: x := "
      "3";
  const Program program = from_rmm(text);
  EXPECT_NE(print_rmm(program).value().find("read: x = 2"), std::string::npos);
  round_trip(program);
  Program waits = program;  // until the value is another one
  for (Edge& edge : waits.edges) edge.instruction.until = false;
  round_trip(waits);
}

TEST(RmmPrint, TruthValuesAndChoices) {
  const Program again = round_trip(from_imp(
      "program p variables x = 0 goal P:bad process P begin local r := 2; local t; t := r = 2 and x = 0; "
      "assume t = 1; bad: skip end"));
  EXPECT_EQ(is_violated(again, Model::kSc), true);
  TinyProgram tiny({"x"});
  auto p = tiny.thread("P").choose("c", -1, 2).store_register("x", "c").assume_equal("c", -1);
  tiny.program().properties.goals = {{{p.id(), p.here()}}};
  EXPECT_EQ(is_violated(round_trip(tiny.program()), Model::kSc), true);
}

TEST(RmmPrint, SaysWhatItCannotSay) {
  const auto imp = [](const std::string& body) {
    return refusal(from_imp("program p variables x = 0, a[2] = 0 process P begin local r; " + body + " end"));
  };
  EXPECT_EQ(imp("r := r * 2"), "RMM cannot express a multiplication");
  EXPECT_EQ(imp("r := r / 2"), "RMM cannot express division");
  EXPECT_EQ(imp("r := 1 + (r = 2)"), "RMM cannot express a comparison inside of an expression");
  EXPECT_EQ(imp("r := a[r]"),
            "RMM cannot express computed addresses, unless all variables lie side by side from address 0");
  EXPECT_EQ(imp("atomic { while x = 0 do r := r + 1 od }"),
            "RMM cannot express a loop inside of an atomic block");
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().unlock();
  EXPECT_EQ(refusal(tiny.program()), "RMM cannot express the global lock");
  TinyProgram release({"x"});
  release.thread("P").store("x", 1, Order::kRelease);
  EXPECT_EQ(refusal(release.program()), "RMM cannot express release stores");
}

TEST(RmmPrint, OwnProgramsComeBack) {
  round_trip(from_rmm(
      "forbidden A B ; B B data x = * : [0:1] y = 3 process(2) data f = 0 : [0:1] registers $r = 0 : [0:5] "
      "text A: write: f[my] := 1; read: $r := f[0]; either { read: x = 1; cas(y, 3, $r + 4) or fence }; "
      "locked { write: x := 1; read: y = 7 or nop }; B: nop"));
  round_trip(
      from_rmm("forbidden End data x = 0 y = 0 : [0:3] process registers $p = * : [0:1] text "
               "write: [$p] := $p + 2; read: y = 3; End: nop"));
}

// What is printed once is printed the same again.
RC_GTEST_PROP(RmmPrint, RandomProgramsKeepTheirBehaviour, ()) {
  selfcheck::GeneratorShape shape{.max_threads = 3,
                                  .max_instructions = 4,
                                  .ordered_stores = false,
                                  .locks = false,
                                  .loops = true,
                                  .assertions = false,
                                  .calls = false,
                                  .open_memory = true,
                                  .several_goals = true,
                                  .invariants = false,
                                  .deadlocks = false};
  shape.extra.awaited_values = true;
  selfcheck::Genome genome = *test::arbitrary_genome(shape);
  genome.open_memory = true;
  const Program program = selfcheck::build(genome);
  const auto text = print_rmm(program);
  if (!text.ok()) {
    for (const Diagnostic& problem : text.error())
      RC_ASSERT(problem.message.find("store-store fence") != std::string::npos ||
                problem.message.find("atomic block") != std::string::npos);
    RC_SUCCEED("not expressible");
  }
  RC_LOG() << text.value();
  auto again = parse_rmm("again.rmm", text.value());
  RC_ASSERT(again.ok());
  RC_ASSERT(validate(*again).empty());
  const bool same = static_cast<bool>(same_verdicts(program, *again));
  RC_ASSERT(same);
  for (const Model model : {Model::kSc, Model::kTso})
    if (const auto first = final_values(program, model), second = final_values(*again, model);
        first && second)
      RC_ASSERT(*first == *second);
}

RC_GTEST_PROP(RmmPrint, RandomAssertionsKeepTheirVerdicts, ()) {
  selfcheck::Genome genome = *test::arbitrary_genome({.max_threads = 2,
                                                      .max_instructions = 5,
                                                      .ordered_stores = false,
                                                      .locks = false,
                                                      .calls = false,
                                                      .open_memory = true,
                                                      .invariants = false,
                                                      .deadlocks = false});
  genome.open_memory = true;
  const Program program = selfcheck::build(genome);
  const auto text = print_rmm(program);
  if (!text.ok()) RC_SUCCEED("not expressible");
  RC_LOG() << text.value();
  auto again = parse_rmm("again.rmm", text.value());
  RC_ASSERT(again.ok());
  const bool same = static_cast<bool>(same_verdicts(program, *again));
  RC_ASSERT(same);
}

// The programs of the bench, with the verdict that their first lines promise, and through the other
// languages.

struct BenchFile {
  std::filesystem::path path;
  std::string text;
};

std::vector<BenchFile> bench_files() {
  std::vector<BenchFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(WEIR_SOURCE_DIR "/bench/dual"))
    if (entry.path().extension() == ".rmm")
      files.push_back({entry.path(), test::read_file(entry.path().string())});
  std::ranges::sort(files, {}, &BenchFile::path);
  return files;
}

class RmmBench : public testing::TestWithParam<BenchFile> {};

Verdict verdict(const Program& program, Model model) {
  Context context;
  const Answer answer = check_explicit(program, {.model = model}, context);
  EXPECT_TRUE(!answer.witness || replay(program, *answer.witness).reproduced);
  return answer.verdict;
}

TEST_P(RmmBench, HasThePromisedVerdict) {
  const Program program = from_rmm(GetParam().text);
  const bool safe = GetParam().text.find("// expect tso: safe") != std::string::npos;
  ASSERT_TRUE(safe || GetParam().text.find("// expect tso: unsafe") != std::string::npos);
  EXPECT_EQ(verdict(program, Model::kSc), Verdict::kSafe);
  EXPECT_EQ(verdict(program, Model::kTso), safe ? Verdict::kSafe : Verdict::kUnsafe);
}

TEST_P(RmmBench, IsTheSameInOtherLanguages) {
  const Program program = from_rmm(GetParam().text);
  const Verdict expected = verdict(program, Model::kTso);
  if (const auto text = print_rmm(program); text.ok()) {
    EXPECT_EQ(verdict(from_rmm(text.value()), Model::kTso), expected) << text.value();
  }
  if (const auto text = print_trencher(with_polling(program)); text.ok()) {
    auto again = parse_trencher("again.trn", text.value());
    ASSERT_TRUE(again.ok()) << test::rendered(again) << text.value();
    EXPECT_EQ(verdict(*again, Model::kTso), expected) << text.value();
  }
  if (const auto text = print_imp(with_polling(program)); text.ok()) {
    EXPECT_EQ(verdict(from_imp(text.value()), Model::kTso), expected) << text.value();
  }
}

INSTANTIATE_TEST_SUITE_P(All, RmmBench, testing::ValuesIn(bench_files()), [](const auto& test) {
  std::string label = test.param.path.stem().string();
  std::ranges::replace_if(
      label, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return label;
});

}  // namespace weir::rmm_print_test
