#include "weir/inside/check_answer.hpp"

#include "report/execution/story.hpp"
#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "weir/inside/echo.hpp"

namespace weir::v1 {

namespace {

Verdict verdict_of(const weir::Answer& found) {
  const std::string_view word = verdict_name(found);
  for (const Verdict verdict : {Verdict::kNotRobust, Verdict::kFair, Verdict::kUnfair})
    if (word == name(verdict)) return verdict;
  return outside(found.verdict);
}

}  // namespace

std::string CheckReport::json() const { return json_report(program, told(program, answer), run, kPlain); }

std::string CheckReport::text() const { return text_report(program, told(program, answer), run, kPlain); }

std::string CheckReport::page() const {
  return html_report(explorer_page(program, told(program, answer), run), run);
}

std::string CheckReport::replay_file() const {
  return answer.witness ? replay_text(program, *answer.witness, sources) : Report::replay_file();
}

void answer_check(Answer& answer, std::optional<Execution>& shown, std::shared_ptr<CheckReport> report,
                  Call& call) {
  const weir::Answer found = told(report->program, report->answer);
  note_cost(report->run, call);
  tell(answer,
       {verdict_of(found), found.reason, found.bound, found.engine, report->run.model, found.statistics},
       call);
  if (found.verdict == weir::Verdict::kSafe) answer.assumptions = report->program.assumptions;
  add_shown(answer.warnings, found.diagnostics, report->program.sources);
  shown = execution(report->program, found.witness);
  answer.report = std::move(report);
}

}  // namespace weir::v1
