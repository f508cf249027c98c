// The programs of bench/robustness keep the promises of their first lines: robust or not, how many fences,
// triangular races, and, where they mark a goal, lazy reachability. Every witness replays.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "check/replay.hpp"
#include "engine/robust/fences/fence.hpp"
#include "engine/robust/lazy.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/fences.hpp"

namespace weir::table_test {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(WEIR_SOURCE_DIR) / "bench/robustness"))
    if (entry.path().extension() == ".trn") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

std::optional<std::string> promised(const std::string& text, const char* what) {
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(std::string("# .*") + what + ":? ([a-z0-9]+)")))
    return std::nullopt;
  return match[1].str();
}

class TableOfPrograms : public testing::TestWithParam<std::filesystem::path> {
 protected:
  TableOfPrograms() : text_(text_of(GetParam())), program_(*parse_trencher(GetParam().string(), text_)) {}

  RobustAnswer check(RobustnessNotion notion, bool all) {
    Context context;
    RobustAnswer answer = check_robust(program_, {.notion = notion, .all = all}, context);
    for (const AttackResult& result : answer.attacks)
      if (result.witness) {
        const ReplayResult replayed = replay(program_, *result.witness);
        EXPECT_TRUE(replayed.reproduced) << replayed.failure;
      }
    return answer;
  }

  std::string text_;
  Program program_;
};

TEST_P(TableOfPrograms, Robustness) {
  const auto robust = promised(text_, "robust");
  ASSERT_TRUE(robust);
  for (const bool all : {false, true})
    EXPECT_STREQ(name(check(RobustnessNotion::kTraces, all).verdict),
                 *robust == "yes" ? "robust" : "not-robust");
}

TEST_P(TableOfPrograms, TriangularRaces) {
  const auto racy = promised(text_, "triangular");
  if (!racy) return;
  for (const bool all : {false, true})
    EXPECT_STREQ(name(check(RobustnessNotion::kTriangular, all).verdict),
                 *racy == "yes" ? "not-robust" : "robust");
}

TEST_P(TableOfPrograms, Fences) {
  if (promised(text_, "robust") == "no" && !promised(text_, "fences")) return;
  Context context;
  FenceOptions options;
  options.cost = unit_costs(program_);
  const FenceAnswer answer = place_fences(program_, options, context);
  ASSERT_EQ(answer.verdict, FenceVerdict::kFound);
  EXPECT_EQ(std::to_string(std::lround(answer.cost)), promised(text_, "fences").value_or("0"));
  EXPECT_EQ(check_robust(with_fences(program_, answer.fences), {}, context).verdict, RobustVerdict::kRobust);
  ASSERT_EQ(answer.needs.size(), answer.fences.size());
  for (const FenceNeed& need : answer.needs) {
    const ReplayResult replayed = replay(need.program, need.witness);
    EXPECT_TRUE(replayed.reproduced) << replayed.failure;
  }
}

TEST_P(TableOfPrograms, LazyReachability) {
  if (program_.properties.goals.empty()) return;
  Context context;
  const Answer answer = check_lazy(program_, {}, context);
  EXPECT_EQ(std::string(name(answer.verdict)), promised(text_, "tso")) << answer.reason;
  if (!answer.witness) return;
  const ReplayResult replayed = replay(program_, *answer.witness);
  EXPECT_TRUE(replayed.reproduced) << replayed.failure;
}

INSTANTIATE_TEST_SUITE_P(All, TableOfPrograms, testing::ValuesIn(programs()),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace weir::table_test
