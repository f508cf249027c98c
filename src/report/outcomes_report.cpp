#include "report/outcomes_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/execution/explanation.hpp"
#include "report/json/parts.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

// Conditions.

const char* kind_of_test(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::kExists: return "Allowed";
    case Quantifier::kNotExists: return "Forbidden";
    case Quantifier::kForAll: return "Required";
  }
  return "?";
}

// Text.

// Like herd, whose output is compared by scripts. Herd counts executions where this counts states.
std::string herd_text(const OutcomesReport& report, const ModelOutcomes& outcomes, const RunInfo& run) {
  const FinalQuestion& question = report.question;
  const Judgement judgement = judge(question, outcomes);
  std::string out = fmt::format("Test {} {}\nStates {}\n", question.name, kind_of_test(question.quantifier),
                                outcomes.values.size());
  for (const std::vector<Value>& values : outcomes.values) {
    std::string line;
    for (std::size_t i = 0; i < values.size(); ++i)
      line += fmt::format("{}{}={};", i == 0 ? "" : " ", herd_name(question.places[i]),
                          final_value_text(report.program, question.places[i], values[i]));
    out += line + "\n";
  }
  const bool negative = question.quantifier == Quantifier::kNotExists;
  const std::size_t good = negative ? judgement.others : judgement.satisfying;
  const std::size_t bad = negative ? judgement.satisfying : judgement.others;
  out += fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\nCondition {}\nObservation {} {} {} {}\n",
                     judgement.holds(question.quantifier) ? "Ok" : "No", good, bad,
                     question_text(report.program, question), question.name, judgement.observation(),
                     judgement.satisfying, judgement.others);
  return out + fmt::format("Time {} {:.2f}\n\n", question.name, run.seconds);
}

// One line per outcome, values under their names; with several models, which of them allow it.
std::string table(const OutcomesReport& report) {
  const std::set<std::vector<Value>> all = report.found.values();
  const auto& places = report.question.places;
  std::vector<std::vector<std::string>> rows(1);
  for (const ObservedPlace& place : places) rows[0].push_back(place.name);
  const bool compares = report.found.models.size() > 1;
  for (const ModelOutcomes& outcomes : report.found.models)
    if (compares) rows[0].emplace_back(name(outcomes.model));
  for (const std::vector<Value>& values : all) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i)
      row.push_back(final_value_text(report.program, places[i], values[i]));
    for (const ModelOutcomes& outcomes : report.found.models)
      if (compares) row.emplace_back(outcomes.values.contains(values) ? "yes" : "-");
    if (report.litmus && report.question.condition.holds(values)) row.emplace_back("*");
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += fmt::format("  {:>{}}", row[i], i < widths.size() ? widths[i] : 0);
    out += "\n";
  }
  return out;
}

std::string remarks(const ModelOutcomes& outcomes) {
  std::string out;
  if (outcomes.stuck > 0)
    out += fmt::format("In {}, some thread waits for ever; these are no outcomes.\n",
                       count_text(outcomes.stuck, "final state"));
  if (outcomes.answer.verdict == Verdict::kUnsafe)
    out += fmt::format("Some execution ends by a violation ({}): weir check shows it.\n",
                       violation_text(outcomes.answer.witness->violation));
  return out;
}

std::string shown_text(const OutcomesReport& report, const Presentation& presentation) {
  std::string out;
  for (const ShownExecution& shown : report.found.shown) {
    out += shown.witness
               ? fmt::format("An execution under {} that ends with {}:\n", name(shown.model), shown.condition)
               : fmt::format("No execution under {} ends with {}.\n", name(shown.model), shown.condition);
    if (shown.witness) out += "\n" + explanation(report.program, *shown.witness, presentation);
    out += "\n";
  }
  return out;
}

std::string comparison_text(const OutcomesReport& report) {
  if (!report.litmus) return "";
  std::string out =
      fmt::format("{}: {}\n", report.question.name, question_text(report.program, report.question));
  for (const ModelOutcomes& outcomes : report.found.models) {
    const Judgement judgement = judge(report.question, outcomes);
    out += fmt::format("  {:3}  {:9}  {}\n", name(outcomes.model), judgement.observation(),
                       judgement.holds(report.question.quantifier) ? "Ok" : "No");
  }
  return out + "\n";
}

// JSON.

Json value_json(const Program& program, const ObservedPlace& place, Value value) {
  if (value == kUninitialised) return nullptr;
  if (const auto variable = place.addresses ? variable_at(program, value) : std::nullopt) return *variable;
  if (place.type.bits == 64 && !place.type.is_signed) return static_cast<std::uint64_t>(value);
  return value;
}

Json values_json(const OutcomesReport& report, const std::set<std::vector<Value>>& all) {
  Json out = Json::array();
  for (const std::vector<Value>& values : all) {
    Json outcome = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ObservedPlace& place = report.question.places[i];
      outcome[place.name] = value_json(report.program, place, values[i]);
    }
    out.push_back(std::move(outcome));
  }
  return out;
}

void add_judgement(Json& out, const FinalQuestion& question, const ModelOutcomes& outcomes) {
  const Judgement judgement = judge(question, outcomes);
  out["holds"] = judgement.holds(question.quantifier);
  out["observation"] = judgement.observation();
  out["positive"] = judgement.satisfying;
  out["negative"] = judgement.others;
}

Json model_json(const OutcomesReport& report, const ModelOutcomes& outcomes) {
  Json out;
  out["model"] = name(outcomes.model);
  out["complete"] = outcomes.complete;
  out["outcomes"] = values_json(report, outcomes.values);
  if (report.litmus) add_judgement(out, report.question, outcomes);
  out["stuck"] = outcomes.stuck;
  return out;
}

Json shown_json(const OutcomesReport& report, const ShownExecution& shown, const Presentation& presentation) {
  Json out;
  out["condition"] = shown.condition;
  out["model"] = name(shown.model);
  out["found"] = shown.witness.has_value();
  if (shown.witness) out["witness"] = witness_json(report.program, *shown.witness, presentation);
  return out;
}

}  // namespace

const ModelOutcomes& worst_outcomes(const Outcomes& found) {
  const auto incomplete = std::ranges::find(found.models, false, &ModelOutcomes::complete);
  return incomplete == found.models.end() ? found.models[0] : *incomplete;
}

std::string outcomes_reason(const ModelOutcomes& outcomes) {
  if (outcomes.complete) return "all outcomes found";
  return outcomes.answer.verdict == Verdict::kUnsafe ? "the search did not end" : outcomes.answer.reason;
}

std::string outcomes_line(const OutcomesReport& report, const Presentation& presentation) {
  std::string out;
  for (const ModelOutcomes& outcomes : report.found.models) {
    const std::string count = count_text(outcomes.values.size(), "outcome");
    out += outcomes.complete ? fmt::format("{} under {}\n", count, name(outcomes.model))
                             : fmt::format("{}: {} under {}, but there may be more: {}\n",
                                           tinted("UNKNOWN", Tint::kUnsure, presentation), count,
                                           name(outcomes.model), outcomes_reason(outcomes));
  }
  return out;
}

std::string outcomes_text(const OutcomesReport& report, const RunInfo& run,
                          const Presentation& presentation) {
  std::string out;
  const bool one_model = report.found.models.size() == 1;
  if (report.litmus && one_model && report.found.models[0].complete) {
    out = herd_text(report, report.found.models[0], run) + remarks(report.found.models[0]);
  } else {
    out = outcomes_line(report, presentation);
    if (!report.found.values().empty() && !report.question.places.empty()) out += "\n" + table(report) + "\n";
    if (report.question.places.empty()) out += "The program has no shared variables to show.\n";
    out += comparison_text(report);
    for (const ModelOutcomes& outcomes : report.found.models) out += remarks(outcomes);
  }
  out += shown_text(report, presentation);
  if (report.found.cross_checked) out += "The axioms give the same final states.\n";
  return report.litmus ? out : out + cost_line(report.found.models[0].answer.statistics, run, presentation);
}

std::string outcomes_json(const OutcomesReport& report, const RunInfo& run,
                          const Presentation& presentation) {
  const ModelOutcomes& worst = worst_outcomes(report.found);
  const std::string reason = outcomes_reason(worst);
  Json out = answer_json({worst.answer.engine, worst.complete ? "done" : "unknown", reason,
                          worst.answer.bound, worst.answer.statistics},
                         run);
  out["outcomes"] = values_json(report, report.found.values());
  if (report.litmus) out["condition"] = question_text(report.program, report.question);
  if (report.found.models.size() == 1) {
    if (report.litmus) add_judgement(out, report.question, report.found.models[0]);
    out["stuck"] = report.found.models[0].stuck;
  } else {
    std::string models;
    for (const ModelOutcomes& outcomes : report.found.models)
      models += (models.empty() ? "" : ",") + std::string(name(outcomes.model));
    out["model"] = models;
    out["models"] = Json::array();
    for (const ModelOutcomes& outcomes : report.found.models)
      out["models"].push_back(model_json(report, outcomes));
  }
  if (report.found.cross_checked) out["cross_checked"] = true;
  if (!report.found.shown.empty()) out["shown"] = Json::array();
  for (const ShownExecution& shown : report.found.shown)
    out["shown"].push_back(shown_json(report, shown, presentation));
  return dump(out);
}

}  // namespace weir
