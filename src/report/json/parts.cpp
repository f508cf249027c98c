#include "report/json/parts.hpp"

#include <charconv>

#include "check/happens_before.hpp"
#include "report/execution/source_names.hpp"
#include "report/execution/storyline.hpp"

namespace weir {

namespace {

Json number(Value value, Type type) {
  if (type.bits == 64 && !type.is_signed) return static_cast<std::uint64_t>(value);
  return value;
}

// Numbers where a bound is a number.
Json bound_value(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && !text.empty()) return value;
  return text;
}

Json options_json(const RunInfo& run) {
  Json out = Json::object();
  for (const auto& [name, value] : run.options)
    std::visit([&, &key = name](const auto& v) { out[key] = v; }, value);
  return out;
}

// The figures every command has, 0 where the engine has none, and after them the engine's own.
Json statistics_json(const Statistics& statistics, const RunInfo& run) {
  Json out;
  out["seconds"] = run.seconds;
  out["peak_mb"] = static_cast<double>(run.peak_bytes) / (1 << 20);
  for (const char* name : {"states", "transitions", "traces", "blocked", "configurations"}) out[name] = 0;
  for (const auto& entry : statistics.entries())
    if (entry.name != "seconds" && entry.name != "peak_mb")
      std::visit([&](auto v) { out[entry.name] = v; }, entry.figure);
  return out;
}

Json step_json(const Program& program, const StoryEvent& event) {
  Json out;
  out["thread"] = program.thread(event.thread).name;
  out["action"] = event.action;
  if (event.address) out["address"] = event.name;
  out["text"] = event.text;
  if (event.value) out["value"] = number(*event.value, event.type);
  if (std::string_view(event.action) == "store") out["buffered"] = event.buffered;
  add_position(out, program, event.position);
  if (!event.change.empty()) out["change"] = event.change;
  return out;
}

Json event_json(const Program& program, const SourceNames& names, const TraceEvent& event) {
  const Edge& edge = program.edge(event.edge);
  const bool updates = edge.instruction.op == Opcode::kRmw;
  Json out;
  out["thread"] = program.thread(event.thread).name;
  out["action"] = updates ? "rmw" : event.reads ? "load" : "store";
  out["address"] = names.address(event.address);
  out["value"] = number(event.reads ? event.read : event.written, edge.instruction.type);
  add_position(out, program, names.own_position(event.edge));
  return out;
}

}  // namespace

void add_position(Json& out, const Program& program, SourcePosition position) {
  out["file"] = position.file ? Json(program.sources.file(position.file).path) : Json(nullptr);
  out["line"] = position.line;
}

Json violation_json(const Program& program, const Violation& violation) {
  Json out;
  out["kind"] = name(violation.kind);
  out["message"] = violation.message;
  add_position(out, program, violation.position);
  out["column"] = violation.position.column;
  return out;
}

Json threads_json(const ThreadCounts& threads) {
  Json out;
  out["threads"] = threads.total;
  out["least"] = threads.least;
  out["counts"] = Json::object();
  for (const auto& [name, count] : threads.counts) out["counts"][name] = count;
  return out;
}

Json witness_json(const Program& program, const Witness& witness, const Presentation& presentation) {
  Json out = Json::array();
  const Storyline story = tell(program, witness);
  for (const StoryEvent& event : story.events) {
    if (event.local && !presentation.local_steps) continue;
    Json step = step_json(program, event);
    const WitnessStep& raw = witness.steps[event.step];
    if (std::string_view(event.action) == "rmw" && raw.stored)
      step["written"] = number(raw.written, event.type);
    out.push_back(std::move(step));
  }
  return out;
}

Json cycle_json(const Program& program, const Witness& witness) {
  const HappensBefore relation = happens_before(program, witness);
  const SourceNames names(program, witness);
  Json out = Json::array();
  for (const HappensBeforeEdge& edge : relation.cycle()) {
    Json& entry = out.emplace_back();
    entry["from"] = event_json(program, names, relation.events[edge.from]);
    entry["relation"] = name(edge.relation);
    entry["to"] = event_json(program, names, relation.events[edge.to]);
  }
  return out;
}

Json answer_json(const AnswerHead& head, const RunInfo& run) {
  Json out;
  out["schema"] = 1;
  out["tool"] = "weir";
  out["version"] = run.version;
  out["command"] = run.command;
  out["file"] = run.file;
  out["model"] = name(run.model);
  out["engine"] = head.engine;
  out["verdict"] = head.verdict;
  out["reason"] = head.reason;
  out["bound"] = Json::object();
  for (const auto& [what, value] : head.bound) out["bound"][what] = bound_value(value);
  out["stats"] = statistics_json(head.statistics, run);
  out["options"] = options_json(run);
  return out;
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace weir
