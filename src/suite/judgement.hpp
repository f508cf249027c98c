// What a process that was to check an input answered, and whether that is what was expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/process/process_group.hpp"
#include "report/suite_report.hpp"
#include "suite/inputs.hpp"

namespace weir::suite {

// Notes what came out, and how that compares. Without an expectation, everything is fine that is no violation.
void judge(SuiteRun& run, const std::optional<Expectation>& expectation, CommandEnd end);

std::string first_line(std::string_view text);

inline constexpr const char* kKilled = "it did not end in time, and was killed";

}  // namespace weir::suite
