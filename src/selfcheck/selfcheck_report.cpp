#include "selfcheck/selfcheck_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <vector>

#include "report/json/parts.hpp"

namespace weir::selfcheck {

namespace {

// The table has a line for two answers that were compared, with a number for each model.
using Line = std::pair<std::string, std::string>;

std::map<Line, std::map<Model, Tally>> lines(const Ledger& ledger) {
  std::map<Line, std::map<Model, Tally>> result;
  for (const auto& [pair, tally] : ledger.tallies())
    result[{pair.engine, pair.reference}][pair.model] = tally;
  return result;
}

std::string cell(const std::map<Model, Tally>& tallies, Model model) {
  const auto found = tallies.find(model);
  return found == tallies.end() ? "-" : fmt::format("{}", found->second.compared);
}

std::string table(const Ledger& ledger) {
  std::string out = fmt::format("  {:<30} {:<26}", "compared", "with");
  for (const Model model : all_models()) out += fmt::format(" {:>9}", name(model));
  out += fmt::format(" {:>9}\n", "left out");
  for (const auto& [line, tallies] : lines(ledger)) {
    std::uint64_t left_out = 0;
    for (const auto& [model, tally] : tallies) left_out += tally.all_left_out();
    out += fmt::format("  {:<30} {:<26}", line.first, line.second);
    for (const Model model : all_models()) out += fmt::format(" {:>9}", cell(tallies, model));
    out += fmt::format(" {:>9}\n", left_out);
  }
  return out;
}

// How often something was left out for each reason, in all.
std::string reasons(const Ledger& ledger) {
  std::map<std::string, std::uint64_t> all;
  for (const auto& [pair, tally] : ledger.tallies())
    for (const auto& [why, times] : tally.left_out) all[why] += times;
  std::string out;
  for (const auto& [why, times] : all) out += fmt::format("  left out: {} ({})\n", why, times);
  return out;
}

// Each line of the text between two others.
std::string each_line(std::string_view text, std::string_view before, std::string_view after) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("{}{}{}\n", before, text.substr(0, end), after);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string disagreement_text(const SelfcheckReport& report) {
  const Disagreement& found = *report.result.disagreement;
  std::string out = fmt::format("DISAGREEMENT about {}, {} under {}: {}\n{}\nThe program is in {}.\n",
                                report.file, found.comparison, name(found.model), found.problem,
                                each_line(found.text, "  ", ""), report.file);
  for (const std::string& command : found.commands) out += fmt::format("  {}\n", command);
  return out;
}

Json ledger_json(const Ledger& ledger) {
  Json out = Json::array();
  for (const auto& [pair, tally] : ledger.tallies()) {
    Json line{{"engine", pair.engine},
              {"reference", pair.reference},
              {"model", name(pair.model)},
              {"compared", tally.compared},
              {"left_out", Json::object()}};
    for (const auto& [why, times] : tally.left_out) line["left_out"][why] = times;
    out.push_back(std::move(line));
  }
  return out;
}

Json disagreement_json(const SelfcheckReport& report) {
  const Disagreement& found = *report.result.disagreement;
  return {{"number", found.number},     {"comparison", found.comparison},
          {"model", name(found.model)}, {"problem", found.problem},
          {"file", report.file},        {"program", found.text},
          {"commands", found.commands}};
}

}  // namespace

std::string selfcheck_text(const SelfcheckReport& report, const RunInfo& run, bool quiet) {
  const SelfcheckResult& result = report.result;
  const std::string summary = fmt::format("{} programs, {} comparisons, {:.1f} s\n", result.inputs,
                                          result.ledger.all_compared(), run.seconds);
  if (result.disagreement) return (quiet ? "" : table(result.ledger)) + summary + disagreement_text(report);
  if (quiet) return "all agree: " + summary;
  return table(result.ledger) + reasons(result.ledger) + "all agree: " + summary;
}

std::string selfcheck_times(const Ledger& ledger) {
  std::vector<std::pair<double, std::string>> lines;
  double all = 0;
  for (const auto& [comparison, time] : ledger.times()) {
    lines.emplace_back(std::chrono::duration<double>(time).count(), comparison);
    all += lines.back().first;
  }
  std::ranges::sort(lines, std::greater<>());
  std::string out;
  for (const auto& [seconds, comparison] : lines)
    out += fmt::format("  {:<30} {:>8.1f} s {:>4.0f} %\n", comparison, seconds, 100 * seconds / all);
  return out;
}

std::string selfcheck_json(const SelfcheckReport& report, const RunInfo& run) {
  const SelfcheckResult& result = report.result;
  Statistics statistics;
  statistics.set("programs", result.inputs);
  statistics.set("comparisons", result.ledger.all_compared());
  const std::string reason = result.disagreement ? result.disagreement->problem : "all agree";
  Json out =
      answer_json({"selfcheck", result.disagreement ? "disagreement" : "done", reason, {}, statistics}, run);
  out["model"] = model_names(",");
  out["comparisons"] = ledger_json(result.ledger);
  if (result.disagreement) out["disagreement"] = disagreement_json(report);
  return dump(out);
}

std::string selfcheck_file(const Disagreement& found) {
  const bool array = found.suffix == ".cub";
  std::string head = fmt::format("{} under {}: {}\n", found.comparison, name(found.model), found.problem);
  for (const std::string& command : found.commands) head += command + "\n";
  return (array ? each_line(head, "(* ", " *)") : each_line(head, "// ", "")) + found.text;
}

}  // namespace weir::selfcheck
