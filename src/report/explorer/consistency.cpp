// The page of `weir consistent`. There is no program, but a file that says what each thread did; the steps
// are those of the execution that was found. Of an instance that has none, the page shows the orders that
// contradict each other.
#include <fmt/format.h>
#include <map>

#include "program/ordering.hpp"
#include "report/execution/cycle.hpp"
#include "report/explorer/pages.hpp"
#include "report/text/consistency_wording.hpp"

namespace weir {

namespace {

using consistency::EventId;
using consistency::Outcome;
using consistency::Step;

class ConsistentExecution {
 public:
  ConsistentExecution(const ConsistencyReport& report, Model model)
      : report_(report), named_(report.named), model_(model), words_(report.named, model) {
    result_.title = "an execution in which every read reads what it is said to";
    result_.model = model;
    for (std::size_t v = 0; v < named_.variables.size(); ++v)
      result_.cells.push_back({named_.variables[v], std::to_string(named_.initial[v]), false});
  }

  ExplorerExecution run() {
    for (const Step& step : report_.found.witness)
      if (!named_.events[step.event.index()].hidden) take(step);
    for (std::size_t e = 0; e < events_.size(); ++e)
      events_[e].visible = result_.events[e].visible.value_or(result_.steps.size());
    const HappensBefore relation = relate(std::move(events_));
    result_.edges = explorer_edges(relation.edges);
    result_.cycle = explorer_edges(told_cycle(relation));
    return std::move(result_);
  }

 private:
  void take(const Step& step) {
    const NamedEvent& event = named_.events[step.event.index()];
    const auto& raw = named_.instance.event(step.event);
    ExplorerStep shown{.number = result_.steps.size() + 1, .thread = raw.thread};
    shown.action = json_action(event, step.commit);
    const std::string note = words_.note(step);
    shown.text = words_.action(step.event) + (note.empty() ? "" : fmt::format(" ({})", note));
    shown.position = event.position;
    if (raw.variable) touch(step, event, raw, shown);
    result_.steps.push_back(std::move(shown));
  }

  void touch(const Step& step, const NamedEvent& event, const consistency::Instance::Event& raw,
             ExplorerStep& shown) {
    const std::size_t here = result_.steps.size();
    if (!step.commit) add_event(step.event, here);
    const std::size_t number = number_.at(step.event);
    shown.cell = raw.variable.index();
    shown.value = consistency::reads(raw.kind) ? text(event.read) : text(event.written);
    shown.buffered = raw.kind == consistency::EventKind::kWrite && buffers_stores(model_) && !step.commit;
    if (step.commit) shown.store = events_[number].step;
    if (!consistency::writes(raw.kind)) return;
    if (shown.buffered) {
      result_.events[number].visible.reset();
      return;
    }
    shown.memory = text(event.written);
    in_memory_[raw.variable.index()] = number;
    result_.events[number].visible = here;
  }

  static std::string text(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "?";
  }

  void add_event(EventId id, std::size_t step) {
    const auto& raw = named_.instance.event(id);
    TraceEvent event{.step = step, .visible = step, .unit = events_.size(), .thread = ThreadId(raw.thread)};
    event.address = static_cast<Value>(raw.variable.index());
    event.reads = consistency::reads(raw.kind);
    event.writes = consistency::writes(raw.kind);
    if (event.reads) event.source = source_of(raw);
    number_[id] = events_.size();
    result_.events.push_back({step, step, event.unit, label(id, event)});
    events_.push_back(event);
  }

  // The newest store of the own thread that is on its way, or else what is in memory.
  std::optional<std::size_t> source_of(const consistency::Instance::Event& read) const {
    for (std::size_t e = events_.size(); e-- > 0;)
      if (events_[e].thread.index() == read.thread && events_[e].writes &&
          events_[e].address == static_cast<Value>(read.variable.index()) && !result_.events[e].visible)
        return e;
    const auto written = in_memory_.find(read.variable.index());
    return written == in_memory_.end() ? std::nullopt : std::optional(written->second);
  }

  std::string label(EventId id, const TraceEvent& event) const {
    const NamedEvent& named = named_.events[id.index()];
    const std::string place = words_.variable(id);
    if (event.reads && event.writes)
      return fmt::format("U {}={}->{}", place, text(named.read), text(named.written));
    return event.reads ? fmt::format("R {}={}", place, text(named.read))
                       : fmt::format("W {}={}", place, text(named.written));
  }

  const ConsistencyReport& report_;
  const NamedInstance& named_;
  Model model_;
  ConsistencyWording words_;
  std::vector<TraceEvent> events_;
  std::map<EventId, std::size_t> number_;         // of the event in `events_`
  std::map<std::size_t, std::size_t> in_memory_;  // per variable, the event that wrote what is there
  ExplorerExecution result_;
};

// The orders that every execution would need, in words.
std::string contradiction_text(const ConsistencyReport& report, Model model) {
  if (report.found.outcome != Outcome::kInconsistent) return "No execution was found.";
  const ConsistencyWording words(report.named, model);
  std::string out = "There is no execution.";
  for (const consistency::CycleEdge& edge : shortened(report.found.cycle))
    out += fmt::format("\n{} before {}: {}", words.step(edge.from), words.step(edge.to), words.why(edge));
  return out;
}

ExplorerTone tone_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kConsistent: return ExplorerTone::kGood;
    case Outcome::kInconsistent: return ExplorerTone::kBad;
    case Outcome::kUnknown: return ExplorerTone::kUnsure;
  }
  return ExplorerTone::kUnsure;
}

}  // namespace

ExplorerPage explorer_page(const ConsistencyReport& report, const RunInfo& run) {
  ExplorerPage page{.tone = tone_of(report.found.outcome)};
  set_headline(page, consistency_verdict_line(report, run, {}));
  page.engine = report.found.engine;
  add_figures(page, report.found.statistics, run);
  page.sources = report.named.sources;
  page.threads = report.named.threads;
  if (report.found.outcome == Outcome::kConsistent)
    page.executions.push_back(ConsistentExecution(report, run.model).run());
  else
    page.nothing_to_show = contradiction_text(report, run.model);
  return page;
}

}  // namespace weir
