#include "cli/presenter.hpp"

#include <fmt/format.h>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/native_opinion.hpp"
#include "cli/outputs.hpp"
#include "export/dot/dot.hpp"
#include "report/execution/story.hpp"
#include "report/explorer/html_report.hpp"
#include "verify/replay.hpp"

namespace weir::cli {

namespace {

Diagnostic unwritten(const std::exception& error) {
  return {Severity::kError,
          fmt::format("a report was not written: {}", error.what()),
          {},
          fmt::format("this is a bug in Weir {}: please report it, with the input and the command line",
                      version())};
}

// If the replay file cannot be written, the graph is not either.
std::optional<Diagnostic> write_execution(const CommandLine& line, const Presentable& answer) {
  const Settings& settings = line.settings;
  if (answer.witness != nullptr && !answer.saved && settings.given(OptionId::kWitness)) {
    const std::string path(settings.text(OptionId::kWitness));
    if (auto problem = write_file(
            path, verify::replayable(*answer.program, *answer.witness, version(), c_sources(line), path)))
      return problem;
  }
  if (!settings.given(OptionId::kDot)) return std::nullopt;
  return write_file(std::string(settings.text(OptionId::kDot)), dot_graph(*answer.program, answer.witness));
}

void write_everything(const CommandLine& line, const RunInfo& run, const Presentable& answer) {
  for (const auto& write : answer.others) deliver(line, write);
  if (answer.program != nullptr) deliver(line, [&] { return write_execution(line, answer); });
  if (answer.log) deliver(line, OptionId::kSarif, [&] { return sarif_text(answer.log()); });
  if (answer.page) deliver_page(line, run, answer.page);
}

}  // namespace

Presentable presentable(const Program& program, const Answer& answer, const RunInfo& run, int code) {
  Presentable result{.code = code, .program = &program};
  const auto told = std::make_shared<Answer>(weir::told(program, answer));
  result.json = [&, told](const Presentation& shown) { return json_report(program, *told, run, shown); };
  result.line = [&, told](const Presentation& shown) { return verdict_line(*told, run, shown); };
  result.text = [&, told](const Presentation& shown) { return text_report(program, *told, run, shown); };
  result.figures = [&] { return statistics_text(answer); };
  result.witness = answer.witness ? &*answer.witness : nullptr;
  result.log = [&, told, code] {
    SarifLog log{program.sources, run, verdict_name(answer), answer.reason, code, {}};
    if (told->witness) log.results.push_back(sarif_result(program, *told->witness));
    return log;
  };
  result.page = [&, told] { return explorer_page(program, *told, run); };
  return result;
}

int present(const CommandLine& line, Session& session, const RunInfo& run, const Presentable& answer) {
  session.enter("writing the answer");
  const auto figures = [&] { return answer.figures ? answer.figures() : std::string(); };
  const std::string text =
      in_wanted_form(line.settings, answer.json, answer.line, answer.text, figures) + answer.afterwards;
  if (answer.exact)
    session.answer_exactly(text, answer.code);
  else
    session.answer(text, answer.code);
  write_everything(line, run, answer);
  return answer.code;
}

void deliver(const CommandLine& line, const std::function<std::optional<Diagnostic>()>& write) {
  std::optional<Diagnostic> problem;
  try {
    problem = write();
  } catch (const std::exception& error) {
    problem = unwritten(error);
  }
  if (problem) tell(*problem, line.settings);
}

void deliver(const CommandLine& line, OptionId file, const std::function<std::string()>& text) {
  if (!line.settings.given(file)) return;
  deliver(line, [&] { return write_file(std::string(line.settings.text(file)), text()); });
}

void deliver_page(const CommandLine& line, const RunInfo& run, const std::function<ExplorerPage()>& page) {
  deliver(line, OptionId::kHtml, [&] { return html_report(page(), run); });
}

}  // namespace weir::cli
