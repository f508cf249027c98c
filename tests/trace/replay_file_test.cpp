// Protects: what is written can be read back, and no damaged file gets through or brings Weir down.
#include "trace/replay_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "check/replay.hpp"
#include "trace/store_buffering.hpp"

namespace weir::replay_file_test {

using ::testing::HasSubstr;
using weir::test::both_enter;
using weir::test::store_buffering;

std::string error_of(const std::string& text) {
  const auto result = read_replay("w.json", text);
  return result ? "accepted" : render(result.error().diagnostics.at(0), result.error().sources);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

TEST(ReplayFile, SurvivesWritingAndReading) {
  const Program program = store_buffering();
  const Witness witness = both_enter();
  auto result = read_replay("w.json", write_replay(program, witness, "1.2.3"));
  ASSERT_TRUE(result.ok()) << error_of(write_replay(program, witness, "1.2.3"));
  EXPECT_EQ(result->version, "1.2.3");
  EXPECT_EQ(result->program_path, "sb.weir");
  EXPECT_EQ(result->witness.model, Model::kTso);
  EXPECT_EQ(result->witness.steps, witness.steps);
  EXPECT_EQ(result->witness.violation.kind, witness.violation.kind);
  EXPECT_EQ(result->witness.violation.message, witness.violation.message);
  EXPECT_EQ(result->witness.violation.position, witness.violation.position);
  EXPECT_EQ(print(result->program), print(program));
  EXPECT_EQ(result->program.sources.file(FileId(0)).line(2), "shared x");
  EXPECT_TRUE(replay(result->program, result->witness).reproduced);
}

TEST(ReplayFile, KeepsExtremeValues) {
  Witness witness = both_enter();
  witness.steps[0].value = INT64_MIN;
  witness.steps[0].written = INT64_MAX;
  witness.steps[0].stored = true;
  auto result = read_replay("w.json", write_replay(store_buffering(), witness, "1"));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->witness.steps, witness.steps);
}

TEST(ReplayFile, SaysWhatIsWrong) {
  const std::string good = write_replay(store_buffering(), both_enter(), "1");
  EXPECT_THAT(error_of("{\n \"schema\": 1,\n oops"), HasSubstr("w.json:3:2: error: this is not JSON"));
  EXPECT_THAT(error_of(""), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("not a replay file"));
  EXPECT_THAT(error_of("{\"tool\": \"weir\", \"verdict\": \"safe\"}"), HasSubstr("not a replay file"));
  EXPECT_THAT(error_of(replaced(good, "\"schema\": 1", "\"schema\": 9")), HasSubstr("schema 9"));
  EXPECT_THAT(error_of(replaced(good, "\"model\": \"tso\"", "\"model\": \"x86\"")),
              HasSubstr("sc, tso, pso"));
  EXPECT_THAT(error_of(replaced(good, "\"thread\": 1", "\"thread\": 7")),
              HasSubstr("steps[1]: \"thread\" is 7"));
  EXPECT_THAT(error_of(replaced(good, "\"edge\": 5", "\"edge\": 99")), HasSubstr("\"edge\" is 99"));
  EXPECT_THAT(error_of(replaced(good, "\"edge\": 5", "\"other\": 5")),
              HasSubstr("steps[1]: \"edge\" is missing"));
  EXPECT_THAT(error_of(replaced(good, "\"value\": 1", "\"value\": 1.5")), HasSubstr("not a 64-bit integer"));
  EXPECT_THAT(error_of(replaced(good, "\"flush\": true", "\"flush\": 1")), HasSubstr("not true or false"));
  EXPECT_THAT(error_of(replaced(good, "\"property\": 0", "\"property\": 4")), HasSubstr("\"property\" is 4"));
  EXPECT_THAT(error_of(replaced(replaced(good, "\"kind\": \"forbidden\"", "\"kind\": \"memory\""),
                                "\"property\": 0", "\"property\": 2")),
              HasSubstr("\"property\" is neither 0 nor 1"));
  EXPECT_THAT(error_of(replaced(good, "\"kind\": \"forbidden\"", "\"kind\": \"odd\"")),
              HasSubstr("\"kind\" is unknown"));
  EXPECT_THAT(error_of(replaced(good, "thread P0 = left()", "thread P0 = up()")),
              HasSubstr("there is no function 'up'"));
  EXPECT_THAT(error_of(replaced(good, "thread P0 = left()", "thread P0 = left(1)")),
              HasSubstr("gives 1 arguments"));
}

TEST(ReplayFile, DamagedFilesGiveOneDiagnostic) {
  const std::string good = write_replay(store_buffering(), both_enter(), "1");
  EXPECT_TRUE(rc::check("damage", [&] {
    std::string text = good;
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
    if (*rc::gen::arbitrary<bool>()) {
      text[at] = *rc::gen::arbitrary<char>();
    } else {
      text.erase(at, *rc::gen::inRange<std::size_t>(1, 30));
    }
    const auto result = read_replay("w.json", text);
    if (!result.ok()) RC_ASSERT(result.error().diagnostics.size() == 1u);
  }));
}

}  // namespace weir::replay_file_test
