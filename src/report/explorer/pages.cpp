#include "report/explorer/pages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <set>

#include "program/ordering.hpp"
#include "report/again.hpp"
#include "report/execution/source_names.hpp"
#include "report/execution/story.hpp"

namespace weir {

namespace {

constexpr Presentation kPlain{};  // no colours

std::string without_end_of_line(std::string line) {
  if (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

ExplorerPage start(const Program& program, std::string verdict, ExplorerTone tone) {
  ExplorerPage page{.tone = tone};
  set_headline(page, std::move(verdict));
  page.sources = program.sources;
  for (const Thread& thread : program.threads) page.threads.push_back(thread.name);
  return page;
}

std::string figure_text(const Statistics::Figure& figure) {
  if (const auto* number = std::get_if<std::uint64_t>(&figure)) return std::to_string(*number);
  return fmt::format("{:.3g}", std::get<double>(figure));
}

ExplorerTone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe: return ExplorerTone::kGood;
    case Verdict::kUnsafe: return ExplorerTone::kBad;
    case Verdict::kUnknown: return ExplorerTone::kUnsure;
  }
  return ExplorerTone::kUnsure;
}

void add_next_of_answer(ExplorerPage& page, const Answer& answer, const RunInfo& run) {
  if (run.command != "check" && run.command != "explain") return;
  if (answer.verdict == Verdict::kUnsafe && can_ask_for_fences(run)) page.next.push_back(ask_for_fences(run));
  const std::optional<Model> weaker = next_weaker(run.model);
  if (answer.verdict == Verdict::kSafe && weaker && can_ask(run, "check", *weaker))
    page.next.push_back(ask_under(run, *weaker));
}

// As the patch of `weir fence` has it, in the languages that have one way to write it.
std::string text_of_fence(const Program& program, SourcePosition position) {
  if (!program.byte_memory || !position.file) return "fence";
  const std::string& path = program.sources.file(position.file).path;
  const auto is_one_of = [&](std::initializer_list<std::string_view> suffixes) {
    return std::ranges::any_of(suffixes, [&](std::string_view suffix) { return path.ends_with(suffix); });
  };
  if (is_one_of({".i", ".ii"})) return "__atomic_thread_fence(__ATOMIC_SEQ_CST);";
  if (is_one_of({".cpp", ".cc", ".cxx", ".C", ".hpp", ".hh"}))
    return "std::atomic_thread_fence(std::memory_order_seq_cst);";
  return "atomic_thread_fence(memory_order_seq_cst);";
}

// "x=1, y=0"
std::string outcome_text(const OutcomesReport& report, const std::vector<Value>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ObservedPlace& place = report.question.places[i];
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", place.name,
                       final_value_text(report.program, place, values[i]));
  }
  return out;
}

std::string outcomes_headline(const OutcomesReport& report) {
  std::string out;
  for (const ModelOutcomes& outcomes : report.found.models)
    out += fmt::format("{}{} under {}", out.empty() ? "" : ", ",
                       count_text(outcomes.values.size(), "outcome"), name(outcomes.model));
  return out;
}

}  // namespace

std::vector<ExplorerFence> explorer_fences(const FenceReport& report) {
  std::vector<ExplorerFence> fences;
  for (const LocationId fence : report.answer.fences)
    for (const FencePlace& place : places_of_fence(report.program, fence))
      fences.push_back({fmt::format("{}", fmt::join(place.threads, ", ")),
                        text_of_fence(report.program, place.position), place.position,
                        without_fence(report, fence)});
  return fences;
}

void set_headline(ExplorerPage& page, std::string line) {
  line = without_end_of_line(std::move(line));
  const std::size_t colon = line.find(": ");
  page.headline = line.substr(0, colon);
  if (colon != std::string::npos) page.message = line.substr(colon + 2);
}

void add_figures(ExplorerPage& page, const Statistics& statistics, const RunInfo& run) {
  for (const Statistics::Entry& entry : statistics.entries())
    if (entry.name != "seconds" && entry.name != "peak_mb")
      page.figures.emplace_back(entry.name, figure_text(entry.figure));
  page.figures.emplace_back("seconds", fmt::format("{:.2f}", run.seconds));
  page.figures.emplace_back("memory", fmt::format("{} MB", run.peak_bytes >> 20));
}

ExplorerPage explorer_page(const Program& program, const Answer& answer, const RunInfo& run) {
  ExplorerPage page = start(program, verdict_line(answer, run, kPlain), tone_of(answer.verdict));
  page.engine = answer.engine;
  add_figures(page, answer.statistics, run);
  add_next_of_answer(page, answer, run);
  if (answer.witness) {
    const SourceNames names(program, *answer.witness);
    for (std::size_t t = 0; t < page.threads.size(); ++t) page.threads[t] = names.thread(ThreadId(t));
    page.story = story(program, *answer.witness);
    page.executions.push_back(
        explorer_execution(program, *answer.witness, violation_text(answer.witness->violation)));
  } else {
    page.nothing_to_show = answer.verdict == Verdict::kSafe
                               ? "There is no violation, and so no execution to show."
                               : "No violation was found, so there is no execution to show.";
  }
  return page;
}

ExplorerPage explorer_page(const RobustReport& report, const RunInfo& run) {
  const RobustAnswer& answer = report.answer;
  const ExplorerTone tone = answer.verdict == RobustVerdict::kRobust      ? ExplorerTone::kGood
                            : answer.verdict == RobustVerdict::kNotRobust ? ExplorerTone::kBad
                                                                          : ExplorerTone::kUnsure;
  ExplorerPage page = start(report.program, robust_verdict_line(report, kPlain), tone);
  page.engine = engine_name(report.notion);
  add_figures(page, answer.statistics, run);
  for (const AttackResult& attack : answer.attacks)
    if (attack.witness)
      page.executions.push_back(
          explorer_execution(report.program, *attack.witness,
                             printable(attack_text(report.program, attack.attack, report.notion))));
  if (page.executions.empty())
    page.nothing_to_show = "No attack was found: there is no execution that store buffers add.";
  else if (!report.any_number && can_ask(run, "fence", run.model))
    page.next.push_back(ask_again(run, "fence"));
  return page;
}

ExplorerPage explorer_page(const FenceReport& report, const RunInfo& run) {
  const FenceAnswer& answer = report.answer;
  const ExplorerTone tone = answer.verdict == FenceVerdict::kFound        ? ExplorerTone::kGood
                            : answer.verdict == FenceVerdict::kImpossible ? ExplorerTone::kBad
                                                                          : ExplorerTone::kUnsure;
  ExplorerPage page = start(report.program, fence_verdict_line(report, kPlain), tone);
  page.engine = "fence";
  add_figures(page, answer.statistics, run);
  page.fences = explorer_fences(report);
  for (const FenceNeed& need : answer.needs) {
    const SourcePosition at = places_of_fence(report.program, need.fence).front().position;
    const std::string line = at.known() ? fmt::format(" in line {}", at.line) : "";
    const std::string without = without_fence(report, need.fence);
    page.executions.push_back(explorer_execution(need.program, need.witness,
                                                 fmt::format("without the fence{}: {}", line, without)));
    page.executions.back().violation->message = without;
  }
  if (answer.witness)
    page.executions.push_back(
        explorer_execution(answer.instance, *answer.witness, violation_text(answer.witness->violation)));
  if (page.executions.empty())
    page.nothing_to_show = "There is no execution that a fence would have to stop.";
  if (!report.patch.empty()) page.next.push_back(patch_line(report, run));
  return page;
}

ExplorerPage explorer_page(const ExploreReport& report, const RunInfo& run) {
  const bool violated = report.answer.witness.has_value();
  const ExplorerTone tone = violated                 ? ExplorerTone::kBad
                            : report.answer.complete ? ExplorerTone::kGood
                                                     : ExplorerTone::kUnsure;
  ExplorerPage page = start(report.program, explore_line(report, run, kPlain), tone);
  page.engine = "smc";
  add_figures(page, report.answer.statistics, run);
  if (violated)
    page.executions.push_back(explorer_execution(report.program, *report.answer.witness,
                                                 violation_text(report.answer.witness->violation)));
  else
    page.nothing_to_show = "No execution violates a property. To see how executions end: weir outcomes";
  return page;
}

ExplorerPage explorer_page(const OutcomesReport& report, const RunInfo& run) {
  const bool complete = std::ranges::all_of(report.found.models, &ModelOutcomes::complete);
  ExplorerPage page = start(report.program, outcomes_headline(report),
                            complete ? ExplorerTone::kGood : ExplorerTone::kUnsure);
  if (report.litmus) page.message = question_text(report.program, report.question);
  page.engine = "explicit";
  for (const ModelOutcomes& outcomes : report.found.models)
    if (const auto* states = outcomes.answer.statistics.find("states"))
      page.figures.emplace_back(fmt::format("states under {}", name(outcomes.model)), figure_text(*states));
  add_figures(page, {}, run);
  for (const OutcomeExample& example : report.found.examples) {
    page.executions.push_back(
        explorer_execution(report.program, example.witness, outcome_text(report, example.values)));
    page.executions.back().violation.reset();
    for (const ModelOutcomes& outcomes : report.found.models)
      if (outcomes.values.contains(example.values))
        page.executions.back().allowed_by.emplace_back(name(outcomes.model));
  }
  if (page.executions.empty()) page.nothing_to_show = "There is no execution to show.";
  const std::size_t all = report.found.values().size();
  if (!page.executions.empty() && page.executions.size() < all)
    page.message += fmt::format("{}executions of {} of {} outcomes are shown",
                                page.message.empty() ? "" : "; ", page.executions.size(), all);
  return page;
}

}  // namespace weir
