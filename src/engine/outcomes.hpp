// How the executions of a program can end: what `verify/outcomes/outcomes.hpp` answers.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/answer.hpp"
#include "program/final_states.hpp"
#include "program/model.hpp"

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

struct Outcomes {
  std::vector<ModelOutcomes> models;
  std::vector<ShownExecution> shown;
  std::vector<OutcomeExample> examples;
  bool cross_checked = false;  // the axioms give the same final states
  std::string no_cross_check;  // why the axioms could not be asked, though somebody wanted that

  bool complete() const;
  // The outcomes under any of the models.
  std::set<std::vector<Value>> values() const;
};

// What a condition says about the outcomes under a model.
struct Judgement {
  std::size_t satisfying = 0, others = 0;

  const char* observation() const;  // "Never", "Sometimes", "Always"
  bool holds(Quantifier quantifier) const;
};
Judgement judge(const FinalQuestion& question, const ModelOutcomes& outcomes);

}  // namespace weir
