#include "engine/outcomes.hpp"

#include <algorithm>

namespace weir {

bool Outcomes::complete() const {
  return std::ranges::all_of(models, &ModelOutcomes::complete) && no_cross_check.empty();
}

std::set<std::vector<Value>> Outcomes::values() const {
  std::set<std::vector<Value>> all;
  for (const ModelOutcomes& outcomes : models) all.insert(outcomes.values.begin(), outcomes.values.end());
  return all;
}

const char* Judgement::observation() const {
  if (satisfying == 0) return "Never";
  return others == 0 ? "Always" : "Sometimes";
}

bool Judgement::holds(Quantifier quantifier) const {
  switch (quantifier) {
    case Quantifier::kExists: return satisfying > 0;
    case Quantifier::kNotExists: return satisfying == 0;
    case Quantifier::kForAll: return others == 0;
  }
  return false;
}

Judgement judge(const FinalQuestion& question, const ModelOutcomes& outcomes) {
  Judgement result;
  for (const std::vector<Value>& values : outcomes.values)
    ++(question.condition.holds(values) ? result.satisfying : result.others);
  return result;
}

}  // namespace weir
