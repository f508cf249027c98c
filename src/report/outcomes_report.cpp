#include "report/outcomes_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/json_parts.hpp"
#include "report/text_parts.hpp"

namespace weir {

namespace {

std::string value_text(Value value) { return value == kUninitialised ? "?" : std::to_string(value); }

// One line per outcome, values under their names.
std::string table(const OutcomesReport& report) {
  std::vector<std::string> names;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < report.addresses.size(); ++i) {
    names.push_back(report.program.address_name(report.addresses[i]));
    widths.push_back(names.back().size());
    for (const std::vector<Value>& outcome : report.values)
      widths.back() = std::max(widths.back(), value_text(outcome[i]).size());
  }
  const auto line = [&](const auto& cell) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) out += fmt::format("  {:>{}}", cell(i), widths[i]);
    return out + "\n";
  };
  std::string out = line([&](std::size_t i) { return names[i]; });
  for (const std::vector<Value>& outcome : report.values)
    out += line([&](std::size_t i) { return value_text(outcome[i]); });
  return out;
}

std::string why(const OutcomesReport& report) {
  if (report.complete) return "all outcomes found";
  return report.answer.verdict == Verdict::kUnsafe ? "the search did not end" : report.answer.reason;
}

}  // namespace

std::string outcomes_line(const OutcomesReport& report, const RunInfo& run,
                          const Presentation& presentation) {
  const std::string count = count_text(report.values.size(), "outcome");
  if (report.complete) return fmt::format("{} under {}\n", count, name(run.model));
  return fmt::format("{}: {} under {}, but there may be more: {}\n",
                     tinted("UNKNOWN", Tint::kUnsure, presentation), count, name(run.model), why(report));
}

std::string outcomes_text(const OutcomesReport& report, const RunInfo& run,
                          const Presentation& presentation) {
  std::string out = outcomes_line(report, run, presentation);
  if (!report.values.empty() && !report.addresses.empty()) out += "\n" + table(report) + "\n";
  if (report.addresses.empty()) out += "The program has no shared variables to show.\n";
  if (report.stuck > 0)
    out += fmt::format("In {}, some thread waits for ever; these are no outcomes.\n",
                       count_text(report.stuck, "final state"));
  if (report.answer.verdict == Verdict::kUnsafe)
    out += fmt::format("Some execution ends by a violation ({}): weir check shows it.\n",
                       violation_text(report.answer.witness->violation));
  return out + cost_line(report.answer.statistics, run, presentation);
}

std::string outcomes_json(const OutcomesReport& report, const RunInfo& run) {
  const Answer& answer = report.answer;
  const std::string reason = why(report);
  Json out = answer_json(
      {answer.engine, report.complete ? "done" : "unknown", reason, answer.bound, answer.statistics}, run);
  out["outcomes"] = Json::array();
  for (const std::vector<Value>& values : report.values) {
    Json outcome = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string name = report.program.address_name(report.addresses[i]);
      if (values[i] == kUninitialised)
        outcome[name] = nullptr;
      else
        outcome[name] = values[i];
    }
    out["outcomes"].push_back(std::move(outcome));
  }
  out["stuck"] = report.stuck;
  return dump(out);
}

}  // namespace weir
