// The answers of a suite: many inputs, each under one or more memory models, compared with what is expected.
// As a table, as JSON, and in the XML that test runners and build servers read (JUnit).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/text/terminal.hpp"

namespace weir {

enum class SuiteOutcome : std::uint8_t { kExpected, kUnexpected, kUnknown, kError };

const char* name(SuiteOutcome outcome);  // "expected", …

// One input under one model.
struct SuiteRun {
  std::string file;
  std::string model;     // "tso"
  std::string expected;  // "unsafe assertion"; empty if nothing is
  // "safe", "unsafe", "unknown"; of litmus tests "never", "sometimes", "always"; "error", "crashed"
  std::string verdict = "unknown";
  std::string detail;  // the violation, the reason, or what was said of the error; one line
  SuiteOutcome outcome = SuiteOutcome::kUnknown;
  bool started = true;
  double seconds = 0;
  std::optional<int> exit_code;  // none if a signal ended it
  std::string answer;            // the JSON answer; empty if there is none
};

struct SuiteReport {
  std::string version;
  std::vector<SuiteRun> runs;
  double seconds = 0;
  int exit_code = 0;

  std::size_t count(SuiteOutcome outcome) const;
};

// "41 of 43 as expected, 1 not, 1 unknown": one line with its end.
std::string suite_summary(const SuiteReport& report, const Presentation& presentation);

// A line for each input, a column for each model; then what is not as expected, and the summary.
std::string suite_text(const SuiteReport& report, const Presentation& presentation);

std::string suite_json(const SuiteReport& report);

std::string suite_junit(const SuiteReport& report);

}  // namespace weir
