#include "report/explorer/html_report.hpp"
#include "report/explorer/pages.hpp"
#include "report/fence_report.hpp"
#include "report/text/unified_diff.hpp"
#include "verify/fences/fences.hpp"
#include "verify/restrictions.hpp"
#include "weir/inside/content.hpp"
#include "weir/inside/echo.hpp"
#include "weir/inside/report.hpp"
#include "weir/inside/robust_options.hpp"
#include "weir/inside/words.hpp"

namespace weir::v1 {

namespace {

struct PlacementReport final : Answer::Report {
  weir::Program program;
  verify::FenceResult result;
  std::string patch;
  CSources sources;

  FenceReport parts() const { return {program, result.answer, result.options, patch, "", result.under_sc}; }
  std::string json() const override { return fence_json(parts(), run, kPlain); }
  std::string text() const override { return fence_text(parts(), run, kPlain); }
  std::string page() const override { return html_report(explorer_page(parts(), run), run); }
  std::string replay_file() const override {
    if (!result.answer.witness) return Report::replay_file();
    return replay_text(result.answer.instance, *result.answer.witness, sources);
  }
};

verify::FenceQuestion question(const weir::Program& program, const FenceOptions& options, Call& call) {
  const bool safety = options.purpose == FencePurpose::kSafety;
  if (!safety && options.model != Model::kTso)
    fail_usage("robustness is against tso", "fences for safety are possible under pso, too");
  if (safety && options.model == Model::kSc) fail_usage("under sc there is nothing for a fence to do");
  if (safety && options.triangular) fail_usage("triangular races are about robustness, not about safety");
  return {.purpose = safety ? weir::FencePurpose::kSafety : weir::FencePurpose::kRobustness,
          .model = inside(options.model),
          .robust = robust_options(program, options.triangular, options.limits, call),
          .cost = options.cost,
          .alternatives = options.alternatives,
          .properties = property_request(options.properties)};
}

RunInfo echoed(const Program& program, const FenceOptions& options) {
  RunInfo info = run_info("fence", program, inside(options.model), options.run);
  echo_model(info);
  echo(info, "for", std::string(options.purpose == FencePurpose::kSafety ? "safety" : "robustness"));
  echo(info, "triangular", options.triangular);
  echo(info, "cost", options.cost);
  echo(info, "alternatives", static_cast<std::int64_t>(options.alternatives));
  echo(info, options.properties);
  echo(info, options.limits);
  return info;
}

// The words of JSON: what the program is with the fences, or without any that would help.
Verdict verdict_of(const FenceReport& report) {
  const std::string_view word = verdict_name(report);
  for (const Verdict verdict : {Verdict::kSafe, Verdict::kUnsafe, Verdict::kRobust, Verdict::kNotRobust})
    if (word == name(verdict)) return verdict;
  return Verdict::kUnknown;
}

std::vector<Fence> fences_at(const FenceReport& report, const std::vector<LocationId>& locations) {
  std::vector<Fence> fences;
  for (const LocationId location : locations)
    for (const FencePlace& found : places_of_fence(report.program, location))
      fences.push_back({.threads = found.threads,
                        .label = report.program.location_name(found.location),
                        .place = place(report.program.sources, found.position),
                        .without = without_fence(report, location)});
  return fences;
}

std::vector<FileEdits> file_edits(const std::vector<weir::FileEdits>& changes) {
  std::vector<FileEdits> out;
  for (const weir::FileEdits& change : changes) {
    FileEdits& file =
        out.emplace_back(FileEdits{.file = change.path, .before = change.before, .after = change.after()});
    for (const weir::TextEdit& edit : change.edits)
      file.edits.push_back({edit.begin, edit.end, edit.replacement});
  }
  return out;
}

void add_warnings(FenceAnswer& answer, const PlacementReport& report) {
  const weir::Program& program = report.program;
  add_shown(answer.warnings, report.result.answer.diagnostics, program.sources);
  add_shown(answer.warnings, verify::restriction_warnings(program), program.sources);
  if (!report.result.no_changes) return;
  add_shown(answer.warnings,
            {{weir::Severity::kWarning,
              "these fences could not be written into the text: there are no edits",
              {},
              "the answer names file and line of each"}},
            {});
}

FenceAnswer ask(const Program& program, const FenceOptions& options, Call& call) {
  const Program::Content& content = program.content();
  verify::Loaded loaded = *content.read({.races = options.properties.races}, call);
  add_properties(loaded.program, options.properties);
  const verify::FenceQuestion asked = question(loaded.program, options, call);
  auto report = std::make_shared<PlacementReport>();
  verify::Source source = content.source;
  source.c.process_ends = false;
  source.c.races = options.properties.races;
  report->result = unwrap(verify::place_fences(source, loaded, asked, call.context()));
  report->program = std::move(loaded.program);
  report->patch = unified_diff(report->result.changes);
  report->sources = content.c_sources();
  report->run = echoed(program, options);
  note_cost(report->run, call);

  const weir::FenceAnswer& found = report->result.answer;
  FenceAnswer answer;
  tell(answer,
       {verdict_of(report->parts()), found.reason, found.bound, "fence", asked.model, found.statistics},
       call);
  add_warnings(answer, *report);
  answer.fences = fences_at(report->parts(), found.fences);
  answer.cost = found.cost;
  for (const auto& other : found.alternatives)
    answer.alternatives.push_back(fences_at(report->parts(), other));
  answer.edits = file_edits(report->result.changes);
  answer.patch = report->patch;
  answer.execution = execution(found.instance, found.witness);
  answer.report = std::move(report);
  return answer;
}

}  // namespace

Result<FenceAnswer> fence(const Program& program, const FenceOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(program, options, call); });
}

}  // namespace weir::v1
