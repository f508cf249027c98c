// weir doctor: what is there and what is missing, as text and as JSON.
#include <fmt/format.h>

#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"
#include "verify/installation/installation.hpp"

namespace weir::cli {

namespace {

using verify::Finding;

std::string text_of(const Finding& finding) {
  const std::string_view mark = finding.found ? "ok     " : finding.needed ? "MISSING" : "absent ";
  std::string out = fmt::format("{}  {:<14} {}\n", mark, finding.name, finding.detail);
  if (!finding.found)
    out += fmt::format("{:9}{:<14} = {}\n{:9}{:<14} = {}\n", "", "", finding.purpose, "", "", finding.remedy);
  return out;
}

std::string json_of(const std::vector<Finding>& findings, const std::string& summary, bool healthy,
                    const CommandLine& line) {
  Json json = answer_json({.engine = "doctor",
                           .verdict = healthy ? "done" : "unknown",
                           .reason = summary,
                           .bound = {},
                           .statistics = {}},
                          run_info(line, Model::kSc));
  json["findings"] = Json::array();
  for (const Finding& finding : findings)
    json["findings"].push_back({{"name", finding.name},
                                {"purpose", finding.purpose},
                                {"needed", finding.needed},
                                {"found", finding.found},
                                {"detail", finding.detail},
                                {"remedy", finding.remedy}});
  return dump(json);
}

}  // namespace

int run_doctor(const CommandLine& line, Session& session) {
  const std::vector<Finding> findings = verify::look_around();
  std::string missing;
  for (const Finding& finding : findings)
    if (finding.needed && !finding.found)
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", finding.name);
  const bool healthy = missing.empty();
  const std::string summary =
      healthy ? "Weir has everything it needs" : fmt::format("Weir needs {}", missing);
  const int code = healthy ? kDone : kBadInput;
  if (line.settings.flag(OptionId::kJson))
    return session.answer(json_of(findings, summary, healthy, line), code);
  std::string text;
  if (!line.settings.flag(OptionId::kQuiet))
    for (const Finding& finding : findings) text += text_of(finding);
  return session.answer(text + summary + "\n", code);
}

}  // namespace weir::cli
