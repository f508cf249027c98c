// Protects what people and scripts read about fences.
#include "report/fence_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program/fences.hpp"
#include "report/attack.hpp"

namespace weir::fence_report_test {

using namespace weir::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

RunInfo fence_run() {
  RunInfo run = robust_run();
  run.command = "fence";
  return run;
}

// One fence, in P0: with P1's in place, or without it.
FenceAnswer one_fence(const std::vector<LocationId>& others) {
  FenceAnswer answer{
      .verdict = FenceVerdict::kFound, .reason = "1 fence", .fences = {LocationId(1)}, .cost = 1.5};
  answer.needs.push_back({LocationId(1), with_fences(store_buffering(), others), overtaking()});
  return answer;
}

TEST(FenceText, EachFenceWithItsPlaceAndWhatHappensWithoutIt) {
  const Program program = store_buffering();
  const FenceAnswer answer = one_fence({});
  const FenceOptions options;
  const std::string text = fence_text({program, answer, options, "--- a patch"}, fence_run(), {});
  EXPECT_THAT(text, StartsWith("1 fence makes it robust against tso (cost 1.5):\n"));
  EXPECT_THAT(
      text, HasSubstr("sb.weir:9:5: note: a fence before this, in P0 at a\n    9 |     r := load y -> b\n"));
  EXPECT_THAT(text, HasSubstr("      = without it, thread P0 delays its store at s past its load at a\n"));
  EXPECT_THAT(text, HasSubstr("weir fence sb.weir --patch | patch -p0\n"));
}

// A fence at the load's location would rename it, if the message were made from the fenced program.
TEST(FenceText, NeedsSpeakOfTheProgramWithoutFences) {
  const Program program = store_buffering();
  FenceAnswer answer = one_fence({});
  answer.needs[0].program = with_fences(program, std::vector{LocationId(5)});  // where P1 starts
  auto& steps = answer.needs[0].witness.steps;
  steps.insert(steps.begin() + 2, instruction(1, static_cast<std::uint32_t>(program.edges.size())));
  const FenceOptions options;
  EXPECT_THAT(fence_text({program, answer, options}, fence_run(), {}),
              HasSubstr("without it, thread P0 delays its store at s past its load at a\n"));
}

TEST(FenceText, AlternativesAndPatchFiles) {
  const Program program = store_buffering();
  FenceAnswer answer = one_fence({});
  FenceOptions options;
  options.alternatives = 2;
  EXPECT_THAT(fence_text({program, answer, options}, fence_run(), {}),
              HasSubstr("There is no other set of this cost."));
  EXPECT_THAT(fence_text({program, answer, options}, fence_run(), {}),
              HasSubstr("Checked: what store buffers add, with 2 threads.\n"));
  answer.alternatives = {{LocationId(0), LocationId(6)}};
  const std::string text = fence_text({program, answer, options, "--- a patch", "p.patch"}, fence_run(), {});
  EXPECT_THAT(text, HasSubstr("Other sets of the same cost:\n  P0 at s; P1 at a\n"));
  EXPECT_THAT(text, HasSubstr("The patch is in p.patch. To apply it:  patch -p0 < p.patch\n"));
  RunInfo elsewhere = fence_run();
  elsewhere.file = "/tmp/sb.weir";
  EXPECT_THAT(fence_text({program, answer, options, "--- a patch", "p.patch"}, elsewhere, {}),
              HasSubstr("patch /tmp/sb.weir < p.patch\n"));
}

TEST(FenceText, NothingToDoAndNothingToBeDone) {
  const Program program = store_buffering();
  FenceAnswer answer{.verdict = FenceVerdict::kFound};
  FenceOptions options;
  EXPECT_EQ(fence_verdict_line({program, answer, options}, {}), "ROBUST against tso: no fence is needed\n");
  options.purpose = FencePurpose::kSafety;
  options.model = Model::kPso;
  EXPECT_EQ(fence_verdict_line({program, answer, options}, {}), "SAFE under pso: no fence is needed\n");
  answer = {.verdict = FenceVerdict::kImpossible, .witness = both_enter()};
  answer.instance = program;  // that the witness is of
  const std::string text = fence_text({program, answer, options, "", "", true}, fence_run(), {});
  EXPECT_THAT(text, StartsWith("UNSAFE under tso: mutual exclusion violated"));
  EXPECT_THAT(text, HasSubstr("It happens under sequential consistency, too, so no fence stops it.\n"));
  answer = {.verdict = FenceVerdict::kUnknown, .reason = "time limit reached"};
  EXPECT_EQ(fence_verdict_line({program, answer, options}, {}), "UNKNOWN under pso: time limit reached\n");
}

TEST(FenceJson, HasTheFieldsOfTheContract) {
  const Program program = store_buffering();
  FenceAnswer answer = one_fence({});
  answer.alternatives = {{LocationId(0)}};
  const FenceOptions options;
  const auto json = nlohmann::json::parse(fence_json({program, answer, options, "--- p"}, fence_run(), {}));
  EXPECT_EQ(json["command"], "fence");
  EXPECT_EQ(json["verdict"], "robust");
  EXPECT_EQ(json["cost"], 1.5);
  EXPECT_EQ(json["patch"], "--- p");
  ASSERT_EQ(json["fences"].size(), 1u);
  EXPECT_EQ(json["fences"][0]["thread"], "P0");
  EXPECT_EQ(json["fences"][0]["label"], "a");
  EXPECT_EQ(json["fences"][0]["file"], "sb.weir");
  EXPECT_EQ(json["fences"][0]["line"], 9);
  EXPECT_EQ(json["fences"][0]["without"], "thread P0 delays its store at s past its load at a");
  EXPECT_EQ(json["alternatives"][0][0]["label"], "s");
}

// Threads whose text is the same share their code, and each needs its own fence.
TEST(FenceJson, OneFencePerCopyOfTheCode) {
  Program program = store_buffering();
  program.threads[1].function = program.threads[0].function;
  program.functions[0].copies = 2;
  FenceAnswer answer = one_fence({});
  const FenceOptions options;
  EXPECT_THAT(fence_verdict_line({program, answer, options}, {}), StartsWith("2 fences make it robust"));
  const auto json = nlohmann::json::parse(fence_json({program, answer, options}, fence_run(), {}));
  ASSERT_EQ(json["fences"].size(), 2u);
  EXPECT_EQ(json["fences"][1]["thread"], "P1");
  EXPECT_EQ(json["fences"][1]["line"], 0);  // the line of P1 that would be the same is another
}

}  // namespace weir::fence_report_test
