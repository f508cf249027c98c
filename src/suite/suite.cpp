#include "suite/suite.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "report/exit_code.hpp"
#include "report/sarif/sarif.hpp"
#include "suite/judgement.hpp"
#include "verify/load.hpp"

namespace weir::suite {

namespace {

std::string expectation_text(const Expectation& expectation) {
  return expectation.kind.empty() ? expectation.verdict : expectation.verdict + " " + expectation.kind;
}

std::vector<std::optional<Model>> models_of(const Input& input, std::optional<Model> asked) {
  if (asked) return {asked};
  std::vector<std::optional<Model>> models;
  for (const Expectation& each : input.expectations)
    if (std::ranges::find(models, each.model) == models.end()) models.push_back(each.model);
  if (models.empty()) models.emplace_back();
  return models;
}

Job job_of(const Input& input, std::optional<Model> model) {
  Job job{.input = input, .model = model};
  job.run.file = input.file;
  // Array systems say by themselves whether they have buffers.
  const bool array = verify::is_array_path(input.file);
  job.run.model = model ? name(*model) : array ? "tso" : "sc";
  for (const Expectation& each : input.expectations)
    if (!each.model || each.model == model || (!model && each.model == Model::kSc)) job.expectation = each;
  if (job.expectation) job.run.expected = expectation_text(*job.expectation);
  return job;
}

// What an input says about itself is wrong: that is its failure, and nothing is run.
Job failure_of(const Input& input, std::optional<Model> asked) {
  Job job{.input = input, .model = asked};
  job.run.file = input.file;
  job.run.model = asked ? name(*asked) : "sc";
  job.run.verdict = "error";
  job.run.detail = first_line(input.problem);
  job.run.outcome = SuiteOutcome::kError;
  return job;
}

}  // namespace

std::vector<Job> jobs_of(const std::vector<Input>& inputs, std::optional<Model> asked) {
  std::vector<Job> jobs;
  for (const Input& input : inputs) {
    if (!input.problem.empty()) {
      jobs.push_back(failure_of(input, asked));
      continue;
    }
    for (const std::optional<Model>& model : models_of(input, asked)) jobs.push_back(job_of(input, model));
  }
  return jobs;
}

SuiteReport run_jobs(std::vector<Job>& jobs, const ProcessLimits& limits, const std::filesystem::path& folder,
                     const Context& context, const std::function<void(const SuiteRun&)>& ended) {
  std::vector<std::vector<std::string>> commands;
  for (const Job& job : jobs) commands.push_back(job.command);
  run_processes(commands, limits, folder, context, [&](std::size_t i, CommandEnd end) {
    judge(jobs[i].run, jobs[i].expectation, std::move(end));
    ended(jobs[i].run);
  });
  SuiteReport report;
  for (Job& job : jobs) {
    if (context.stopped() && job.run.detail.empty() && job.run.answer.empty()) {
      job.run.detail = "it was not started";
      job.run.started = false;
    }
    report.runs.push_back(job.run);
  }
  report.seconds = context.seconds();
  report.exit_code = exit_code(report);
  return report;
}

std::string merged_logs(const std::vector<Job>& jobs) {
  std::vector<std::string> logs;
  for (const Job& job : jobs)
    if (!job.run.answer.empty() && !job.sarif.empty())
      if (const auto log = read_file(job.sarif.string())) logs.push_back(log.value());
  return merged_sarif(logs);
}

}  // namespace weir::suite
