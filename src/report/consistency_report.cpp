#include "report/consistency_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/json_parts.hpp"
#include "report/text_parts.hpp"

namespace weir {

namespace {

using consistency::Contradiction;
using consistency::ContradictionKind;
using consistency::CycleEdge;
using consistency::EventId;
using consistency::kInitialWrite;
using consistency::Outcome;
using consistency::Reason;
using consistency::Step;

class Wording {
 public:
  Wording(const NamedInstance& named, Model model) : named_(named), model_(model) {}

  std::string thread(EventId event) const {
    return printable(named_.threads[named_.instance.event(event).thread]);
  }
  std::string variable(EventId event) const {
    return printable(named_.variables[named_.instance.event(event).variable.index()]);
  }

  // "write x = 1", "read y = 0", "rmw x: 0 to 1", "fence"
  std::string action(EventId id) const {
    const NamedEvent& event = named_.events[id.index()];
    if (!named_.instance.event(id).variable) return event.operation;
    std::string out = fmt::format("{} {}", event.operation, variable(id));
    if (event.operation == "lock" || event.operation == "unlock") return out;
    if (event.operation == "rmw" || event.operation == "cas") {
      if (event.read) out += fmt::format(": {}", *event.read);
      if (event.written) out += fmt::format("{} to {}", event.read ? "" : ":", *event.written);
      return out;
    }
    if (const auto value = event.read ? event.read : event.written) out += fmt::format(" = {}", *value);
    return out;
  }

  // "P0: write x = 1 (a)"
  std::string event(EventId id) const {
    if (id == kInitialWrite) return "the initial write";
    const NamedEvent& named = named_.events[id.index()];
    const std::string name = named.name.empty() ? "" : fmt::format(" ({})", printable(named.name));
    return fmt::format("{}: {}{}", thread(id), action(id), name);
  }

  std::string step(const Step& step) const {
    return event(step.event) + (step.commit ? ", reaching memory" : "");
  }

  // What a read reads in the witness, if the instance says so.
  std::string source(EventId read) const {
    std::string out;
    std::size_t count = 0;
    named_.instance.for_each_source(read, [&](EventId write) {
      out = event(write);
      ++count;
    });
    return count == 1 ? out : "";
  }

  std::string why(const CycleEdge& edge) const {
    switch (edge.reason) {
      case Reason::kProgramOrder: return "it is earlier in its thread";
      case Reason::kBuffered: return "a store is executed before it reaches memory";
      case Reason::kBufferOrder: return "the stores of a buffer reach memory in order";
      case Reason::kDrained: return "that waits until the buffer is empty";
      case Reason::kStoreFence: return "a store fence is between them";
      case Reason::kReadsFrom: return "that reads it";
      case Reason::kHidden:
        return fmt::format("{} reads the latter, which its own thread's older store would hide",
                           event(edge.read));
      case Reason::kOlder:
        return fmt::format("it is in memory before {}, which reads the latter", event(edge.read));
      case Reason::kNewer:
        return fmt::format("it reads {}, which the latter overwrites",
                           source_or(edge.read, "what was there"));
    }
    return "";
  }

  std::string contradiction(const Contradiction& found) const {
    if (found.kind == ContradictionKind::kReadsLater)
      return fmt::format("{} cannot read {}, which is later in its own thread", event(found.read),
                         event(found.source));
    return fmt::format("{} cannot read {}, because its own thread has written {} in between",
                       event(found.read), event(found.source), event(found.between));
  }

  const char* reason_name(Reason reason) const {
    switch (reason) {
      case Reason::kProgramOrder: return "program-order";
      case Reason::kBuffered: return "buffered";
      case Reason::kBufferOrder: return "buffer-order";
      case Reason::kDrained: return "drained";
      case Reason::kStoreFence: return "store-fence";
      case Reason::kReadsFrom: return "reads-from";
      case Reason::kHidden: return "hidden";
      case Reason::kOlder: return "older";
      case Reason::kNewer: return "newer";
    }
    return "?";
  }

  Model model() const { return model_; }

 private:
  std::string source_or(EventId read, const char* otherwise) const {
    const std::string found = source(read);
    return found.empty() ? otherwise : found;
  }

  const NamedInstance& named_;
  Model model_;
};

// Several steps of program order in a row are one.
std::vector<CycleEdge> shortened(const std::vector<CycleEdge>& cycle) {
  std::vector<CycleEdge> result;
  // Starts behind an edge that is no program order, so that no run of them is cut in two.
  std::size_t start = 0;
  while (start < cycle.size() && cycle[start].reason == Reason::kProgramOrder) ++start;
  for (std::size_t i = 1; i <= cycle.size(); ++i) {
    const CycleEdge& edge = cycle[(start + i) % cycle.size()];
    if (edge.reason == Reason::kProgramOrder && !result.empty() &&
        result.back().reason == Reason::kProgramOrder)
      result.back().to = edge.to;
    else
      result.push_back(edge);
  }
  return result;
}

std::string reason_text(const ConsistencyReport& report, const Wording& words) {
  if (report.outcome == Outcome::kUnknown) return report.stopped;
  if (report.outcome == Outcome::kConsistent)
    return fmt::format("{} in this order, confirmed by replay", count_text(report.witness.size(), "step"));
  if (report.contradiction) return words.contradiction(*report.contradiction);
  if (!report.cycle.empty())
    return fmt::format("{} would each have to precede the next",
                       count_text(shortened(report.cycle).size(), "step"));
  if (report.without_source)
    return fmt::format("none of the writes that {} may read can be in memory then",
                       words.event(report.without_source));
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

std::string witness_text(const ConsistencyReport& report, const Wording& words,
                         const Presentation& presentation) {
  std::size_t widest = 0, widest_action = 0;
  for (const Step& step : report.witness) {
    widest = std::max(widest, display_width(words.thread(step.event)));
    widest_action = std::max(widest_action, display_width(words.action(step.event)));
  }
  std::string out = "\n";
  std::size_t number = 0;
  for (const Step& step : report.witness) {
    const NamedEvent& event = report.named.events[step.event.index()];
    if (event.hidden) continue;
    std::string note;
    if (step.commit)
      note = "reaches memory";
    else if (event.operation == "write" || event.operation == "unlock")
      note = words.model() == Model::kSc ? "" : "enters the buffer";
    else if (const std::string source = words.source(step.event); !source.empty())
      note = "reads " + source;
    std::string line = fmt::format(
        "{:>4}  {}  {}", ++number, padded(words.thread(step.event), widest),
        note.empty() ? words.action(step.event) : padded(words.action(step.event), widest_action));
    if (!note.empty()) line += "  " + tinted(note, Tint::kDim, presentation);
    out += line + "\n";
  }
  return out;
}

std::string cycle_text(const ConsistencyReport& report, const Wording& words,
                       const Presentation& presentation) {
  std::string out = "\n";
  for (const CycleEdge& edge : shortened(report.cycle))
    out += fmt::format("  {}\n    {} {}\n      {}\n", words.step(edge.from),
                       tinted("before", Tint::kDim, presentation), words.step(edge.to),
                       tinted("because " + words.why(edge), Tint::kDim, presentation));
  return out;
}

// The words of the other commands' witnesses.
std::string json_action(const NamedEvent& event, bool commit) {
  if (commit) return "flush";
  if (event.operation == "read") return "load";
  if (event.operation == "write") return "store";
  return event.operation;
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

std::string consistency_verdict_line(const ConsistencyReport& report, const RunInfo& run,
                                     const Presentation& presentation) {
  const Wording words(report.named, run.model);
  const Tint tint = report.outcome == Outcome::kConsistent     ? Tint::kGood
                    : report.outcome == Outcome::kInconsistent ? Tint::kBad
                                                               : Tint::kUnsure;
  std::string verdict = verdict_name(report.outcome);
  for (char& c : verdict) c = static_cast<char>(c - 'a' + 'A');
  return fmt::format("{} under {}: {}\n", tinted(verdict, tint, presentation), name(run.model),
                     reason_text(report, words));
}

std::string consistency_text(const ConsistencyReport& report, const RunInfo& run,
                             const Presentation& presentation) {
  const Wording words(report.named, run.model);
  std::string out = consistency_verdict_line(report, run, presentation);
  if (report.outcome == Outcome::kConsistent) out += witness_text(report, words, presentation);
  if (!report.cycle.empty()) out += cycle_text(report, words, presentation);
  return out;
}

std::string consistency_json(const ConsistencyReport& report, const RunInfo& run) {
  const Wording words(report.named, run.model);
  const std::string reason = reason_text(report, words);
  const Bound bound;
  Json out =
      answer_json({report.engine, verdict_name(report.outcome), reason, bound, report.statistics}, run);
  out["witness"] = Json::array();
  for (const Step& step : report.witness)
    if (!report.named.events[step.event.index()].hidden) {
      Json entry = step_json(report, step);
      if (run.model == Model::kSc) entry.erase("buffered");
      out["witness"].push_back(std::move(entry));
    }
  if (report.outcome != Outcome::kInconsistent) return dump(out);
  out["cycle"] = Json::array();
  for (const CycleEdge& edge : shortened(report.cycle)) {
    Json& entry = out["cycle"].emplace_back();
    entry["from"] = step_json(report, edge.from);
    entry["relation"] = words.reason_name(edge.reason);
    entry["to"] = step_json(report, edge.to);
    entry["because"] = words.why(edge);
  }
  return dump(out);
}

}  // namespace weir
