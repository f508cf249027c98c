#include "report/robust_report.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "report/again.hpp"
#include "report/execution/cycle.hpp"
#include "report/execution/explanation.hpp"
#include "report/json/parts.hpp"
#include "report/scope.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

const char* verdict_name(AttackVerdict verdict) {
  switch (verdict) {
    case AttackVerdict::kPruned: return "pruned";
    case AttackVerdict::kInfeasible: return "infeasible";
    case AttackVerdict::kFeasible: return "feasible";
    case AttackVerdict::kUndecided: return "undecided";
  }
  return "?";
}

std::string label(const Program& program, EdgeId edge) {
  return printable(program.location_name(program.edge(edge).source));
}

std::vector<const AttackResult*> feasible(const RobustAnswer& answer) {
  std::vector<const AttackResult*> found;
  for (const AttackResult& result : answer.attacks)
    if (result.witness) found.push_back(&result);
  return found;
}

std::optional<Attack> delayed_in_cycle(const Program& program, const Witness& witness) {
  const HappensBefore relation = happens_before(program, witness);
  for (const HappensBeforeEdge& edge : relation.cycle())
    if (is_overtaken(relation, edge))
      return Attack{relation.events[edge.from].thread, relation.events[edge.from].edge,
                    relation.events[edge.to].edge};
  return std::nullopt;
}

std::optional<Attack> end_of_race(const Program& program, const Witness& witness) {
  const std::vector<TraceEvent> events = trace_events(program, witness);
  auto load = std::ranges::find(events, events.back().unit, &TraceEvent::unit);
  WEIR_CHECK(load != events.begin(), "the write of a race has its load before it: the witness was replayed");
  --load;
  for (auto store = load; store != events.begin();)
    if ((--store)->thread == load->thread && store->writes)
      return Attack{load->thread, store->edge, load->edge};
  return std::nullopt;
}

std::string execution_text(const RobustReport& report, const AttackResult& result,
                           const Presentation& presentation) {
  std::string out = attack_notes(report.program, result.attack, report.notion, presentation);
  out += fmt::format("\n{}\n", explanation(report.program, *result.witness, presentation));
  if (report.notion == RobustnessNotion::kTraces)
    out += cycle_text(report.program, *result.witness, presentation) + "\n";
  return out;
}

// All attacks with their verdicts, in aligned columns.
class AttackTable {
 public:
  explicit AttackTable(const RobustReport& report) : program_(report.program) {
    rows_.push_back({"thread", "store", "load", "verdict", "lines"});
    for (const AttackResult& result : report.answer.attacks) add(result);
    for (const Row& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], display_width(row[i]));
  }

  std::string text() const {
    std::string out;
    for (const Row& row : rows_) {
      out += "  ";
      for (std::size_t i = 0; i + 1 < row.size(); ++i) out += padded(row[i], widths_[i]) + "  ";
      out += row.back() + "\n";
    }
    return out;
  }

 private:
  using Row = std::array<std::string, 5>;

  void add(const AttackResult& result) {
    const Attack& attack = result.attack;
    rows_.push_back({printable(program_.thread(attack.thread).name), label(program_, attack.store),
                     label(program_, attack.load), verdict_name(result.verdict),
                     fmt::format("{}, {}", program_.edge(attack.store).position.line,
                                 program_.edge(attack.load).position.line)});
  }

  const Program& program_;
  std::vector<Row> rows_;
  std::array<std::size_t, 5> widths_{};
};

// "Of 30 pairs of a store and a load, 22 are ruled out by control flow, 1 is an attack, 7 are undecided."
std::string queries_line(const RobustReport& report) {
  std::string out =
      fmt::format("Of {} of a store and a load", count_text(report.answer.attacks.size(), "pair"));
  const auto add = [&](AttackVerdict verdict, std::string_view one, std::string_view several) {
    if (const std::size_t number = report.answer.count(verdict))
      out += fmt::format(", {} {}", number, number == 1 ? one : several);
  };
  add(AttackVerdict::kPruned, "is ruled out by control flow", "are ruled out by control flow");
  add(AttackVerdict::kInfeasible, "cannot be an attack", "cannot be attacks");
  add(AttackVerdict::kFeasible, "is an attack", "are attacks");
  add(AttackVerdict::kUndecided, "is undecided", "are undecided");
  const bool more = report.answer.verdict == RobustVerdict::kNotRobust && !report.all &&
                    report.answer.count(AttackVerdict::kUndecided) > 0;
  return out + (more ? " (--all decides them).\n" : ".\n");
}

std::string next_step(const RobustReport& report, const RunInfo& run) {
  const bool triangular = report.notion == RobustnessNotion::kTriangular;
  switch (report.answer.verdict) {
    case RobustVerdict::kNotRobust:
      if (!can_ask(run, "fence", run.model)) return "";
      if (triangular)
        return "A triangular race need not add behaviour. Is it robust all the same?  " +
               ask_again(run, "robust");
      return "The cheapest fences that stop it:  " + ask_again(run, "fence");
    case RobustVerdict::kRobust: return "";
    case RobustVerdict::kUnknown:
      return report.answer.stopped == StopReason::kTimeout ? "To look further: a larger --timeout SECONDS."
                                                           : "";
  }
  return "";
}

Json attack_json(const RobustReport& report, const AttackResult& result, const Presentation& presentation) {
  const Program& program = report.program;
  const Attack& attack = result.attack;
  Json out;
  out["thread"] = program.thread(attack.thread).name;
  out["store"] = program.location_name(program.edge(attack.store).source);
  out["load"] = program.location_name(program.edge(attack.load).source);
  out["verdict"] = verdict_name(result.verdict);
  out["store_line"] = program.edge(attack.store).position.line;
  out["load_line"] = program.edge(attack.load).position.line;
  const FileId file = program.edge(attack.store).position.file;
  out["file"] = file ? Json(program.sources.file(file).path) : Json(nullptr);
  if (!result.witness) return out;
  if (report.notion == RobustnessNotion::kTraces) out["cycle"] = cycle_json(program, *result.witness);
  out["witness"] = witness_json(program, *result.witness, presentation);
  return out;
}

Json queries_json(const RobustAnswer& answer) {
  Json out;
  out["total"] = answer.attacks.size();
  for (const AttackVerdict verdict : {AttackVerdict::kPruned, AttackVerdict::kInfeasible,
                                      AttackVerdict::kFeasible, AttackVerdict::kUndecided})
    out[verdict_name(verdict)] = answer.count(verdict);
  return out;
}

}  // namespace

const char* engine_name(RobustnessNotion notion) {
  return notion == RobustnessNotion::kTriangular ? "triangular" : "attacks";
}

std::optional<Attack> shown_attack(const Program& program, const Witness& witness) {
  if (witness.violation.kind == ViolationKind::kRobustness) return delayed_in_cycle(program, witness);
  if (witness.violation.kind == ViolationKind::kTriangularRace) return end_of_race(program, witness);
  return std::nullopt;
}

std::string attack_notes(const Program& program, const Attack& attack, RobustnessNotion notion,
                         const Presentation& presentation) {
  const bool race = notion == RobustnessNotion::kTriangular;
  const char* const store = race ? "the store that may still be in the buffer" : "the store that is delayed";
  const char* const load = race ? "the load that races with a write" : "the load that overtakes it";
  std::string out;
  for (const auto& [edge, message] : {std::pair{attack.store, store}, std::pair{attack.load, load}})
    if (program.edge(edge).position.file)
      out +=
          shown({Severity::kNote, message, program.edge(edge).position, ""}, program.sources, presentation);
  return out;
}

std::string robust_verdict_line(const RobustReport& report, const Presentation& presentation) {
  switch (report.answer.verdict) {
    case RobustVerdict::kNotRobust:
      return violation_line(feasible(report.answer).front()->witness->violation, Model::kTso, presentation);
    case RobustVerdict::kRobust:
      return fmt::format("{} against tso: {}\n", tinted("ROBUST", Tint::kGood, presentation),
                         printable(report.answer.reason));
    case RobustVerdict::kUnknown:
      return unknown_line("against tso", report.answer.reason, report.answer.bound, presentation);
  }
  return "";
}

std::string robust_text(const RobustReport& report, const RunInfo& run, const Presentation& presentation) {
  std::string out = robust_verdict_line(report, presentation);
  if (report.threads) out += threads_line(*report.threads, "it is robust");
  if (report.all && !report.answer.attacks.empty()) out += fmt::format("\n{}\n", AttackTable(report).text());
  const std::vector<const AttackResult*> found = feasible(report.answer);
  for (const AttackResult* result : found) {
    if (result != found.front() && !report.all_witnesses) break;
    if (result != found.front()) out += violation_line(result->witness->violation, Model::kTso, presentation);
    out += execution_text(report, *result, presentation);
  }
  if (report.answer.verdict != RobustVerdict::kRobust && !report.any_number)
    out += queries_line(report);
  else if (report.answer.verdict == RobustVerdict::kRobust)
    out += robustness_scope_text(report.program, run);
  return out + cost_line(report.answer.statistics, run, presentation) + witness_file_line(run) +
         line_unless_empty(next_step(report, run));
}

std::string robust_json(const RobustReport& report, const RunInfo& run, const Presentation& presentation) {
  const RobustAnswer& answer = report.answer;
  Json out = answer_json(
      {engine_name(report.notion), name(answer.verdict), answer.reason, answer.bound, answer.statistics},
      run);
  if (report.any_number) out["instances"] = "any";
  if (report.threads) out["attacking"] = threads_json(*report.threads);
  out["queries"] = queries_json(answer);
  out["attacks"] = Json::array();
  for (const AttackResult& result : answer.attacks)
    if (report.all || result.witness) out["attacks"].push_back(attack_json(report, result, presentation));
  if (const auto found = feasible(answer); !found.empty()) {
    const Witness& witness = *found.front()->witness;
    out["violation"] = violation_json(report.program, witness.violation);
    out["witness"] = witness_json(report.program, witness, presentation);
  }
  if (!run.witness_file.empty()) out["witness_file"] = run.witness_file;
  return dump(out);
}

}  // namespace weir
