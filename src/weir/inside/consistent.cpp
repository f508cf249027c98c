#include "verify/consistent.hpp"

#include "report/consistency_report.hpp"
#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/text/consistency_wording.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct InstanceReport final : Answer::Report {
  NamedInstance named;
  consistency::ConsistencyVerdict found;

  ConsistencyReport parts() const { return {named, found}; }
  std::string json() const override { return consistency_json(parts(), run); }
  std::string text() const override { return consistency_text(parts(), run, kPlain); }
  std::string page() const override { return html_report(explorer_page(parts(), run), run); }
};

Verdict consistency_verdict(consistency::Outcome outcome) {
  if (outcome == consistency::Outcome::kUnknown) return Verdict::kUnknown;
  return outcome == consistency::Outcome::kConsistent ? Verdict::kConsistent : Verdict::kInconsistent;
}

NamedInstance load_named(const Input& input, weir::Model model) {
  return unwrap(input.text ? verify::load_instance_text(input.name, *input.text, model)
                           : verify::load_instance(input.name, model));
}

Step step(const NamedInstance& named, const ConsistencyWording& words, const consistency::Step& step) {
  const NamedEvent& event = named.events[step.event.index()];
  const bool has_variable = bool(named.instance.event(step.event).variable);
  std::string text = words.action(step.event);
  if (const std::string note = words.note(step); !note.empty()) text += ", " + note;
  return {.thread = words.thread(step.event),
          .action = json_action(event, step.commit),
          .address = has_variable ? words.variable(step.event) : "",
          .value = event.read ? event.read : event.written,
          .text = std::move(text),
          .buffered = event.operation == "write" && !step.commit && words.model() != weir::Model::kSc,
          .place = place(named.sources, event.position)};
}

void explain(ConsistentAnswer& answer, const InstanceReport& report, weir::Model model) {
  const ConsistencyWording words(report.named, model);
  for (const consistency::Step& taken : report.found.witness)
    if (!report.named.events[taken.event.index()].hidden)
      answer.steps.push_back(step(report.named, words, taken));
  for (const consistency::CycleEdge& edge : shortened(report.found.cycle))
    answer.cycle.push_back(words.step(edge.from) + " before " + words.step(edge.to) + ", because " +
                           words.why(edge));
}

RunInfo echoed(const Input& input, const ConsistentOptions& options, weir::Model model) {
  RunInfo info = run_info("consistent", input, model, options.run);
  echo_model(info);
  echo(info, "algorithm", std::string(options.naive ? "naive" : "verify"));
  echo(info, "no-closure", !options.closure);
  return info;
}

ConsistentAnswer ask(const Input& input, const ConsistentOptions& options, Call& call) {
  using namespace consistency;
  const VerifyOptions question{inside(options.model), options.naive ? Algorithm::kNaive : Algorithm::kVerify,
                               options.closure ? ClosureUse::kFirst : ClosureUse::kNever};
  auto report = std::make_shared<InstanceReport>();
  report->named = load_named(input, question.model);
  report->found = verify::check_consistency(report->named, question, call.context());
  report->run = echoed(input, options, question.model);
  note_cost(report->run, call);

  const std::string reason = consistency_reason(report->parts(), question.model);
  ConsistentAnswer answer;
  tell(answer,
       {consistency_verdict(report->found.outcome),
        reason,
        {},
        report->found.engine,
        question.model,
        report->found.statistics},
       call);
  explain(answer, *report, question.model);
  answer.report = std::move(report);
  return answer;
}

}  // namespace

Result<ConsistentAnswer> consistent(const Input& instance, const ConsistentOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(instance, options, call); });
}

}  // namespace weir::v1
