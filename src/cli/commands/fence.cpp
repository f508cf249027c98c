// weir fence: load, place fences, confirm that they do what they should and that each is needed, report, and
// write a patch that was itself checked.
#include "engine/robust/fences/fence.hpp"

#include <fmt/format.h>

#include "cli/c_patch.hpp"
#include "cli/c_program.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/comparison.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/fencing.hpp"
#include "cli/loading.hpp"
#include "cli/options/properties.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "engine/explicit/explicit.hpp"
#include "program/fences.hpp"
#include "report/fence_report.hpp"
#include "report/text/unified_diff.hpp"
#include "verify/confirmation.hpp"
#include "verify/restrictions.hpp"

namespace weir::cli {

namespace {

// Options that say nothing about what the fences are for.
std::optional<UsageError> check_purpose(const Settings& settings) {
  const bool safety = settings.text(OptionId::kFor) == "safety";
  if (!safety && settings.text(OptionId::kFenceModel) != "tso")
    return UsageError{"robustness is against tso; --model pso goes with --for safety", ""};
  if (safety && settings.flag(OptionId::kTriangular))
    return UsageError{"--triangular is about robustness, not about --for safety", ""};
  return std::nullopt;
}

class Fencing {
 public:
  Fencing(const CommandLine& line, const Program& program, const std::string& text,
          const FenceOptions& options, Session& session)
      : line_(line), program_(program), text_(text), options_(options), session_(session) {}

  // The answer, confirmed, and the patch.
  void run() {
    Context& context = session_.context();
    answer = place_fences(program_, options_, context);
    if (answer.verdict == FenceVerdict::kImpossible) explain_impossible(context);
    if (answer.verdict != FenceVerdict::kFound) return;
    for (const FenceNeed& need : answer.needs) verify::confirm(need.program, need.witness);
    if (require(with_fences(program_, all_at_places(options_, answer.fences)), context,
                "the fences found are not enough"))
      make_patch(context);
  }

  FenceAnswer answer;
  std::vector<FileEdits> changes;  // to the user's files, checked
  bool no_patch = false;           // there are fences, but nobody knows how to write them
  bool under_sc = false;           // impossible: the witness is an execution under SC

 private:
  enum class Outcome : std::uint8_t { kGood, kBad, kUnknown };

  // Is the program what the fences should make of it?
  Outcome check(const Program& fenced, Context& context) const {
    if (options_.purpose == FencePurpose::kSafety) {
      const Verdict verdict = check_explicit(fenced, explicit_options(options_.model), context).verdict;
      return verdict == Verdict::kSafe     ? Outcome::kGood
             : verdict == Verdict::kUnsafe ? Outcome::kBad
                                           : Outcome::kUnknown;
    }
    const RobustVerdict verdict = check_robust(fenced, options_.robust, context).verdict;
    return verdict == RobustVerdict::kRobust      ? Outcome::kGood
           : verdict == RobustVerdict::kNotRobust ? Outcome::kBad
                                                  : Outcome::kUnknown;
  }

  ExplicitOptions explicit_options(Model model) const {
    ExplicitOptions options{.model = model};
    options.local_steps = options_.robust.local_steps;
    options.values = options_.robust.values;
    return options;
  }

  // False if there was no time to see it; then there is no answer either.
  bool require(const Program& fenced, Context& context, const char* otherwise) {
    const Outcome outcome = check(fenced, context);
    if (outcome == Outcome::kBad) throw InternalError(otherwise);
    if (outcome == Outcome::kGood) return true;
    answer = {
        .verdict = FenceVerdict::kUnknown,
        .reason = context.stopped() ? describe(context.stop_reason()) : "the fences could not be checked",
        .statistics = answer.statistics};
    return false;
  }

  Program parsed(const std::string& text) const {
    auto fenced = parse_program(line_, text);
    if (!fenced)
      throw InternalError("the text with fences cannot be read: " +
                          render(fenced.error().diagnostics.front(), fenced.error().sources));
    if (add_properties(*fenced, line_.settings)) throw InternalError("the text with fences lacks a place");
    return std::move(*fenced);
  }

  // One of the two fences of a loop is left out where the other will do.
  void make_patch(Context& context) {
    const Format format = program_format(line_, text_);
    if (format == Format::kC) {
      if (answer.fences.empty()) return;
      const auto good = [&](const Program& patched) { return check(patched, context) == Outcome::kGood; };
      changes = c_fence_files(line_, program_, answer.fences, good, session_);
      no_patch = changes.empty();
      return;
    }
    if (format == Format::kLitmus) {
      no_patch = !answer.fences.empty();
      return;
    }
    const auto edits = [&](const std::vector<LoopFences>& loops) {
      return fence_edits(program_, format, text_, answer.fences, loops);
    };
    const auto fenced = [&](const std::vector<LoopFences>& loops) {
      return parsed(apply_edits(text_, edits(loops)));
    };
    std::vector<LoopFences> loops = loop_fences(program_, format, text_, answer.fences);
    if (!require(fenced(loops), context, "the fences are not enough in the text that has them")) return;
    for (std::size_t i = 0; i < loops.size(); ++i)
      for (bool LoopFences::*const one : {&LoopFences::inside, &LoopFences::before}) {
        loops[i].*one = false;
        if (check(fenced(loops), context) == Outcome::kGood) break;
        loops[i].*one = true;
      }
    changes = {{line_.file, text_, edits(loops)}};
  }

  // A violation that exists under SC is shown there. Otherwise the witness may be one of a program with some
  // fences already in it; without them it is still an execution.
  void explain_impossible(Context& context) {
    if (options_.purpose == FencePurpose::kSafety) {
      const Answer sc = check_explicit(program_, explicit_options(Model::kSc), context);
      under_sc = sc.verdict == Verdict::kUnsafe;
      if (under_sc) answer.witness = sc.witness;
    }
    if (!answer.witness) return;
    std::erase_if(answer.witness->steps, [&](const WitnessStep& step) {
      return step.edge && step.edge.index() >= program_.edges.size();
    });
    answer.witness = verify::confirmed(program_, *answer.witness, context);
  }

  const CommandLine& line_;
  const Program& program_;
  const std::string& text_;
  const FenceOptions& options_;
  Session& session_;
};

std::string report(const FenceReport& answer, const RunInfo& run, const Settings& settings) {
  const Presentation shown = presentation(settings);
  const bool only_patch = settings.text(OptionId::kPatch) == "-";
  if (settings.flag(OptionId::kJson)) return fence_json(answer, run, shown);
  if (only_patch && answer.answer.verdict == FenceVerdict::kFound) return answer.patch;
  if (settings.flag(OptionId::kQuiet)) return fence_verdict_line(answer, shown);
  return fence_text(answer, run, shown) +
         (settings.flag(OptionId::kVerbose) ? statistics_text("fence", answer.answer.statistics) : "");
}

int place_and_report(const CommandLine& line, const Program& program, const std::string& text,
                     const FenceOptions& options, Session& session) {
  const Settings& settings = line.settings;
  const bool safety = options.purpose == FencePurpose::kSafety;
  RunInfo run = run_info(line, safety ? options.model : Model::kTso);
  Fencing fencing(line, program, text, options, session);
  session.enter("looking for fences");
  fencing.run();
  note_cost(run, session.context());
  warn(program, fencing.answer.diagnostics, settings);
  warn(program, verify::restriction_warnings(program), settings);
  if (fencing.no_patch)
    warn(program,
         {{Severity::kWarning,
           "these fences could not be written into the text: there is no patch",
           {},
           "the answer names file and line of each"}},
         settings);
  FenceReport answer{program, fencing.answer, options, unified_diff(fencing.changes), "", fencing.under_sc};
  const int code = exit_code(fencing.answer.verdict);
  const std::string path(settings.text(OptionId::kPatch));
  if (path != "-") answer.patch_file = path;
  session.enter("writing the answer");
  if (path == "-")
    session.answer_exactly(report(answer, run, settings), code);
  else
    session.answer(report(answer, run, settings), code);
  if (settings.given(OptionId::kSarif))
    deliver(line, [&] {
      SarifLog log{program.sources, run, verdict_name(answer), fencing.answer.reason, code, {}};
      if (auto result = fence_result(answer, fencing.changes)) log.results.push_back(std::move(*result));
      return write_sarif(log, settings);
    });
  if (!answer.patch_file.empty()) deliver(line, [&] { return write_file(path, answer.patch); });
  deliver(line, [&] { return write_html(run, settings, [&] { return explorer_page(answer, run); }); });
  return code;
}

}  // namespace

int run_fence(const CommandLine& line, Session& session) {
  const Settings& settings = line.settings;
  if (const auto error = check_purpose(settings)) return fail_usage(line, *error);
  auto text = is_c_program(line) ? Expected<std::string>("") : read_file(line.file);
  if (!text) return fail_input(line, text.error());
  auto program = is_c_program(line) ? load_program(line, session) : parse_program(line, *text);
  if (!program) return fail_input(line, program.error());
  if (const auto error = add_properties(*program, settings)) return fail_usage(line, *error);
  auto robust = robust_options(*program, settings);
  if (!robust) return fail_usage(line, robust.error());
  auto costs = fence_costs(*program, program_format(line, *text), *text, settings);
  if (!costs) return fail_input(line, costs.error());

  FenceOptions options{.robust = std::move(*robust), .cost = std::move(*costs)};
  if (settings.text(OptionId::kFor) == "safety") options.purpose = FencePurpose::kSafety;
  options.model = parse_model(settings.text(OptionId::kFenceModel)).value();
  options.place = fence_places(*program, program_format(line, *text));
  options.alternatives = settings.number(OptionId::kAlternatives).value();
  return place_and_report(line, *program, *text, options, session);
}

}  // namespace weir::cli
