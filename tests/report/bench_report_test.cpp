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

TEST(BenchReport, TwoEnginesAreDrawnAgainstEachOther) {
  EXPECT_THAT(bench_svg(two_engines("safe", "safe")), HasSubstr("dual, seconds"));
  BenchReport three = two_engines("safe", "safe");
  three.engines.push_back("lazy");
  EXPECT_THAT(bench_svg(three), HasSubstr("programs decided"));
}

}  // namespace weir::bench_report_test
