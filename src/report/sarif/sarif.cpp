#include "report/sarif/sarif.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/sha256.hpp"
#include "program/source_terms.hpp"
#include "report/execution/deadlock.hpp"
#include "report/execution/race.hpp"
#include "report/execution/storyline.hpp"
#include "report/json/parts.hpp"
#include "report/robust_report.hpp"
#include "report/sarif/rules.hpp"
#include "report/sarif/uri.hpp"

namespace weir {

namespace {

// From violations to results.

std::vector<SarifLocation> related_locations(const Program& program, const Witness& witness) {
  std::vector<SarifLocation> found;
  for (RaceNote& note : race_notes(program, witness)) found.push_back({note.position, std::move(note.text)});
  for (const WaitNote& wait : wait_notes(program, witness))
    if (wait.position.known())
      found.push_back({wait.position, fmt::format("{} waits for {}{}", program.thread(wait.thread).name,
                                                  wait.wants, wait.details)});
  if (!found.empty()) return found;
  const auto attack = shown_attack(program, witness);
  if (!attack) return {};
  return {{program.edge(attack->store).position, "the store that may still be in the buffer"},
          {program.edge(attack->load).position, "the load that overtakes it"}};
}

std::vector<SarifStep> execution_steps(const Program& program, const Witness& witness) {
  std::vector<SarifStep> steps;
  bool repeating = false;
  for (const StoryEvent& event : tell(program, witness).events) {
    if (event.local && event.arrival.empty()) continue;
    const bool loops = witness.starvation && event.step >= witness.starvation->loop;
    const bool loop_starts = loops && !std::exchange(repeating, true);
    std::string text = event.local ? "" : event.text;
    if (!event.change.empty()) text += fmt::format(" [{}]", event.change);
    if (!event.arrival.empty()) text += fmt::format("{}at {}", text.empty() ? "" : " -- ", event.arrival);
    if (loop_starts) text += " (from here on, again and again)";
    steps.push_back({program.thread(event.thread).name, event.step + 1, {event.position, std::move(text)}});
  }
  return steps;
}

// Where a violation of a whole state happens: at the last step that has a place.
SourcePosition last_position(const std::vector<SarifStep>& steps) {
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (step->location.position.known()) return step->location.position;
  return {};
}

// From results to JSON.

Json message(std::string_view text) { return {{"text", text}}; }

class LogWriter {
 public:
  explicit LogWriter(const SarifLog& log) : log_(log) {
    for (std::size_t i = 0; i < log.sources.size(); ++i) {
      const SourceFile& file = log.sources.file(FileId(i));
      if (file.path != kTermsPath) add_artifact(file.path, file.text);
    }
  }

  Json run() const {
    Json out;
    out["tool"]["driver"] = driver();
    out["invocations"] = Json::array({invocation()});
    out["columnKind"] = "unicodeCodePoints";
    out["originalUriBaseIds"]["%SRCROOT%"]["description"] = message("The folder in which weir was called.");
    out["artifacts"] = artifacts_;
    out["results"] = Json::array();
    for (const SarifResult& each : log_.results) out["results"].push_back(result(each));
    out["properties"] = {{"command", log_.run.command},
                         {"model", name(log_.run.model)},
                         {"verdict", log_.verdict},
                         {"reason", log_.reason}};
    return out;
  }

 private:
  // A file that was only computed has no text to hash.
  void add_artifact(const std::string& path, std::string_view text) {
    Json artifact;
    artifact["location"] = uri(path);
    artifact["roles"] = {"analysisTarget"};
    if (!text.empty()) {
      artifact["length"] = text.size();
      artifact["hashes"]["sha-256"] = sha256(text);
    }
    artifacts_.push_back(std::move(artifact));
  }

  static Json uri(const std::string& path) {
    const FileUri found = file_uri(path);
    Json out{{"uri", found.uri}};
    if (found.relative) out["uriBaseId"] = "%SRCROOT%";
    return out;
  }

  Json driver() const {
    Json out{{"name", "weir"}, {"version", log_.run.version}, {"semanticVersion", log_.run.version}};
    out["shortDescription"] =
        message("Decides whether concurrent programs are correct under SC, TSO and PSO.");
    out["rules"] = Json::array();
    for (const SarifRule& rule : sarif_rules())
      out["rules"].push_back({{"id", name(rule.kind)},
                              {"name", rule.title},
                              {"shortDescription", message(rule.summary)},
                              {"help", message(rule.help)},
                              {"defaultConfiguration", {{"level", rule.level}}}});
    return out;
  }

  Json invocation() const {
    Json out{{"executionSuccessful", true}, {"exitCode", log_.exit_code}};
    out["exitCodeDescription"] = fmt::format("{} under {}", log_.verdict, name(log_.run.model));
    if (log_.verdict == "unknown")
      out["toolExecutionNotifications"] =
          Json::array({{{"level", "warning"}, {"message", message("There is no answer: " + log_.reason)}}});
    return out;
  }

  Json result(const SarifResult& result) const {
    const std::size_t index = sarif_rule_index(result.kind);
    Json out{{"ruleId", name(result.kind)}, {"ruleIndex", index}, {"level", sarif_rules()[index].level}};
    out["message"] = message(result.message);
    out["locations"] = Json::array({main_location(result.position)});
    if (!result.related.empty()) out["relatedLocations"] = related(result.related);
    for (const std::vector<SarifStep>& execution : result.executions)
      if (!execution.empty()) out["codeFlows"].push_back(code_flow(execution));
    for (const SarifFix& fix : result.fixes) out["fixes"].push_back(fix_json(fix));
    return out;
  }

  // Code hosts want a place for every result.
  Json main_location(SourcePosition position) const {
    if (position.file || log_.sources.size() == 0) return location({position, ""});
    return location({{FileId(0), 0, 0}, ""});
  }

  Json location(const SarifLocation& location) const {
    Json out = Json::object();
    if (location.position.file) {
      Json& place = out["physicalLocation"];
      place["artifactLocation"] = artifacts_[location.position.file.index()]["location"];
      place["artifactLocation"]["index"] = location.position.file.index();
      if (location.position.known()) place["region"] = region(location.position);
    }
    if (!location.message.empty()) out["message"] = message(location.message);
    return out;
  }

  Json region(SourcePosition position) const {
    Json out{{"startLine", position.line}};
    if (position.column == 0) return out;
    const std::string_view line = log_.sources.file(position.file).line(position.line);
    out["startColumn"] = display_width(line.substr(0, position.column - 1)) + 1;
    return out;
  }

  Json related(const std::vector<SarifLocation>& locations) const {
    Json out = Json::array();
    for (const SarifLocation& each : locations) {
      Json place = location(each);
      place["id"] = out.size() + 1;
      out.push_back(std::move(place));
    }
    return out;
  }

  // Threads in the order in which they first move.
  Json code_flow(const std::vector<SarifStep>& execution) const {
    Json flows = Json::array();
    for (const SarifStep& step : execution) {
      auto flow = std::ranges::find_if(flows, [&](const Json& known) { return known["id"] == step.thread; });
      if (flow == flows.end()) {
        flows.push_back({{"id", step.thread}, {"locations", Json::array()}});
        flow = std::prev(flows.end());
      }
      (*flow)["locations"].push_back(
          {{"executionOrder", step.number}, {"location", location(step.location)}});
    }
    return {{"threadFlows", std::move(flows)}};
  }

  static Json fix_json(const SarifFix& fix) {
    Json changes = Json::array();
    for (const FileEdits& file : fix.files) {
      Json replacements = Json::array();
      for (const TextEdit& edit : file.edits) replacements.push_back(replacement(file.before, edit));
      changes.push_back({{"artifactLocation", uri(file.path)}, {"replacements", std::move(replacements)}});
    }
    return {{"description", message(fix.description)}, {"artifactChanges", std::move(changes)}};
  }

  static Json replacement(std::string_view text, const TextEdit& edit) {
    const auto [start_line, start_column] = place_in(text, edit.begin);
    const auto [end_line, end_column] = place_in(text, edit.end);
    return {{"deletedRegion",
             {{"startLine", start_line},
              {"startColumn", start_column},
              {"endLine", end_line},
              {"endColumn", end_column}}},
            {"insertedContent", message(edit.replacement)}};
  }

  // Line and column from 1 of a byte.
  static std::pair<std::size_t, std::size_t> place_in(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t newline = before.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return {static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
            display_width(before.substr(start)) + 1};
  }

  const SarifLog& log_;
  Json artifacts_ = Json::array();
};

Json empty_log() {
  return {{"$schema",
           "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array()}};
}

}  // namespace

SarifResult sarif_result(const Program& program, const Witness& witness) {
  SarifResult result{.kind = witness.violation.kind};
  result.message = fmt::format("{} ({})", violation_text(witness.violation), name(witness.model));
  result.related = related_locations(program, witness);
  result.executions = {execution_steps(program, witness)};
  result.position = witness.violation.position;
  if (!result.position.known() && !result.related.empty()) result.position = result.related.front().position;
  if (!result.position.known()) result.position = last_position(result.executions.front());
  return result;
}

std::string sarif_text(const SarifLog& log) {
  Json out = empty_log();
  out["runs"].push_back(LogWriter(log).run());
  return dump(out);
}

std::string merged_sarif(const std::vector<std::string>& logs) {
  Json out = empty_log();
  for (const std::string& log : logs) {
    Json parsed = Json::parse(log);
    for (Json& run : parsed["runs"]) out["runs"].push_back(std::move(run));
  }
  return dump(out);
}

}  // namespace weir
