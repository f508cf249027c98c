#include "weir/inside/report.hpp"

#include "report/error_report.hpp"
#include "verify/replay.hpp"
#include "weir/inside/border.hpp"
#include "weir/questions.hpp"

namespace weir::v1 {

namespace {

Result<std::string> written(const std::shared_ptr<const Answer::Report>& report,
                            std::string (Answer::Report::*form)() const) {
  return at_border([&] {
    if (report == nullptr) fail_usage("this answer was not given by a question");
    return (*report.*form)();
  });
}

}  // namespace

// A report that cannot be written is a mistake of Weir, which both of these can say.
std::string Answer::json() const {
  const auto json = written(report, &Report::json);
  if (json || report == nullptr) return json ? *json : "";
  return error_json(json.error().diagnostics.front().message, {}, {}, report->run);
}

std::string Answer::text() const {
  const auto text = written(report, &Report::text);
  return text ? printable_lines(*text, false) : text.error().text;
}

Result<std::string> Answer::page() const { return written(report, &Report::page); }

Result<std::string> Answer::replay_file() const { return written(report, &Report::replay_file); }

std::string Answer::Report::replay_file() const { fail_usage("the answer shows no execution to save"); }

std::string replay_text(const weir::Program& program, const Witness& witness, const CSources& sources) {
  return verify::replayable(program, witness, version(), sources, "");
}

}  // namespace weir::v1
