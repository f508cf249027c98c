// The page's data as JSON. Fields that say nothing are left out: most steps have few, and there are many
// steps.
#include <algorithm>
#include <map>
#include <variant>

#include "report/explorer.hpp"

namespace weir {

namespace {

class PageJson {
 public:
  explicit PageJson(const ExplorerPage& page) : page_(page) {}

  Json run(const RunInfo& info) {
    Json out;
    out["schema"] = 1;
    out["tool"] = "weir";
    out["version"] = info.version;
    out["command"] = info.command;
    out["commandLine"] = command_line(info);
    out["file"] = info.file;
    out["model"] = name(info.model);
    out["engine"] = page_.engine;
    out["tone"] = tone();
    out["headline"] = page_.headline;
    out["message"] = page_.message;
    out["figures"] = pairs(page_.figures);
    out["next"] = page_.next;
    out["threads"] = page_.threads;
    out["executions"] = Json::array();
    for (const ExplorerExecution& execution : page_.executions)
      out["executions"].push_back(execution_json(execution));
    put(out, "nothingToShow", page_.nothing_to_show);
    out["fences"] = Json::array();
    for (const ExplorerFence& fence : page_.fences) out["fences"].push_back(fence_json(fence));
    out["sources"] = sources();
    return out;
  }

 private:
  const char* tone() const {
    switch (page_.tone) {
      case ExplorerTone::kGood: return "good";
      case ExplorerTone::kBad: return "bad";
      case ExplorerTone::kUnsure: return "unsure";
    }
    return "unsure";
  }

  static bool fences_for_robustness(const RunInfo& run) {
    const OptionValue robustness = std::string("robustness");
    return std::ranges::find(run.options, std::pair(std::string("for"), robustness)) != run.options.end();
  }

  static bool changes_the_answer(std::string_view option) {
    constexpr std::string_view kSuch[] = {"model", "for",        "request", "grant",    "all",
                                          "stop",  "triangular", "goal",    "exclusive"};
    return std::ranges::find(kSuch, option) != std::end(kSuch);
  }

  // What somebody types to get the same answer, as far as options change it.
  static std::string command_line(const RunInfo& run) {
    std::string out = "weir " + run.command + " " + run.file;
    const bool robustness = run.command == "fence" && fences_for_robustness(run);
    for (const auto& [option, value] : run.options) {
      if (!changes_the_answer(option)) continue;
      if (robustness && (option == "model" || option == "for")) continue;  // the defaults
      if (const auto* flag = std::get_if<bool>(&value); flag != nullptr && *flag) out += " --" + option;
      if (const auto* text = std::get_if<std::string>(&value)) out += " --" + option + " " + *text;
      if (const auto* list = std::get_if<std::vector<std::string>>(&value))
        for (const std::string& text : *list) out += " --" + option + " " + text;
    }
    return out;
  }

  static Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
    Json out = Json::array();
    for (const auto& [what, value] : list) out.push_back({what, value});
    return out;
  }

  static void put(Json& out, const char* key, const std::string& text) {
    if (!text.empty()) out[key] = text;
  }

  void place(Json& out, SourcePosition position) {
    if (!position.file || !position.known()) return;
    out["file"] = file_number(position.file);
    out["line"] = position.line;
    out["column"] = position.column;
  }

  // Only files that something is said about are part of the page.
  std::size_t file_number(FileId file) {
    const auto [place, fresh] = numbers_.emplace(file, files_.size());
    if (fresh) files_.push_back(file);
    return place->second;
  }

  Json sources() {
    if (files_.empty() && page_.sources.size() > 0) file_number(FileId(0));
    Json out = Json::array();
    for (const FileId id : files_) {
      const SourceFile& file = page_.sources.file(id);
      out.push_back({{"path", file.path}, {"text", file.text}});
    }
    return out;
  }

  Json execution_json(const ExplorerExecution& execution) {
    Json out;
    out["title"] = execution.title;
    out["model"] = name(execution.model);
    if (execution.violation) {
      out["violation"] = {{"kind", execution.violation->kind}, {"message", execution.violation->message}};
      place(out["violation"], execution.violation->position);
    }
    if (!execution.allowed_by.empty()) out["allowedBy"] = execution.allowed_by;
    out["cells"] = Json::array();
    for (const ExplorerCell& cell : execution.cells) {
      Json& entry = out["cells"].emplace_back(Json{{"name", cell.name}, {"initial", cell.initial}});
      if (cell.internal) entry["internal"] = true;
    }
    out["steps"] = Json::array();
    for (const ExplorerStep& step : execution.steps) out["steps"].push_back(step_json(step));
    if (execution.left_out > 0) out["leftOut"] = execution.left_out;
    out["events"] = Json::array();
    for (const ExplorerEvent& event : execution.events) out["events"].push_back(event_json(event));
    out["edges"] = edges_json(execution.edges);
    out["globalOrder"] = edges_json(execution.global_order);
    out["cycle"] = edges_json(execution.cycle);
    if (execution.loop) out["loop"] = *execution.loop;
    return out;
  }

  Json step_json(const ExplorerStep& step) {
    Json out;
    out["n"] = step.number;
    out["thread"] = step.thread;
    out["action"] = step.action;
    out["text"] = step.text;
    place(out, step.position);
    if (step.local) out["local"] = true;
    if (step.buffered) out["buffered"] = true;
    if (step.store) out["store"] = *step.store;
    if (step.cell) out["cell"] = *step.cell;
    put(out, "value", step.value);
    if (step.memory) out["memory"] = *step.memory;
    put(out, "register", step.reg);
    put(out, "registerValue", step.reg_value);
    put(out, "arrival", step.arrival);
    return out;
  }

  static Json event_json(const ExplorerEvent& event) {
    Json out{{"step", event.step}, {"unit", event.unit}, {"label", event.label}};
    out["visible"] = event.visible ? Json(*event.visible) : Json(nullptr);
    return out;
  }

  static Json edges_json(const std::vector<ExplorerEdge>& edges) {
    Json out = Json::array();
    for (const ExplorerEdge& edge : edges)
      out.push_back({{"from", edge.from}, {"to", edge.to}, {"relation", edge.relation}});
    return out;
  }

  Json fence_json(const ExplorerFence& fence) {
    Json out{{"threads", fence.threads}};
    place(out, fence.position);
    put(out, "without", fence.without);
    return out;
  }

  const ExplorerPage& page_;
  std::map<FileId, std::size_t> numbers_;
  std::vector<FileId> files_;
};

}  // namespace

Json explorer_json(const ExplorerPage& page, const RunInfo& run) { return PageJson(page).run(run); }

}  // namespace weir
