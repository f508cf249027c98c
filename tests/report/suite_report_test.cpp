// Protects the reports about suites: what is not as expected is visible in each of them.
#include "report/suite_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::suite_report_test {

using testing::HasSubstr;
using testing::Not;

SuiteReport example() {
  SuiteReport report{.version = "1.2.3", .seconds = 2, .exit_code = 10};
  report.runs = {
      {.file = "a.c",
       .model = "sc",
       .expected = "safe",
       .verdict = "safe",
       .outcome = SuiteOutcome::kExpected},
      {.file = "a.c",
       .model = "tso",
       .expected = "safe",
       .verdict = "unsafe",
       .detail = "x < \"1\"",
       .outcome = SuiteOutcome::kUnexpected,
       .exit_code = 10},
      {.file = "b.c",
       .model = "sc",
       .verdict = "unknown",
       .detail = "time limit reached",
       .outcome = SuiteOutcome::kUnknown,
       .exit_code = 5},
      {.file = "c.c",
       .model = "sc",
       .verdict = "crashed",
       .detail = "Aborted",
       .outcome = SuiteOutcome::kError},
  };
  return report;
}

TEST(SuiteReport, TextMarksWhatIsWrong) {
  const std::string text = suite_text(example(), {});
  EXPECT_THAT(text, HasSubstr("a.c    safe       unsafe !"));
  EXPECT_THAT(text, HasSubstr("a.c under tso: unsafe, but safe is expected: x < \"1\"\n"));
  EXPECT_THAT(text, HasSubstr("b.c under sc: unknown: time limit reached\n"));
  EXPECT_THAT(text, HasSubstr("To see how:  weir check a.c --model tso\n"));
  EXPECT_THAT(text, HasSubstr("1 of 4 as expected, 1 not, 1 unknown, 1 with errors"));
}

TEST(SuiteReport, WhatWasNotStartedIsCounted) {
  SuiteReport report = example();
  for (const char* file : {"d.c", "e.c"})
    report.runs.push_back({.file = file, .model = "sc", .detail = "it was not started", .started = false});
  const std::string text = suite_text(report, {});
  EXPECT_THAT(text, Not(HasSubstr("d.c")));
  EXPECT_THAT(text, HasSubstr("2 more were not started\n"));
  EXPECT_THAT(text, HasSubstr("1 of 6 as expected, 1 not, 3 unknown"));
  EXPECT_THAT(suite_junit(report), HasSubstr("d.c under sc"));
}

TEST(SuiteReport, LongNamesLoseTheirBeginning) {
  SuiteReport report = example();
  std::string name(300, 'x');
  name += "end.c";
  report.runs[0].file = report.runs[1].file = name;
  const std::string text = suite_text(report, {.width = 60});
  const std::string line = text.substr(0, text.find('\n'));
  EXPECT_LE(display_width(line), 60u);
  EXPECT_THAT(text, HasSubstr("\xe2\x80\xa6xx"));
  EXPECT_THAT(text, HasSubstr("xend.c  safe"));
}

TEST(SuiteReport, JunitHasFailuresAndErrors) {
  const std::string xml = suite_junit(example());
  EXPECT_THAT(xml, HasSubstr("tests=\"4\" failures=\"1\" errors=\"2\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"unsafe, but safe is expected: x &lt; &quot;1&quot;\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"crashed: Aborted\" type=\"crashed\">"));
  EXPECT_THAT(xml, HasSubstr("name=\"a.c under sc\" time=\"0.000\"/>"));
}

TEST(SuiteReport, JsonSaysNullWithoutAnExitCode) {
  const std::string json = suite_json(example());
  EXPECT_THAT(json, HasSubstr("\"exit_code\": null"));
  EXPECT_THAT(json, HasSubstr("\"unexpected\": 1"));
  EXPECT_THAT(json, Not(HasSubstr("\"answer\":")));
}

}  // namespace weir::suite_report_test
