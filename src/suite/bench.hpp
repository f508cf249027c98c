// The engines side by side on the same programs, one after the other, so that none disturbs another's time. Each
// run is a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "report/bench_report.hpp"
#include "suite/inputs.hpp"

namespace weir::suite {

struct Comparison {
  std::vector<std::string> engines;  // of comparable_engines()
  std::vector<Model> models;
  double seconds = 10;  // of each run
  std::optional<std::uint64_t> megabytes = {};
};

// The names of all engines, "auto", and "auto-2", which is auto with two jobs; all others have one.
std::vector<std::string> comparable_engines();

// A run that is to be measured; without a command, it says already what is wrong.
struct Measurement {
  BenchRun run;
  std::vector<std::string> command;
};

// What the comparison has to run on these inputs; litmus tests and array systems have one engine each.
std::vector<Measurement> measurements(const std::vector<Input>& inputs, const Comparison& comparison);

// Calls `ended` after each. That two engines contradict each other is an internal error.
BenchReport measure(std::vector<Measurement> runs, const Comparison& comparison,
                    const std::filesystem::path& folder, const Context& context,
                    const std::function<void(const BenchRun&)>& ended);

}  // namespace weir::suite
