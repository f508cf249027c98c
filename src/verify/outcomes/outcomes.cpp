#include "verify/outcomes/outcomes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/nearest_word.hpp"
#include "check/outcome_difference.hpp"
#include "engine/explicit/final_states.hpp"
#include "verify/outcomes/final_witness.hpp"

namespace weir::verify {

namespace {

// In C a number may be an address; the small languages have none that their users know.
void observe_object(LitmusTest& test, const SharedObject& object) {
  for (std::size_t k = 0; k < object.initial.size(); ++k) {
    const Value address = object.base + static_cast<Value>(k) * object.stride;
    test.question.places.push_back({.name = test.program.address_name(address),
                                    .address = address,
                                    .type = object.type,
                                    .addresses = test.program.byte_memory});
  }
}

InputError no_such_variable(const Program& program, const std::string& wanted) {
  std::vector<std::string> names;
  for (const SharedObject& object : program.objects)
    if (!object.constant) names.push_back(object.name);
  const auto near = nearest_word(wanted, names);
  return {{},
          {{Severity::kError,
            fmt::format("there is no shared variable '{}'", wanted),
            {},
            near ? fmt::format("did you mean {}?", *near) : ""}},
          ""};
}

// Without names, all variables that stand in the user's text.
std::optional<InputError> observe_variables(LitmusTest& test, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto found = std::ranges::find(test.program.objects, name, &SharedObject::name);
    if (found == test.program.objects.end()) return no_such_variable(test.program, name);
    observe_object(test, *found);
  }
  for (const SharedObject& object : test.program.objects)
    if (names.empty() && object.position.known() && !object.constant) observe_object(test, object);
  return std::nullopt;
}

// A name is one more place to observe.
std::optional<InputError> observe_conditions(Observation& observation,
                                             const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const bool is_condition = text.find('=') != std::string::npos;
    auto condition = parse_final_condition(observation.test, is_condition ? text : text + "=0");
    if (!condition) return std::move(condition.error());
    if (is_condition) observation.shown.push_back(std::move(*condition));
  }
  return std::nullopt;
}

class OutcomesSearch {
 public:
  OutcomesSearch(const Observation& observation, const OutcomesQuestion& asked, Context& context)
      : observation_(observation),
        program_(observation.test.program),
        question_(observation.test.question),
        asked_(asked),
        context_(context) {}

  Outcomes run() {
    std::optional<AxiomaticOutcomes> axioms;
    if (asked_.cross_check)
      axioms = axiomatic_outcomes(program_, {.stopped = [&] { return context_.stopped(); }});
    for (const Model model : asked_.models) {
      const FinalStates found = search_final_states(program_, search_options(model), context_);
      if (axioms) compare(*axioms, found, model);
      add_outcomes(found, model);
    }
    for (const FinalCondition& condition : observation_.shown)
      for (const Model model : asked_.models) show(condition, model);
    return std::move(result_);
  }

 private:
  FinalSearchOptions search_options(Model model) const {
    return {.model = model,
            .registers = observation_.litmus || asked_.cross_check,
            .buffer = asked_.buffer,
            .local_steps = asked_.local_steps,
            .values = asked_.values};
  }

  void compare(const AxiomaticOutcomes& axioms, const FinalStates& found, Model model) {
    if (!axioms.complete)
      result_.no_cross_check = axioms.reason;
    else if (!found.complete)
      result_.no_cross_check = "the search is not complete";
    else if (const std::string problem = outcome_difference(program_, model, found.states, axioms);
             !problem.empty())
      throw InternalError(problem);
    result_.cross_checked = result_.no_cross_check.empty();
  }

  void add_outcomes(const FinalStates& found, Model model) {
    ModelOutcomes outcomes{
        .model = model, .stuck = found.stuck, .complete = found.complete, .answer = found.answer};
    for (const FinalState& state : found.states) {
      std::vector<Value> values = question_.values(state);
      if (question_.filter.holds(values)) outcomes.values.insert(std::move(values));
    }
    result_.models.push_back(std::move(outcomes));
  }

  void show(const FinalCondition& condition, Model model) {
    FinalWitness found = find_final_witness(program_, question_, condition, model, context_);
    if (!found.complete) return;
    result_.shown.push_back(
        {model, condition_text(program_, question_, condition), std::move(found.witness)});
  }

  const Observation& observation_;
  const Program& program_;
  const FinalQuestion& question_;
  const OutcomesQuestion& asked_;
  Context& context_;
  Outcomes result_;
};

FinalCondition exactly(const std::vector<Value>& values) {
  FinalCondition all{.op = FinalCondition::Op::kAnd};
  for (std::size_t place = 0; place < values.size(); ++place)
    all.parts.push_back({.op = FinalCondition::Op::kIs, .place = place, .value = values[place]});
  return all.parts.empty() ? FinalCondition{} : all;
}

}  // namespace

Observation observation(Loaded loaded) {
  Observation result;
  result.litmus = loaded.language->name == "litmus";
  if (result.litmus) {
    const std::string path = loaded.program.sources.file(FileId(0)).path;
    result.test = std::move(*parse_litmus(path, std::move(loaded.text)));
  } else {
    result.test.program = std::move(loaded.program);
  }
  result.test.program.properties = {};
  return result;
}

std::optional<InputError> observe(Observation& observation, const std::vector<std::string>& names) {
  return observation.litmus ? observe_conditions(observation, names)
                            : observe_variables(observation.test, names);
}

Outcomes find_outcomes(const Observation& observation, const OutcomesQuestion& question, Context& context) {
  return OutcomesSearch(observation, question, context).run();
}

std::vector<OutcomeExample> outcome_examples(const Observation& observation, const Outcomes& found,
                                             Context& context, std::size_t most) {
  const FinalQuestion& question = observation.test.question;
  std::vector<OutcomeExample> examples;
  std::set<std::vector<Value>> seen;
  for (const bool asked : {true, false})
    for (const ModelOutcomes& outcomes : found.models)
      for (const std::vector<Value>& values : outcomes.values) {
        if (examples.size() == most || context.stopped()) return examples;
        const bool is_asked = observation.litmus && question.condition.holds(values);
        if (is_asked != asked || !seen.insert(values).second) continue;
        auto execution =
            find_final_witness(observation.test.program, question, exactly(values), outcomes.model, context);
        if (execution.witness) examples.push_back({values, std::move(*execution.witness)});
      }
  return examples;
}

}  // namespace weir::verify
