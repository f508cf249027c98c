// The answer as JSON; the schema is frozen, so fields may be added but not renamed.
#include <charconv>
#include <nlohmann/json.hpp>

#include "report/answer_report.hpp"
#include "report/storyline.hpp"

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

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

void add_position(Json& out, const Program& program, SourcePosition position) {
  out["file"] = position.file ? Json(program.sources.file(position.file).path) : Json(nullptr);
  out["line"] = position.line;
}

Json options_json(const RunInfo& run) {
  Json out = Json::object();
  for (const auto& [name, value] : run.options)
    std::visit([&, &key = name](const auto& v) { out[key] = v; }, value);
  return out;
}

// The figures every command has, 0 where the engine has none, and after them the engine's own.
Json statistics_json(const Answer& answer, const RunInfo& run) {
  Json out;
  out["seconds"] = run.seconds;
  out["peak_mb"] = static_cast<double>(run.peak_bytes) / (1 << 20);
  for (const char* name : {"states", "transitions", "traces", "blocked", "configurations"}) out[name] = 0;
  for (const auto& entry : answer.statistics.entries())
    if (entry.name != "seconds" && entry.name != "peak_mb")
      std::visit([&](auto v) { out[entry.name] = v; }, entry.figure);
  return out;
}

Json violation_json(const Program& program, const Violation& violation) {
  Json out;
  out["kind"] = name(violation.kind);
  out["message"] = violation.message;
  add_position(out, program, violation.position);
  out["column"] = violation.position.column;
  return out;
}

Json step_json(const Program& program, const StoryEvent& event) {
  Json out;
  out["thread"] = program.thread(event.thread).name;
  out["action"] = event.action;
  if (event.address) out["address"] = program.address_name(*event.address);
  if (event.value) out["value"] = number(*event.value, event.type);
  if (std::string_view(event.action) == "store") out["buffered"] = event.buffered;
  add_position(out, program, event.position);
  if (!event.change.empty()) out["change"] = event.change;
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

}  // namespace

std::string json_report(const Program& program, const Answer& answer, const RunInfo& run,
                        const Presentation& presentation) {
  Json out;
  out["schema"] = 1;
  out["tool"] = "weir";
  out["version"] = run.version;
  out["command"] = run.command;
  out["file"] = run.file;
  out["model"] = name(run.model);
  out["engine"] = answer.engine;
  out["verdict"] = name(answer.verdict);
  out["reason"] = answer.reason;
  out["bound"] = Json::object();
  for (const auto& [what, value] : answer.bound) out["bound"][what] = bound_value(value);
  out["stats"] = statistics_json(answer, run);
  out["options"] = options_json(run);
  if (answer.witness) {
    out["violation"] = violation_json(program, answer.witness->violation);
    out["witness"] = witness_json(program, *answer.witness, presentation);
  }
  if (!run.witness_file.empty()) out["witness_file"] = run.witness_file;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
