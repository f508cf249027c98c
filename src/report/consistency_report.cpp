#include "report/consistency_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/ordering.hpp"
#include "report/json/parts.hpp"
#include "report/text/consistency_wording.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

using consistency::CycleEdge;
using consistency::Outcome;
using consistency::Step;

std::string reason_text(const ConsistencyReport& report, const ConsistencyWording& words) {
  if (report.found.outcome == Outcome::kUnknown) return report.found.stopped;
  if (report.found.outcome == Outcome::kConsistent)
    return fmt::format("{} in this order, confirmed by replay",
                       count_text(report.found.witness.size(), "step"));
  if (report.found.contradiction) return words.contradiction(*report.found.contradiction);
  if (!report.found.cycle.empty())
    return fmt::format("{} would each have to precede the next",
                       count_text(shortened(report.found.cycle).size(), "step"));
  if (report.found.without_source)
    return fmt::format("none of the writes that {} may read can be in memory then",
                       words.event(report.found.without_source));
  return "no order of all steps gives every read what it reads";
}

const char* verdict_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kConsistent: return "consistent";
    case Outcome::kInconsistent: return "inconsistent";
    case Outcome::kUnknown: return "unknown";
  }
  return "?";
}

std::string witness_text(const ConsistencyReport& report, const ConsistencyWording& words,
                         const Presentation& presentation) {
  std::size_t widest = 0, widest_action = 0;
  for (const Step& step : report.found.witness) {
    widest = std::max(widest, display_width(words.thread(step.event)));
    widest_action = std::max(widest_action, display_width(words.action(step.event)));
  }
  std::string out = "\n";
  std::size_t number = 0;
  for (const Step& step : report.found.witness) {
    const NamedEvent& event = report.named.events[step.event.index()];
    if (event.hidden) continue;
    const std::string note = words.note(step);
    std::string line = fmt::format(
        "{:>4}  {}  {}", ++number, padded(words.thread(step.event), widest),
        note.empty() ? words.action(step.event) : padded(words.action(step.event), widest_action));
    if (!note.empty()) line += "  " + tinted(note, Tint::kDim, presentation);
    out += line + "\n";
  }
  return out;
}

std::string cycle_text(const ConsistencyReport& report, const ConsistencyWording& words,
                       const Presentation& presentation) {
  std::string out = "\n";
  for (const CycleEdge& edge : shortened(report.found.cycle))
    out += fmt::format("  {}\n    {} {}\n      {}\n", words.step(edge.from),
                       tinted("before", Tint::kDim, presentation), words.step(edge.to),
                       tinted("because " + words.why(edge), Tint::kDim, presentation));
  return out;
}

Json step_json(const ConsistencyReport& report, const Step& step) {
  const NamedEvent& event = report.named.events[step.event.index()];
  const auto& raw = report.named.instance.event(step.event);
  Json out;
  out["thread"] = report.named.threads[raw.thread];
  out["action"] = json_action(event, step.commit);
  if (!event.name.empty()) out["id"] = event.name;
  if (raw.variable) out["address"] = report.named.variables[raw.variable.index()];
  if (event.read) out["value"] = *event.read;
  if (event.written) out[event.read ? "written" : "value"] = *event.written;
  if (event.operation == "write" && !step.commit) out["buffered"] = true;
  out["file"] = report.named.sources.file(event.position.file).path;
  out["line"] = event.position.line;
  return out;
}

}  // namespace

std::string consistency_reason(const ConsistencyReport& report, Model model) {
  return reason_text(report, {report.named, model});
}

std::string consistency_verdict_line(const ConsistencyReport& report, const RunInfo& run,
                                     const Presentation& presentation) {
  const ConsistencyWording words(report.named, run.model);
  const Tint tint = report.found.outcome == Outcome::kConsistent     ? Tint::kGood
                    : report.found.outcome == Outcome::kInconsistent ? Tint::kBad
                                                                     : Tint::kUnsure;
  std::string verdict = verdict_name(report.found.outcome);
  for (char& c : verdict) c = static_cast<char>(c - 'a' + 'A');
  return fmt::format("{} under {}: {}\n", tinted(verdict, tint, presentation), name(run.model),
                     reason_text(report, words));
}

std::string consistency_text(const ConsistencyReport& report, const RunInfo& run,
                             const Presentation& presentation) {
  const ConsistencyWording words(report.named, run.model);
  std::string out = consistency_verdict_line(report, run, presentation);
  if (report.found.outcome == Outcome::kConsistent) out += witness_text(report, words, presentation);
  if (!report.found.cycle.empty()) out += cycle_text(report, words, presentation);
  return out;
}

std::string consistency_json(const ConsistencyReport& report, const RunInfo& run) {
  const ConsistencyWording words(report.named, run.model);
  const std::string reason = reason_text(report, words);
  const Bound bound;
  Json out = answer_json(
      {report.found.engine, verdict_name(report.found.outcome), reason, bound, report.found.statistics}, run);
  out["witness"] = Json::array();
  for (const Step& step : report.found.witness)
    if (!report.named.events[step.event.index()].hidden) {
      Json entry = step_json(report, step);
      if (!buffers_stores(run.model)) entry.erase("buffered");
      out["witness"].push_back(std::move(entry));
    }
  if (report.found.outcome != Outcome::kInconsistent) return dump(out);
  out["cycle"] = Json::array();
  for (const CycleEdge& edge : shortened(report.found.cycle)) {
    Json& entry = out["cycle"].emplace_back();
    entry["from"] = step_json(report, edge.from);
    entry["relation"] = name(edge.reason);
    entry["to"] = step_json(report, edge.to);
    entry["because"] = words.why(edge);
  }
  return dump(out);
}

}  // namespace weir
