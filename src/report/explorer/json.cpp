// The page's data as JSON. Fields that say nothing are left out: most steps have few, and there are many
// steps.
#include <map>

#include "report/again.hpp"
#include "report/explorer/explorer.hpp"

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
    out["commandLine"] = asked(info);
    out["file"] = info.file;
    out["model"] = name(info.model);
    out["engine"] = page_.engine;
    out["tone"] = tone();
    out["headline"] = page_.headline;
    out["message"] = page_.message;
    if (!page_.story.empty()) out["story"] = page_.story;
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
      for (const ExplorerAccess& access : execution.violation->accesses) {
        Json& entry =
            out["violation"]["accesses"].emplace_back(Json{{"thread", access.thread}, {"text", access.text}});
        place(entry, access.position);
      }
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
    if (execution.skipped > 0) out["skipped"] = execution.skipped;
    if (execution.no_graph) out["noGraph"] = true;
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

  // There are many: [0, 3, "rf"] leads from event 0 to event 3.
  static Json edges_json(const std::vector<ExplorerEdge>& edges) {
    Json out = Json::array();
    for (const ExplorerEdge& edge : edges) out.push_back(Json::array({edge.from, edge.to, edge.relation}));
    return out;
  }

  Json fence_json(const ExplorerFence& fence) {
    Json out{{"threads", fence.threads}, {"text", fence.text}};
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
