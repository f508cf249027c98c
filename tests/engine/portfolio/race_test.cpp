// Who answers when several engines try.
#include "engine/portfolio/race.hpp"

#include <gtest/gtest.h>
#include <thread>

#include "base/error.hpp"

namespace weir::race_test {

using std::chrono::milliseconds;

Contender says(const char* name, Verdict verdict) {
  return {name, [=](Context&) { return Answer{.verdict = verdict, .engine = name}; }};
}

// Goes on until it is told to stop.
Contender never_ends(const char* name) {
  return {name, [=](Context& context) {
            while (!context.stopped()) std::this_thread::sleep_for(milliseconds(1));
            return Answer{.engine = name, .reason = "stopped"};
          }};
}

const RaceOptions kAtOnce{.head_start = milliseconds(0)};

TEST(Race, FirstAnswersAlone) {
  Context context;
  bool started = false;
  const Contender other{"other", [&](Context&) {
                          started = true;
                          return Answer{.verdict = Verdict::kSafe};
                        }};
  EXPECT_EQ(
      race({says("first", Verdict::kSafe), other}, {.head_start = std::chrono::hours(1)}, context).engine,
      "first");
  EXPECT_FALSE(started);
}

// One that does not end is stopped by one that does, whichever it is.
TEST(Race, WhoDecidesStopsTheRest) {
  Context context;
  EXPECT_EQ(race({never_ends("first"), says("second", Verdict::kUnsafe)}, kAtOnce, context).engine, "second");
  EXPECT_EQ(race({never_ends("first"), says("second", Verdict::kUnknown), says("third", Verdict::kSafe)},
                 kAtOnce, context)
                .engine,
            "third");
}

// A first contender that gives up does not end the race.
TEST(Race, GoesOnWithoutTheFirst) {
  Context context;
  EXPECT_EQ(race({says("first", Verdict::kUnknown), says("second", Verdict::kSafe)}, kAtOnce, context).engine,
            "second");
  EXPECT_EQ(
      race({says("first", Verdict::kUnknown), says("second", Verdict::kSafe)}, {milliseconds(30)}, context)
          .engine,
      "second");
  const Answer nobody =
      race({says("first", Verdict::kUnknown), says("second", Verdict::kUnknown)}, kAtOnce, context);
  EXPECT_EQ(nobody.engine, "first");
}

// Some unknown answers are final. What others had to say otherwise stays as notes.
TEST(Race, WhatNobodyCanBetterEndsIt) {
  Context context;
  RaceOptions options{.head_start = std::chrono::hours(1)};
  options.ends_all = [](const Answer& answer) { return answer.reason == "too many values"; };
  const Contender limited{"first",
                          [](Context&) { return Answer{.engine = "first", .reason = "too many values"}; }};
  EXPECT_EQ(race({limited, never_ends("second")}, options, context).reason, "too many values");
  EXPECT_EQ(race({limited, says("second", Verdict::kSafe)}, options, context).engine, "first");
}

TEST(Race, NotesSayWhatStoppedTheOthers) {
  Context context;
  const Contender other{"second",
                        [](Context&) { return Answer{.engine = "second", .reason = "it is too hard"}; }};
  const Answer nobody = race({says("first", Verdict::kUnknown), other}, kAtOnce, context);
  ASSERT_EQ(nobody.diagnostics.size(), 1u);
  EXPECT_EQ(nobody.diagnostics[0].message, "second: it is too hard");
  EXPECT_TRUE(race({says("first", Verdict::kSafe), other}, kAtOnce, context).diagnostics.empty());
}

// With one seat, one that comes after two that never end has its turns, and keeps what it did in each.
TEST(Race, OneSeatIsShared) {
  Context context;
  const Contender long_one{"third", [](Context& own) {
                             for (int i = 0; i < 200 && !own.stopped(); ++i)
                               std::this_thread::sleep_for(milliseconds(1));
                             return Answer{.verdict = Verdict::kSafe, .engine = "third"};
                           }};
  const std::vector<Contender> contenders{never_ends("first"), never_ends("second"), long_one};
  EXPECT_EQ(race(contenders, {.head_start = milliseconds(0), .seats = 1}, context).engine, "third");
}

TEST(Race, WhoIsPausedIsStoppedByLimits) {
  Context context({.timeout = milliseconds(300)}, {}, false);
  const std::vector<Contender> contenders{never_ends("first"), never_ends("second"), never_ends("third")};
  EXPECT_EQ(race(contenders, {.head_start = milliseconds(0), .seats = 1}, context).reason, "stopped");
}

TEST(Race, LimitsAreHeeded) {
  Context context({.timeout = milliseconds(50)}, {}, false);
  const Answer answer = race({never_ends("first"), never_ends("second")}, kAtOnce, context);
  EXPECT_EQ(answer.verdict, Verdict::kUnknown);
  EXPECT_EQ(answer.reason, "stopped");
}

// An internal error is never hidden by another engine's silence.
TEST(Race, ErrorsArePassedOn) {
  Context context;
  const Contender broken{"broken", [](Context&) -> Answer { throw InternalError("broken"); }};
  EXPECT_THROW(race({never_ends("first"), broken}, kAtOnce, context), InternalError);
}

}  // namespace weir::race_test
