// The example programs give the verdicts that their first lines promise, and every violation replays. Those
// that take minutes run only when WEIR_LONG_TESTS is set (make test-long).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "base/diagnostic.hpp"
#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/trencher/trencher.hpp"

namespace weir::examples_test {

struct Expectation {
  std::string file;
  Model model;
  std::string verdict;
};

void PrintTo(const Expectation& e, std::ostream* out) {
  *out << e.file << " " << name(e.model) << " " << e.verdict;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::filesystem::path kExamples = std::filesystem::path(WEIR_SOURCE_DIR) / "examples";

bool takes_minutes(const Expectation& e) {
  return e.file.starts_with("lamport5") && (e.model == Model::kSc || e.file.ends_with("_fenced.imp"));
}

bool is_example(const std::filesystem::path& path) {
  return path.extension() == ".imp" || path.extension() == ".trn" || path.extension() == ".rmm";
}

Expected<Program> parsed(const std::filesystem::path& path) {
  if (path.extension() == ".imp") return parse_imp(path.string(), text_of(path));
  if (path.extension() == ".rmm") return parse_rmm(path.string(), text_of(path));
  return parse_trencher(path.string(), text_of(path));
}

std::vector<Expectation> expectations() {
  std::vector<Expectation> all;
  for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
    if (!is_example(entry.path())) continue;
    const std::string text = text_of(entry.path());
    const std::string first = text.substr(0, text.find('\n'));
    EXPECT_NE(first.find("expect:"), std::string::npos) << entry.path();
    static const std::regex promise("(sc|tso|pso) (safe|unsafe)");
    for (auto at = std::sregex_iterator(first.begin(), first.end(), promise); at != std::sregex_iterator();
         ++at)
      all.push_back({entry.path().filename().string(), *parse_model((*at)[1].str()), (*at)[2].str()});
  }
  if (std::getenv("WEIR_LONG_TESTS") == nullptr) std::erase_if(all, takes_minutes);
  std::ranges::sort(all, {}, [](const Expectation& e) { return std::pair(e.file, e.model); });
  return all;
}

class Examples : public testing::TestWithParam<Expectation> {};

TEST_P(Examples, GiveThePromisedVerdict) {
  const Expectation& expected = GetParam();
  const std::filesystem::path path = kExamples / expected.file;
  auto program = parsed(path);
  ASSERT_TRUE(program.ok()) << render(program.error().diagnostics.at(0), program.error().sources);
  Context context;
  // The table of the Indexer has too many interleavings for anything but the dynamic reduction.
  const bool indexer = expected.file.starts_with("indexer");
  const ExplicitOptions options{.model = expected.model,
                                .reduction = indexer ? Reduction::kDynamic : Reduction::kAuto};
  const Answer answer = check_explicit(*program, options, context);
  EXPECT_EQ(name(answer.verdict), expected.verdict) << answer.reason;
  if (!answer.witness) return;
  const ReplayResult result = replay(*program, *answer.witness);
  EXPECT_TRUE(result.reproduced) << result.failure;
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(expectations()), [](const auto& test) {
  std::string label = test.param.file + "_" + name(test.param.model);
  std::ranges::replace_if(
      label, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return label;
});

}  // namespace weir::examples_test
