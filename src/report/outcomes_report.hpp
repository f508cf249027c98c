// The answer of `outcomes` as a person reads it on a terminal, as scripts read it that read herd's, and as a
// program reads it in JSON.
#pragma once

#include <set>

#include "program/final_states.hpp"
#include "report/answer_report.hpp"

namespace weir {

// What can be observed under one memory model.
struct ModelOutcomes {
  Model model = Model::kSc;
  std::set<std::vector<Value>> values;  // one per observed place, for each outcome
  std::uint64_t stuck = 0;              // states in which some thread waits for ever
  bool complete = false;                // none is missing
  Answer answer;                        // of the search; unsafe: an execution ends by a violation instead
};

// An execution that somebody wants to see.
struct ShownExecution {
  Model model = Model::kSc;
  std::string condition;           // how it is to end
  std::optional<Witness> witness;  // none: no execution ends so
};

// An execution that ends with these values.
struct OutcomeExample {
  std::vector<Value> values;  // one per observed place
  Witness witness;            // under the first model that has the outcome
};

struct OutcomesReport {
  const Program& program;
  const FinalQuestion& question;  // its places are what is observed
  bool litmus = false;            // does it have a condition?
  std::vector<ModelOutcomes> models;
  std::vector<ShownExecution> shown;
  std::vector<OutcomeExample> examples;  // for the explorer page, if that is wanted
  bool cross_checked = false;            // the axioms give the same final states
};

// "3 outcomes under tso": one line with its end for each model.
std::string outcomes_line(const OutcomesReport& report, const Presentation& presentation);

// As herd prints a litmus test under one model; a table otherwise.
std::string outcomes_text(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);
std::string outcomes_json(const OutcomesReport& report, const RunInfo& run, const Presentation& presentation);

}  // namespace weir
