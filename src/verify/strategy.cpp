#include "verify/strategy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "check/replay.hpp"
#include "engine/portfolio/race.hpp"
#include "engine/rewriting/inlining.hpp"
#include "engine/rewriting/own_cells.hpp"
#include "verify/engine_options.hpp"
#include "verify/engines.hpp"
#include "verify/strategy_table.hpp"

namespace weir::verify {

namespace {

std::span<const Entrant> entrants_under(Model model) {
  switch (model) {
    case Model::kSc: return kUnderSc;
    case Model::kTso: return kUnderTso;
    case Model::kPso: return kUnderPso;
  }
  return kUnderSc;
}

// What keeps an engine from taking part; empty if nothing does.
std::string obstacle(const Engine& engine, const Program& program, const Question& question) {
  if (!question.values.ranges.empty() && !engine.obeys_ranges)
    return fmt::format("{} does not keep values within ranges", engine.name);
  return engine.obstacle(program);
}

// Where somebody wants to hear at once that a variable takes many values, nobody needs to look at more of them.
bool beyond_wanted_values(const Question& question, const Answer& answer) {
  return question.values.most_values < ValueLimits{}.most_values &&
         std::ranges::any_of(answer.bound, [](const auto& reached) { return reached.first == "values"; });
}

Contender contender(const Entrant& entrant, const Program& program, Question question, unsigned jobs) {
  question.jobs = jobs;
  const Engine& engine = *find_engine(entrant.engine);
  return {std::string(engine.name),
          [&engine, &program, question](Context& context) { return engine.run(program, question, context); },
          entrant.share};
}

Answer race_engines(const Program& program, const Question& question, Context& context) {
  std::vector<Entrant> entrants;
  std::vector<Diagnostic> left_out;
  for (const Entrant& entrant : entrants_under(question.model)) {
    const std::string why = obstacle(*find_engine(entrant.engine), program, question);
    if (why.empty())
      entrants.push_back(entrant);
    else
      left_out.push_back({Severity::kNote, fmt::format("{} did not try: {}", entrant.engine, why), {}, {}});
  }
  // The others have one thread each, and at most half of all.
  const unsigned others = std::min<unsigned>(entrants.size() - 1, question.jobs / 2);
  std::vector<Contender> contenders;
  for (const Entrant& entrant : entrants)
    contenders.push_back(
        contender(entrant, program, question, contenders.empty() ? question.jobs - others : 1));
  RaceOptions options{.seats = others + 1};
  options.ends_all = [&](const Answer& answer) { return beyond_wanted_values(question, answer); };
  Answer answer = race(contenders, options, context);
  if (answer.verdict == Verdict::kUnknown)
    answer.diagnostics.insert(answer.diagnostics.end(), left_out.begin(), left_out.end());
  return answer;
}

// With cells that only one thread uses as its registers. Nothing if there are none that matter, if a violation shows
// that others use them, or if it ends undecided: other accesses may touch the bytes around them.
std::optional<Answer> search_with_own_cells(const Program& program, const Question& question,
                                            Context& context) {
  const InlinedProgram inlined(program);  // a thread uses them in functions that it calls
  const OwnCells own(inlined.program());
  if (!own.any()) return std::nullopt;
  Answer answer = race_engines(own.program(), question, context);
  if (answer.verdict == Verdict::kUnknown && !context.stopped()) return std::nullopt;
  if (answer.verdict != Verdict::kUnsafe) return answer;
  answer.witness = inlined.original_witness(own.original_witness(*answer.witness));
  if (!replay(program, *answer.witness).reproduced) return std::nullopt;
  return answer;
}

// Ranges, and how many values are wanted, are those of cells.
bool may_use_registers(const Question& question) {
  return question.model == Model::kTso && question.values.ranges.empty() &&
         question.values.most_values == ValueLimits{}.most_values;
}

}  // namespace

Answer search_by_best_engine(const Program& program, const Question& question, Context& context) {
  if (question.about_states()) return check_explicit(program, explicit_options(question), context);
  if (may_use_registers(question))
    if (auto answer = search_with_own_cells(program, question, context)) return std::move(*answer);
  return race_engines(program, question, context);
}

std::string_view interruptible_engine(const Question& question) {
  if (question.engine != "auto") return question.engine;
  return question.any_number ? "dual" : "explicit";
}

}  // namespace weir::verify
