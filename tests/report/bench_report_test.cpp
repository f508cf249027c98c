// What the comparison of engines tells: that two of them contradict each other, and what the plot is about.
#include "report/bench_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::bench_report_test {

using testing::HasSubstr;
using testing::IsEmpty;

BenchReport two_engines(const std::string& first, const std::string& second) {
  return {.engines = {"explicit", "dual"},
          .runs = {{"a.imp", "tso", "explicit", first, "", 0.5}, {"a.imp", "tso", "dual", second, "", 2}}};
}

TEST(BenchReport, ContradictionsAreFound) {
  EXPECT_THAT(contradiction(two_engines("safe", "safe")), IsEmpty());
  EXPECT_THAT(contradiction(two_engines("safe", "unknown")), IsEmpty());
  EXPECT_THAT(contradiction(two_engines("error", "unsafe")), IsEmpty());
  EXPECT_EQ(contradiction(two_engines("safe", "unsafe")),
            "a.imp under tso: explicit says safe, dual says unsafe");
}

TEST(BenchReport, OtherModelsMayDiffer) {
  BenchReport report = two_engines("safe", "unsafe");
  report.runs[0].model = "sc";
  EXPECT_THAT(contradiction(report), IsEmpty());
}

TEST(BenchReport, TheTableHasACellForEachEngine) {
  const std::string text = bench_text(two_engines("safe", "unknown"));
  EXPECT_THAT(text, HasSubstr("program  model  explicit     dual\n"));
  EXPECT_THAT(text, HasSubstr("a.imp    tso    safe 0.50 s  unknown 2.00 s\n"));
  EXPECT_THAT(text, HasSubstr("explicit: 1 of 1 decided, in 0.50 s"));
  EXPECT_THAT(text, HasSubstr("dual: 0 of 1 decided"));
}

// Within a tenth of a second, and one and a half times the best engine's time: near; three times: close.
TEST(BenchReport, TheDistanceOfAutoFromTheBestEngine) {
  BenchReport report{.engines = {"explicit", "dual", "auto"}, .runs = {}};
  const auto add = [&](const char* file, double best, double other, double automatic, const char* verdict) {
    report.runs.push_back({file, "tso", "explicit", "safe", "", other});
    report.runs.push_back({file, "tso", "dual", "safe", "", best});
    report.runs.push_back({file, "tso", "auto", verdict, "", automatic});
  };
  add("near.imp", 1, 5, 1.5, "safe");
  add("close.imp", 1, 5, 2.9, "safe");
  add("far.imp", 1, 5, 3.2, "safe");
  add("undecided.imp", 1, 5, 1, "unknown");
  const Distance distance = distance_from_best(report, "auto");
  EXPECT_EQ(distance.decided_by_some, 4u);
  EXPECT_EQ(distance.decided, 3u);
  EXPECT_EQ(distance.near, 1u);
  EXPECT_EQ(distance.close, 2u);
  ASSERT_EQ(distance.far.size(), 2u);
  EXPECT_THAT(bench_text(report), HasSubstr("auto: decided 3 of 4 that an engine decided; 25.0 % in 1.5"));
  EXPECT_THAT(bench_text(report),
              HasSubstr("far from the best: far.imp under tso, safe in 3.20 s, not 1.00 s"));
}

TEST(BenchReport, TwoEnginesAreDrawnAgainstEachOther) {
  EXPECT_THAT(bench_svg(two_engines("safe", "safe")), HasSubstr("dual, seconds"));
  BenchReport three = two_engines("safe", "safe");
  three.engines.push_back("lazy");
  EXPECT_THAT(bench_svg(three), HasSubstr("programs decided"));
}

}  // namespace weir::bench_report_test
