#include "suite/judgement.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "report/exit_code.hpp"

namespace weir::suite {

namespace {

void read_answer(SuiteRun& run, CommandEnd end) {
  const std::optional<int> exit_code = end.how.exit_code;
  const int signal = end.how.signal;
  if (end.cut) {
    run.verdict = "unknown";
    run.detail = kKilled;
    return;
  }
  if (!exit_code || *exit_code == kInternal) {
    run.verdict = "crashed";
    run.detail = !exit_code && signal == SIGKILL ? "it was killed: too much memory"
                 : !exit_code                    ? strsignal(signal)
                                                 : first_line(end.errors);
    return;
  }
  if (*exit_code == kBadInput || *exit_code == kUsage) {
    run.verdict = "error";
    run.detail = first_line(end.errors);
    return;
  }
  const auto answer = nlohmann::json::parse(end.output, nullptr, false);
  if (answer.is_discarded()) {
    run.verdict = "error";
    run.detail = "it gave no answer";
    return;
  }
  run.answer = std::move(end.output);
  run.model = answer.value("model", run.model);
  run.verdict = answer.at("verdict");
  run.detail = answer.contains("violation") ? answer["violation"].value("message", "") : "";
  if (run.verdict == "unknown") run.detail = answer.value("reason", "");
  if (!answer.contains("observation") || run.verdict == "unknown") return;
  run.verdict = answer["observation"];
  run.verdict[0] = static_cast<char>(run.verdict[0] - 'A' + 'a');
  run.detail = answer.value("condition", "");
}

std::string kind_of(const SuiteRun& run) {
  return nlohmann::json::parse(run.answer).value("/violation/kind"_json_pointer, "");
}

SuiteOutcome outcome(const SuiteRun& run, const std::optional<Expectation>& expectation) {
  if (run.verdict == "crashed") return SuiteOutcome::kError;
  const std::string wanted = expectation ? expectation->verdict : "";
  const bool same = run.verdict == wanted && (expectation->kind.empty() || kind_of(run) == expectation->kind);
  if (same) return SuiteOutcome::kExpected;
  if (run.verdict == "error") return SuiteOutcome::kError;
  if (run.verdict == "unknown") return SuiteOutcome::kUnknown;
  return wanted.empty() && run.verdict != "unsafe" ? SuiteOutcome::kExpected : SuiteOutcome::kUnexpected;
}

}  // namespace

void judge(SuiteRun& run, const std::optional<Expectation>& expectation, CommandEnd end) {
  run.seconds = end.seconds;
  run.exit_code = end.how.exit_code;
  read_answer(run, std::move(end));
  run.outcome = outcome(run, expectation);
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, std::min(text.find('\n'), text.size())));
}

}  // namespace weir::suite
