// The answer about an execution that violates something, or about there being none: of `check`, `fair` and
// `replay`.
#pragma once

#include "report/answer_report.hpp"
#include "trace/replay_file.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

struct CheckReport final : Answer::Report {
  weir::Program program;
  weir::Answer answer;
  CSources sources;

  std::string json() const override;
  std::string text() const override;
  std::string page() const override;
  std::string replay_file() const override;
};

// Fills in what all of them have.
void answer_check(Answer& answer, std::optional<Execution>& shown, std::shared_ptr<CheckReport> report,
                  Call& call);

}  // namespace weir::v1
