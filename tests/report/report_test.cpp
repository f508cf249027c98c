// Protects what people and scripts read: the words of the explanation, its layout, and the fields of the
// JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "export/dot/dot.hpp"
#include "report/again.hpp"
#include "report/answer_report.hpp"
#include "report/execution/explanation.hpp"
#include "report/execution/storyline.hpp"
#include "report/text/parts.hpp"
#include "trace/store_buffering.hpp"

namespace weir::report_test {

using namespace weir::test;
using ::testing::HasSubstr;
using ::testing::Not;

Answer unsafe_answer() {
  Answer answer{.verdict = Verdict::kUnsafe, .engine = "explicit"};
  answer.witness = both_enter();
  answer.statistics.set("states", std::uint64_t{12});
  answer.statistics.set("load_factor", 0.5);
  return answer;
}

RunInfo run_info() {
  RunInfo run{.command = "check", .file = "sb.weir", .version = "1.2.3", .model = Model::kTso};
  run.options = {
      {"model", std::string("tso")}, {"deadlock", false}, {"goal", std::vector<std::string>{"P0:cs"}}};
  run.seconds = 0.25;
  run.peak_bytes = 3 << 20;
  return run;
}

TEST(Storyline, TellsBuffersAndMemory) {
  Witness witness = both_enter();
  witness.steps.insert(witness.steps.begin() + 1, instruction(0, 1, 0, 1));  // as if P0 read its own store
  const Storyline story = tell(store_buffering(), witness);
  EXPECT_EQ(story.events[0].text, "write x = 1 (to buffer)");
  EXPECT_TRUE(story.events[0].buffered);
  EXPECT_EQ(story.events[0].change, "");
  EXPECT_EQ(story.events[1].text, "read x = 1 (own buffer)");
  EXPECT_EQ(story.events[3].text, "read y = 0 (memory)");
  EXPECT_EQ(story.events[5].text, "flush x = 1");
  EXPECT_EQ(story.events[5].change, "x: 0 -> 1");
  EXPECT_TRUE(story.events[6].local);
  EXPECT_EQ(story.events[6].arrival, "cs");
  EXPECT_EQ(story.location[0], "cs");
}

TEST(Storyline, FailingInstructionIsShownAsFailing) {
  auto program = parse_program_text("a.weir",
                                    "weir 1\nshared x\nfunction f()\n register r\n s:\n r := load x -> t\n "
                                    "t:\n assert r == 1, \"no\" -> u\n u:\nend\n"
                                    "thread T = f()\n");
  ASSERT_TRUE(program.ok());
  Witness witness{.steps = {instruction(0, 0), instruction(0, 1)}, .violation = {.message = "no"}};
  const Storyline story = tell(*program, witness);
  EXPECT_EQ(story.events[0].text, "read x = 0");
  EXPECT_EQ(story.events[1].text, "assert r == 1, \"no\"  <-- fails");
  EXPECT_FALSE(story.events[1].local);
}

TEST(Storyline, UnsignedValuesAreNotNegative) {
  EXPECT_EQ(value_text(-1, {64, false}), "18446744073709551615");
  EXPECT_EQ(value_text(-1, kInt64), "-1");
}

TEST(Explanation, OneColumnPerThread) {
  const std::string text = explanation(store_buffering(), both_enter(), {.width = 100});
  EXPECT_THAT(text, HasSubstr("in 8 steps with 6 context switches"));
  EXPECT_THAT(text, HasSubstr("step  line  P0                       P1                       memory\n"));
  EXPECT_THAT(text, HasSubstr("   2  20                             write y = 1 (to buffer)\n"));
  EXPECT_THAT(text, HasSubstr("   5  7     flush x = 1                                       x: 0 -> 1\n"));
  EXPECT_THAT(text, HasSubstr("-- at cs"));
  EXPECT_THAT(text, Not(HasSubstr("assume")));
  EXPECT_THAT(text, HasSubstr("(2 steps of local computation not shown"));
}

TEST(Explanation, ColumnsOverlapWhereThereIsLittleRoom) {
  const std::string text = explanation(store_buffering(), both_enter(), {.width = 50});
  EXPECT_THAT(text, HasSubstr("step  line  P0           P1\n----  ----  --           --\n"));
  EXPECT_THAT(text, HasSubstr("   1  7     write x = 1 (to buffer)\n"));
  EXPECT_THAT(text, HasSubstr("   2  20                 write y = 1 (to buffer)\n"));
  EXPECT_THAT(text, HasSubstr("   5  7     flush x = 1   [x: 0 -> 1]\n"));
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    EXPECT_LE(text.find('\n', at) - at, 56u);  // the head and the remark at the end are not cut
}

TEST(Explanation, ThreadsThatDoNothingHaveNoColumn) {
  Witness witness = both_enter();
  std::erase_if(witness.steps, [](const WitnessStep& step) { return step.thread == ThreadId(1); });
  const std::string text = explanation(store_buffering(), witness, {.width = 100});
  EXPECT_THAT(text, HasSubstr("P0"));
  EXPECT_THAT(text, Not(HasSubstr("P1")));
}

TEST(Explanation, NarrowTerminalsGetOneColumnInAll) {
  const std::string text = explanation(store_buffering(), both_enter(), {.width = 40});
  EXPECT_THAT(text, HasSubstr("P1: write y = 1 (to buffer)\n"));
  EXPECT_THAT(text, HasSubstr("P0: flush x = 1   [x: 0 -> 1]\n"));
}

TEST(Explanation, LocalStepsOnRequest) {
  const std::string text = explanation(store_buffering(), both_enter(), {.width = 120, .local_steps = true});
  EXPECT_THAT(text, HasSubstr("assume r == 0"));
  EXPECT_THAT(text, Not(HasSubstr("not shown")));
}

TEST(TextReport, StartsWithTheVerdict) {
  const Presentation plain;
  const std::string text = text_report(store_buffering(), unsafe_answer(), run_info(), plain);
  EXPECT_THAT(text, ::testing::StartsWith("UNSAFE under tso: mutual exclusion violated"));
  EXPECT_THAT(text, HasSubstr("sb.weir:13:3: note: it happens here\n   13 |   cs:\n"));
  EXPECT_THAT(text, HasSubstr("weir check sb.weir --model sc"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text_report(store_buffering(), unsafe_answer(), run_info(), {.colour = true}),
              HasSubstr("\x1b[1;31mUNSAFE"));
}

TEST(TextReport, NextCommandsAskAboutTheSameInput) {
  RunInfo run = run_info();
  run.files = {"a b.c", "c.c"};
  run.compiler_arguments = {"-DN=2"};
  run.given = {{"--model tso", false, {"check", "fence"}},
               {"--races", true, {"check", "fence"}},
               {"--random 5", false, {"check"}}};
  const std::string text = text_report(store_buffering(), unsafe_answer(), run, {});
  EXPECT_THAT(text, HasSubstr("weir check 'a b.c' c.c --model sc --races -- -DN=2\n"));
  EXPECT_THAT(text, HasSubstr("weir robust 'a b.c' c.c -- -DN=2\n"));
  EXPECT_THAT(text, HasSubstr("weir fence 'a b.c' c.c --for safety --races -- -DN=2\n"));
  EXPECT_EQ(asked(run), "weir check 'a b.c' c.c --model tso --races --random 5 -- -DN=2");
}

TEST(TextReport, AShellTakesWordsAsTheyAre) {
  EXPECT_EQ(shell_word("a-b_c.imp"), "a-b_c.imp");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(TextReport, NothingIsSaidTwice) {
  EXPECT_EQ(violation_text({.message = "assertion fails: assertion \"x\" fails"}), "assertion \"x\" fails");
  EXPECT_EQ(violation_text({.message = "assertion fails: no luck"}), "assertion fails: no luck");
}

TEST(TextReport, ExcerptsFitTheTerminal) {
  SourceMap sources;
  const std::string line = std::string(40, 'a') + " here " + std::string(40, 'b');
  const FileId file = sources.add("long.c", line + "\n");
  const Diagnostic note{Severity::kNote, "it happens here", {file, 1, 42}, ""};
  const std::string plain = shown(note, sources, {.width = 30});
  EXPECT_EQ(plain, render(note, sources));  // not a terminal
  const std::string text = shown(note, sources, {.width = 30, .terminal = true});
  const std::size_t excerpt = text.find('\n') + 1, caret = text.find('\n', excerpt) + 1;
  const std::string source = text.substr(excerpt, caret - 1 - excerpt);
  EXPECT_LE(display_width(source), 30u);
  // The caret is below the same letter, counted in columns.
  const std::size_t column = text.find('^', caret) - caret;
  EXPECT_EQ(source.substr(column + 2, 4), "here");  // two more bytes: the mark of what is left out
  EXPECT_THAT(shown(note, sources, {.colour = true}), HasSubstr("\x1b[1;36mnote:\x1b[0m it happens here"));
}

TEST(Terminal, FittedTextIsCut) {
  EXPECT_EQ(fitted("abc", 3), "abc");
  EXPECT_EQ(display_width(fitted("abcdef", 4)), 4u);
  EXPECT_EQ(display_width(fitted("äöüäöü", 4)), 4u);
}

TEST(TextReport, UnknownSaysWhyAndWhatNext) {
  Answer answer{.verdict = Verdict::kUnknown, .engine = "explicit", .reason = "buffers can grow beyond 4"};
  answer.bound = {{"buffer", "4"}};
  const std::string text = text_report(store_buffering(), answer, run_info(), {});
  EXPECT_THAT(text, HasSubstr("UNKNOWN under tso: buffers can grow beyond 4 (reached: buffer 4)\n"));
  EXPECT_THAT(text, HasSubstr("without --buffer"));
  EXPECT_THAT(text, Not(HasSubstr("a larger --buffer")));
}

TEST(TextReport, AdviceAboutLimitsIsForLimitsThatWereReached) {
  Answer answer{.verdict = Verdict::kUnknown,
                .engine = "smc",
                .reason = "memory limit reached after 9 states",
                .stopped = StopReason::kMemory};
  EXPECT_THAT(text_report(store_buffering(), answer, run_info(), {}), HasSubstr("a larger --memory MB"));
  answer.reason = "memory is accessed with different sizes, sometimes";
  answer.stopped = StopReason::kNone;
  EXPECT_THAT(text_report(store_buffering(), answer, run_info(), {}), Not(HasSubstr("To look further")));
}

TEST(TextReport, HostileNamesDoNotReachTheTerminal) {
  Program program = store_buffering();
  program.threads[0].name = "P\x1b[2J";
  EXPECT_THAT(explanation(program, both_enter(), {}), Not(HasSubstr("\x1b")));
}

TEST(JsonReport, HasTheFieldsOfTheContract) {
  const auto json = nlohmann::json::parse(json_report(store_buffering(), unsafe_answer(), run_info(), {}));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["tool"], "weir");
  EXPECT_EQ(json["version"], "1.2.3");
  EXPECT_EQ(json["command"], "check");
  EXPECT_EQ(json["file"], "sb.weir");
  EXPECT_EQ(json["model"], "tso");
  EXPECT_EQ(json["engine"], "explicit");
  EXPECT_EQ(json["verdict"], "unsafe");
  for (const char* figure :
       {"seconds", "peak_mb", "states", "transitions", "traces", "blocked", "configurations"})
    EXPECT_TRUE(json["stats"].contains(figure)) << figure;
  EXPECT_EQ(json["stats"]["states"], 12);
  EXPECT_EQ(json["stats"]["load_factor"], 0.5);
  EXPECT_EQ(json["options"]["goal"][0], "P0:cs");
  EXPECT_EQ(json["violation"]["kind"], "forbidden");
  EXPECT_EQ(json["violation"]["file"], "sb.weir");
  EXPECT_EQ(json["violation"]["line"], 13);
  ASSERT_EQ(json["witness"].size(), 6u);
  EXPECT_EQ(json["witness"][0]["thread"], "P0");
  EXPECT_EQ(json["witness"][0]["action"], "store");
  EXPECT_EQ(json["witness"][0]["buffered"], true);
  EXPECT_EQ(json["witness"][0]["address"], "x");
  EXPECT_EQ(json["witness"][0]["value"], 1);
  EXPECT_EQ(json["witness"][0]["line"], 7);
  EXPECT_EQ(json["witness"][4]["action"], "flush");
}

TEST(JsonReport, LocalStepsOnRequestAndBoundsAsNumbers) {
  Answer answer = unsafe_answer();
  answer.bound = {{"buffer", "4"}, {"loop", "a:3"}};
  const auto json =
      nlohmann::json::parse(json_report(store_buffering(), answer, run_info(), {.local_steps = true}));
  EXPECT_EQ(json["witness"].size(), 8u);
  EXPECT_EQ(json["witness"][5]["action"], "assume");
  EXPECT_EQ(json["bound"]["buffer"], 4);
  EXPECT_EQ(json["bound"]["loop"], "a:3");
}

TEST(JsonReport, NamesThatAreNotUtf8AreReplaced) {
  Program program = store_buffering();
  program.threads[0].name = "\xff\xfe";
  const auto json =
      nlohmann::json::parse(json_report(program, unsafe_answer(), run_info(), {}), nullptr, false);
  EXPECT_FALSE(json.is_discarded());
}

TEST(Dot, OneClusterPerThreadWithTheWitnessMarked) {
  const Witness witness = both_enter();
  const std::string dot = dot_graph(store_buffering(), &witness);
  EXPECT_THAT(dot, HasSubstr("subgraph \"cluster_t0\""));
  EXPECT_THAT(dot, HasSubstr("subgraph \"cluster_t1\""));
  EXPECT_THAT(dot, HasSubstr("label=\"1: store x := 1\", color=red"));
  EXPECT_THAT(dot, HasSubstr("peripheries=2"));
}

}  // namespace weir::report_test
