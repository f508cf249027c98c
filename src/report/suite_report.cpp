#include "report/suite_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "report/json/parts.hpp"
#include "report/svcomp/xml.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

Tint tint(SuiteOutcome outcome) {
  switch (outcome) {
    case SuiteOutcome::kExpected: return Tint::kGood;
    case SuiteOutcome::kUnexpected:
    case SuiteOutcome::kError: return Tint::kBad;
    case SuiteOutcome::kUnknown: return Tint::kUnsure;
  }
  return Tint::kDim;
}

// "unsafe, but safe is expected: an assertion fails"
std::string explanation(const SuiteRun& run) {
  std::string out = run.verdict;
  if (!run.expected.empty() && run.outcome != SuiteOutcome::kExpected)
    out += fmt::format(", but {} is expected", run.expected);
  return run.detail.empty() ? out : fmt::format("{}: {}", out, printable(run.detail));
}

// The table.
class SuiteTable {
 public:
  SuiteTable(const SuiteReport& report, const Presentation& presentation) : presentation_(presentation) {
    for (const SuiteRun& run : report.runs) {
      if (!run.started) continue;
      if (std::ranges::find(models_, run.model) == models_.end()) models_.push_back(run.model);
      if (rows_.empty() || rows_.back().file != run.file) rows_.push_back({run.file, {}, 0});
      rows_.back().runs[run.model] = &run;
      rows_.back().seconds += run.seconds;
    }
    for (const std::string& model : models_) {
      std::size_t& width = widths_[model] = std::max<std::size_t>(model.size(), 1);
      for (const Row& row : rows_)
        if (const auto run = row.runs.find(model); run != row.runs.end())
          width = std::max(width, cell(*run->second).size());
    }
    measure_files();
  }

  std::string text() const {
    std::string head = padded("input", file_width_), rule(file_width_, '-');
    for (const std::string& model : models_) {
      head += "  " + padded(model, widths_.at(model));
      rule += "  " + std::string(widths_.at(model), '-');
    }
    std::string out = fmt::format("{}  seconds\n{}  -------\n", head, rule);
    for (const Row& row : rows_) out += line(row);
    return out;
  }

 private:
  struct Row {
    std::string file;
    std::map<std::string, const SuiteRun*> runs;  // by model
    double seconds = 0;
  };

  // What is not as expected is marked without colours, too.
  static std::string cell(const SuiteRun& run) {
    return run.outcome == SuiteOutcome::kExpected ? run.verdict : run.verdict + " !";
  }

  // Files get what the terminal has left; long names lose their beginning.
  void measure_files() {
    constexpr std::size_t kNarrowest = 12;
    std::size_t others = 9;
    for (const auto& [model, width] : widths_) others += width + 2;
    const std::size_t room =
        presentation_.width > others + kNarrowest ? presentation_.width - others : kNarrowest;
    for (const Row& row : rows_) file_width_ = std::max(file_width_, display_width(printable(row.file)));
    file_width_ = std::min(file_width_, room);
  }

  std::string file_text(const std::string& file) const {
    std::string name = printable(file);
    if (display_width(name) <= file_width_) return padded(name, file_width_);
    while (display_width(name) >= file_width_) {
      name.erase(0, 1);
      while (!name.empty() && (static_cast<unsigned char>(name[0]) & 0xc0) == 0x80) name.erase(0, 1);
    }
    return padded("…" + name, file_width_);
  }

  std::string line(const Row& row) const {
    std::string out = file_text(row.file);
    for (const std::string& model : models_) {
      const auto run = row.runs.find(model);
      const std::string text = run == row.runs.end() ? "-" : cell(*run->second);
      const std::string blanks(widths_.at(model) - text.size(), ' ');
      out += "  " + (run == row.runs.end() ? text : tinted(text, tint(run->second->outcome), presentation_)) +
             blanks;
    }
    return fmt::format("{}  {:7.2f}\n", out, row.seconds);
  }

  const Presentation& presentation_;
  std::vector<Row> rows_;
  std::vector<std::string> models_;
  std::map<std::string, std::size_t> widths_;
  std::size_t file_width_ = 5;
};

// How to look at the first violation that nobody expects.
std::string next_step(const SuiteReport& report) {
  for (const SuiteRun& run : report.runs)
    if (run.outcome == SuiteOutcome::kUnexpected && run.verdict == "unsafe")
      return fmt::format("To see how:  weir check {} --model {}\n", printable(run.file), run.model);
  return "";
}

Json run_json(const SuiteRun& run) {
  Json out{{"file", run.file}, {"model", run.model}};
  if (!run.expected.empty()) out["expected"] = run.expected;
  out["outcome"] = name(run.outcome);
  out["verdict"] = run.verdict;
  out["seconds"] = run.seconds;
  out["exit_code"] = run.exit_code ? Json(*run.exit_code) : Json(nullptr);
  if (run.answer.empty())
    out["message"] = run.detail;
  else
    out["answer"] = Json::parse(run.answer);
  return out;
}

std::string junit_case(const SuiteRun& run) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{} under {}\" time=\"{:.3f}\"",
                                       xml_text(run.file), xml_text(run.file), run.model, run.seconds);
  if (run.outcome == SuiteOutcome::kExpected) return head + "/>\n";
  const char* const element = run.outcome == SuiteOutcome::kUnexpected ? "failure" : "error";
  const std::string text = xml_text(explanation(run));
  return fmt::format("{}>\n      <{} message=\"{}\" type=\"{}\">{}</{}>\n    </testcase>\n", head, element,
                     text, run.verdict, text, element);
}

}  // namespace

const char* name(SuiteOutcome outcome) {
  switch (outcome) {
    case SuiteOutcome::kExpected: return "expected";
    case SuiteOutcome::kUnexpected: return "unexpected";
    case SuiteOutcome::kUnknown: return "unknown";
    case SuiteOutcome::kError: return "error";
  }
  return "?";
}

std::size_t SuiteReport::count(SuiteOutcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(runs, outcome, &SuiteRun::outcome));
}

std::string suite_summary(const SuiteReport& report, const Presentation& presentation) {
  std::string out =
      fmt::format("{} of {} as expected", report.count(SuiteOutcome::kExpected), report.runs.size());
  const auto add = [&](SuiteOutcome outcome, std::string_view word) {
    if (const std::size_t number = report.count(outcome)) out += fmt::format(", {} {}", number, word);
  };
  add(SuiteOutcome::kUnexpected, "not");
  add(SuiteOutcome::kUnknown, "unknown");
  add(SuiteOutcome::kError, "with errors");
  const Tint colour = report.exit_code == 0 ? Tint::kGood : Tint::kBad;
  return fmt::format("{}, {:.1f} s\n", tinted(out, colour, presentation), report.seconds);
}

std::string suite_text(const SuiteReport& report, const Presentation& presentation) {
  std::string out = SuiteTable(report, presentation).text() + "\n";
  std::size_t not_started = 0;
  for (const SuiteRun& run : report.runs) {
    if (!run.started) ++not_started;
    if (run.started && run.outcome != SuiteOutcome::kExpected)
      out += fmt::format("{} under {}: {}\n", printable(run.file), run.model, explanation(run));
  }
  if (not_started > 0)
    out += fmt::format("{} more {} not started\n", not_started, not_started == 1 ? "was" : "were");
  if (report.count(SuiteOutcome::kExpected) < report.runs.size()) out += "\n";
  return out + suite_summary(report, presentation) + next_step(report);
}

std::string suite_json(const SuiteReport& report) {
  Json out{{"schema", 1}, {"tool", "weir"}, {"version", report.version}, {"command", "check"}};
  out["summary"] = {{"runs", report.runs.size()},
                    {"expected", report.count(SuiteOutcome::kExpected)},
                    {"unexpected", report.count(SuiteOutcome::kUnexpected)},
                    {"unknown", report.count(SuiteOutcome::kUnknown)},
                    {"errors", report.count(SuiteOutcome::kError)},
                    {"seconds", report.seconds},
                    {"exit_code", report.exit_code}};
  out["answers"] = Json::array();
  for (const SuiteRun& run : report.runs) out["answers"].push_back(run_json(run));
  return dump(out);
}

std::string suite_junit(const SuiteReport& report) {
  const std::size_t failures = report.count(SuiteOutcome::kUnexpected);
  const std::size_t errors = report.count(SuiteOutcome::kUnknown) + report.count(SuiteOutcome::kError);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{:.3f}\"",
                  report.runs.size(), failures, errors, report.seconds);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"weir check\" {0}>\n",
      counts);
  for (const SuiteRun& run : report.runs) out += junit_case(run);
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace weir
