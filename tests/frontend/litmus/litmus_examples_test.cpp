// The litmus tests in examples/ are observed under each model as their `Expect` lines say, which are known
// from the literature; and the search and the axioms agree on every final state of each of them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "check/axiomatic.hpp"
#include "engine/explicit/final_states.hpp"
#include "frontend/litmus/litmus.hpp"
#include "program/validate.hpp"

namespace weir::litmus_examples_test {

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
const std::filesystem::path kExamples = std::filesystem::path(WEIR_SOURCE_DIR) / "examples" / "litmus";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples))
    if (entry.path().extension() == ".litmus") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string observation(const FinalQuestion& question, const std::set<FinalState>& states) {
  std::size_t satisfying = 0, others = 0;
  for (const FinalState& state : states) {
    const std::vector<Value> values = question.values(state);
    if (question.filter.holds(values)) ++(question.condition.holds(values) ? satisfying : others);
  }
  if (satisfying == 0) return "Never";
  return others == 0 ? "Always" : "Sometimes";
}

class LitmusExamples : public testing::TestWithParam<std::string> {};

TEST_P(LitmusExamples, AreObservedAsExpected) {
  auto test = parse_litmus(GetParam(), text_of(kExamples / (GetParam() + ".litmus")));
  ASSERT_TRUE(test.ok()) << render(test.error().diagnostics.front(), test.error().sources);
  ASSERT_TRUE(validate(test->program).empty());
  EXPECT_EQ(test->question.name, GetParam());
  const AxiomaticOutcomes axioms = axiomatic_outcomes(test->program);
  EXPECT_TRUE(axioms.complete || GetParam() == "await") << axioms.reason;
  std::string observed;
  for (const Model model : kModels) {
    Context context;
    const FinalStates found =
        search_final_states(test->program, {.model = model, .registers = true}, context);
    ASSERT_TRUE(found.complete);
    EXPECT_NE(found.answer.verdict, Verdict::kUnsafe);
    if (axioms.complete) {
      EXPECT_EQ(found.states, axioms.of(model).states) << name(model);
    }
    observed += std::string(observed.empty() ? "" : " ") + name(model) + ":" +
                observation(test->question, found.states);
  }
  EXPECT_EQ(observed, test->about("Expect"));
}

INSTANTIATE_TEST_SUITE_P(All, LitmusExamples, testing::ValuesIn(examples()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name + "_" + std::to_string(instance.index);
});

TEST(LitmusExampleFiles, AreAtLeastAHundred) { EXPECT_GE(examples().size(), 100u); }

}  // namespace weir::litmus_examples_test
