// A suite: many inputs, each under the models of which something is expected, checked by a process of its own, and
// its answer compared with what is expected.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "base/process/process_group.hpp"
#include "report/suite_report.hpp"
#include "suite/inputs.hpp"

namespace weir::suite {

// An input under a model, how to check it, and what came out.
struct Job {
  Input input;
  std::optional<Model> model;        // none: as the input itself has it
  std::vector<std::string> command;  // to be given by the caller, unless `run` tells already what is wrong
  std::filesystem::path sarif;       // where the process writes its log; empty if nobody wants it
  std::optional<Expectation> expectation;
  SuiteRun run;

  bool to_be_run() const { return input.problem.empty(); }
};

// One for each model: the one that is asked for, or else those of which something is expected.
std::vector<Job> jobs_of(const std::vector<Input>& inputs, std::optional<Model> asked);

// Runs those that are to be run, and calls `ended` after each. The report has no version yet.
SuiteReport run_jobs(std::vector<Job>& jobs, const ProcessLimits& limits, const std::filesystem::path& folder,
                     const Context& context, const std::function<void(const SuiteRun&)>& ended);

// The logs that the processes wrote, in one.
std::string merged_logs(const std::vector<Job>& jobs);

}  // namespace weir::suite
