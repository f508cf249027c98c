// Protects: the schedule names the places of the executable that the witness knows, and its steps in their
// order.
#include "native/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "program/address.hpp"
#include "program/text/text.hpp"
#include "trace/store_buffering.hpp"

namespace weir::native::schedule_test {

using ::testing::ElementsAre;
using ::testing::StartsWith;
using weir::test::both_enter;
using weir::test::instruction;
using weir::test::store_buffering;

LineRow place_of(const Program& program, std::uint32_t edge) {
  const SourcePosition& position = program.edge(EdgeId(edge)).position;
  return {.file = 0, .line = position.line, .column = position.column};
}

// An executable in which each of these edges of the program is a call.
LineTable table_of(const Program& program, const std::vector<std::pair<std::uint32_t, std::string>>& calls) {
  LineTable table{.files = {"/folder/sb.weir"}};
  std::uint64_t address = 0x1000;
  for (const auto& [edge, callee] : calls)
    table.calls.push_back({address += 16, callee, place_of(program, edge)});
  return table;
}

std::vector<std::string> lines_with(const std::string& word, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(word + " ")) found.push_back(line);
  return found;
}

// The words of an item that tell it: step, thread and kind.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string& line : lines_with("item", text)) {
    std::istringstream words(line);
    std::string item, step, thread, kind;
    words >> item >> step >> thread >> kind;
    found.push_back(step + " " + thread + " " + kind);
  }
  return found;
}

TEST(Schedule, HasTheStepsAndFlushesInTheirOrder) {
  const Program program = store_buffering();
  const LineTable table = table_of(
      program, {{0, "__tsan_write4"}, {1, "__tsan_read4"}, {5, "__tsan_write4"}, {6, "__tsan_read4"}});
  const std::string text = schedule_text(program, both_enter(), table, "/folder");
  EXPECT_THAT(items_of(text), ElementsAre("1 0 W", "2 1 W", "3 0 R", "4 1 R", "5 0 L", "7 1 L"));
  EXPECT_THAT(lines_with("violation", text), ElementsAre("violation forbidden 0"));
}

TEST(Schedule, LeavesOutWhatTheExecutableDoesNotShow) {
  const Program program = store_buffering();
  const LineTable table = table_of(program, {{0, "__tsan_write4"}, {6, "__tsan_read4"}});
  const std::string text = schedule_text(program, both_enter(), table, "/folder");
  EXPECT_THAT(items_of(text), ElementsAre("1 0 W", "4 1 R", "5 0 L", "7 1 L"));
}

TEST(Schedule, MarksThePlacesThatTheProgramKnows) {
  const Program program = store_buffering();
  const LineTable table = table_of(program, {{0, "__tsan_write4"},
                                             {0, "__tsan_read4"},
                                             {0, "__tsan_func_entry"},
                                             {1, "__tsan_atomic32_load"},
                                             {1, "__tsan_atomic32_fetch_add"}});
  const auto sites = lines_with("site", schedule_text(program, both_enter(), table, "/folder"));
  ASSERT_EQ(sites.size(), 4u) << "entering a function is no place of the schedule";
  EXPECT_THAT(sites[0], ::testing::EndsWith(" w 1"));
  EXPECT_THAT(sites[1], ::testing::EndsWith(" r 0")) << "the program does not read there";
  EXPECT_THAT(sites[2], ::testing::EndsWith(" r 1"));
  EXPECT_THAT(sites[3], ::testing::EndsWith(" u 1"));
}

TEST(Schedule, OfAnotherFolderKnowsNothing) {
  const Program program = store_buffering();
  const LineTable table = table_of(program, {{0, "__tsan_write4"}});
  const std::string text = schedule_text(program, both_enter(), table, "/elsewhere");
  EXPECT_THAT(items_of(text), ElementsAre("5 0 L", "7 1 L"));
  EXPECT_THAT(lines_with("site", text), ElementsAre(::testing::EndsWith(" w 0")));
}

// Ends of variables: a function that returns leaves several at once, which is one event of the running
// program.

Program with_variables() {
  auto result = parse_program_text("sb.weir", R"(weir 1
shared x
function main()
  register a : u64
  register b : u64
  s:
    a := allocate stack 4u64 -> one
  one:
    b := allocate stack 4u64 -> two
  two:
    free stack a -> three
  three:
    free stack b -> four
  four:
    store x := 1 -> out
  out:
end
thread main = main()
)");
  if (!result) ADD_FAILURE() << render(result.error().diagnostics[0], result.error().sources);
  return result ? std::move(*result) : Program{};
}

Value variable(std::uint64_t number) {
  return encode(
      BlockAddress{.number = static_cast<std::uint32_t>(number), .kind = BlockKind::kStack, .size = 4});
}

Witness both_end() {
  Witness witness{.model = Model::kSc};
  witness.steps = {instruction(0, 0), instruction(0, 1), instruction(0, 2, variable(0)),
                   instruction(0, 3, variable(1)), instruction(0, 4, 0, 1)};
  witness.violation = {ViolationKind::kMemory, "access to memory that was released", {}, 0};
  return witness;
}

TEST(Schedule, EndsOfVariablesAtDifferentPlacesAreTwo) {
  const Program program = with_variables();
  const LineTable table =
      table_of(program, {{2, "weir_stack_ends"}, {3, "weir_stack_leave"}, {4, "__tsan_write4"}});
  const std::string text = schedule_text(program, both_end(), table, "/folder");
  EXPECT_THAT(items_of(text), ElementsAre("3 0 F", "4 0 F", "5 0 W"));
}

TEST(Schedule, EndsOfVariablesAtOnePlaceAreOne) {
  Program program = with_variables();
  program.edges[3].position = program.edges[2].position;
  const LineTable table = table_of(program, {{2, "weir_stack_leave"}, {4, "__tsan_write4"}});
  const std::string text = schedule_text(program, both_end(), table, "/folder");
  EXPECT_THAT(items_of(text), ElementsAre("3 0 F", "5 0 W"));
}

TEST(Schedule, VariablesOfAThreadThatEndNowhereEndWithIt) {
  Program program = with_variables();
  program.edges[2].position = program.edges[3].position = {};
  const LineTable table = table_of(program, {{4, "__tsan_write4"}});
  const std::string text = schedule_text(program, both_end(), table, "/folder");
  EXPECT_THAT(items_of(text), ElementsAre("3 0 E", "5 0 W"));
}

TEST(Schedule, TheBeginningOfAVariableIsNoPlace) {
  const Program program = with_variables();
  const LineTable table = table_of(program, {{0, "weir_stack_variable"}, {1, "weir_stack_starts"}});
  EXPECT_THAT(lines_with("site", schedule_text(program, both_end(), table, "/folder")), ElementsAre());
}

}  // namespace weir::native::schedule_test
