// How can the executions of a program end? A litmus test says itself what is observed; of other programs, the
// shared variables are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/outcomes.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/value_limits.hpp"
#include "verify/load.hpp"

namespace weir::verify {

// A program, what is looked at where it ends, and how executions end that are to be shown.
struct Observation {
  LitmusTest test;  // of another program, with a question that has no condition
  bool litmus = false;
  std::vector<FinalCondition> shown;
};

// What the test asks; of another program nothing yet. What is asked is where executions end, not whether they
// are right: the properties of the program go.
Observation observation(Loaded loaded);
// Looks at more: `names` are variables, all of them if there are none; of a litmus test, places as its
// conditions have them, and conditions ("x=1 /\ 0:EAX=0") to show executions for. An error about a litmus
// test is located in its text.
std::optional<InputError> observe(Observation& observation, const std::vector<std::string>& names);

struct OutcomesQuestion {
  std::vector<Model> models = {Model::kSc};
  bool cross_check = false;  // with the axioms; a difference is an internal error
  std::optional<std::uint32_t> buffer;
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
};

// Under each model, what can be observed, and an execution for each that is to be shown.
Outcomes find_outcomes(const Observation& observation, const OutcomesQuestion& question, Context& context);

// One execution per outcome, under the first model that has it; those that a litmus test asks about first.
// At most so many: each takes a search.
std::vector<OutcomeExample> outcome_examples(const Observation& observation, const Outcomes& found,
                                             Context& context, std::size_t most = 40);

}  // namespace weir::verify
