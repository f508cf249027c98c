// A forecast has every write that can still come: what is not forecast ends explorations, so one that is
// missing would be a wrong answer. And it is exact enough to see that compare-and-swaps must fail.
#include "engine/smc/write_forecast.hpp"

#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::write_forecast_test {

using Need = WriteForecast::Need;

// With nothing in memory but initial values.
class Forecast {
 public:
  explicit Forecast(const Program& program)
      : program_(program), steps_(program, Model::kSc, 1000), forecast_(steps_) {
    forecast_.begin();
  }

  WriteForecast& operator*() { return forecast_; }
  std::uint32_t cell(std::string_view variable) {
    return steps_.memory().cell(program_.object(*program_.find_object(variable)).base).index();
  }
  WriteForecast::PointId start(std::size_t thread) {
    return forecast_.point(thread, steps_.automaton(thread).initial());
  }

  void add(std::size_t thread) { forecast_.add_thread(start(thread)); }
  void add_stale(std::size_t thread, std::vector<Value> fresh = {}) {
    forecast_.add_stale_thread(start(thread), fresh);
  }

  // May somebody else write the variable?
  bool can_read_newer(std::size_t thread, std::string_view variable = "x") {
    const Need needs[] = {{thread, cell(variable)}};
    return forecast_.can_meet(needs,
                              [&](std::uint32_t cell, auto&& use) { use(steps_.initial_value(cell)); });
  }

 private:
  const Program& program_;
  ThreadSteps steps_;
  WriteForecast forecast_;
};

TEST(WriteForecast, WhatIsWrittenDependsOnValues) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x");
  tiny.thread("from_1").compare_exchange("r", "x", 1, 2);
  tiny.thread("from_0").compare_exchange("r", "x", 0, 1);
  Forecast without(tiny.program());
  without.add_stale(0);
  without.add(1);
  EXPECT_FALSE(without.can_read_newer(0));
  Forecast with(tiny.program());
  with.add_stale(0);
  with.add(1);
  with.add(2);
  EXPECT_TRUE(with.can_read_newer(0));
}

TEST(WriteForecast, AStaleStepReadsWhatOthersWrite) {
  TinyProgram tiny({"x"});
  tiny.thread("P").fetch_add("r", "x", 1);
  tiny.thread("Q").fetch_add("r", "x", 1);
  Forecast both(tiny.program());
  both.add_stale(0);
  both.add_stale(1);
  EXPECT_FALSE(both.can_read_newer(0)) << "each would have to be first";
  Forecast fresh(tiny.program());
  fresh.add_stale(0);
  fresh.add_stale(1, {5});
  EXPECT_TRUE(fresh.can_read_newer(0)) << "something newer is there";
  Forecast other(tiny.program());
  other.add_stale(0);
  other.add(1);
  EXPECT_TRUE(other.can_read_newer(0));
}

TEST(WriteForecast, OwnWritesAreNothingNewer) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store("x", 1);
  tiny.thread("Q").load("r", "y");
  Forecast forecast(tiny.program());
  forecast.add(0);
  forecast.add(1);
  EXPECT_FALSE(forecast.can_read_newer(0));
  EXPECT_TRUE(forecast.can_read_newer(1)) << "P writes x";
}

// Q must read something newer once; when it comes back it can read what is old, and only then it writes x.
TEST(WriteForecast, AStaleStepIsStaleOnce) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x");
  TinyThread q = tiny.thread("Q");
  const LocationId loop = q.here();
  q.load("r", "y");
  const LocationId read = q.here();
  q.assume_equal("r", 0).store("x", 1);
  q.continue_at(read).jump_to(loop, {.op = Opcode::kAssume, .a = q.equal("r", 1)});
  Forecast forecast(tiny.program());
  forecast.add_stale(0);
  forecast.add_stale(1, {1});
  EXPECT_TRUE(forecast.can_read_newer(0));
}

TEST(WriteForecast, ChoicesAndBlocks) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x");
  tiny.thread("chooses").choose("r", 0, 1).assume_equal("r", 1).store("x", 1);
  tiny.thread("block")
      .atomic_begin()
      .load("r", "y")
      .assume_equal("r", 0)
      .load("r", "x")
      .assume_equal("r", 0)
      .store("x", 1)
      .atomic_end();
  tiny.thread("stuck_block")
      .atomic_begin()
      .load("r", "y")
      .assume_equal("r", 0)
      .load("r", "x")
      .assume_equal("r", 1)
      .store("x", 1)
      .atomic_end();
  for (const auto& [thread, writes] : {std::pair(1, true), std::pair(2, true), std::pair(3, false)}) {
    Forecast forecast(tiny.program());
    forecast.add_stale(0);
    forecast.add(static_cast<std::size_t>(thread));
    EXPECT_EQ(forecast.can_read_newer(0), writes) << tiny.program().threads[thread].name;
  }
}

TEST(WriteForecast, WhatAStepWritesUntilTheNextRead) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "y").store("x", 3).load("r", "x").store("y", 4);
  Forecast forecast(tiny.program());
  const WriteForecast::PointId start = forecast.start(0);
  const auto written = (*forecast).written_after(start, 0);
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].cell, forecast.cell("x"));
  EXPECT_NE((*forecast).after(start, 0), start);
  EXPECT_EQ((*forecast).after(start, 0), (*forecast).after(start, 1)) << "y is not looked at any more";
}

// What P has just written it can read, though nobody else writes x.
TEST(WriteForecast, WhatWasJustWrittenCanBeRead) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store("x", 1).load("r", "x").assume_equal("r", 1).store("y", 1);
  tiny.thread("Q").load("r", "y");
  Forecast forecast(tiny.program());
  const WriteForecast::PointId start = forecast.start(0);
  (*forecast).add_writes(0, (*forecast).written_after(start, 0));
  (*forecast).add_thread((*forecast).after(start, 0));
  forecast.add_stale(1);
  EXPECT_TRUE(forecast.can_read_newer(1, "y"));
}

// Two counters that drive each other on have no end of values. Then everything may happen.
TEST(WriteForecast, GivesUp) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x");
  for (const char* name : {"Q", "R"}) {
    TinyThread thread = tiny.thread(name);
    const LocationId loop = thread.here();
    thread.fetch_add("r", "y", 1).jump_to(loop);
  }
  Forecast forecast(tiny.program());
  forecast.add_stale(0);
  forecast.add(1);
  forecast.add(2);
  EXPECT_TRUE(forecast.can_read_newer(0));
}

TEST(WriteForecast, AllThatMayBeWrittenIsTold) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("P").load("r", "x");
  tiny.thread("Q").load("r", "z").store("y", 1).compare_exchange("r", "z", 0, 1);
  Forecast forecast(tiny.program());
  forecast.add_stale(0);
  forecast.add(1);
  ASSERT_FALSE(forecast.can_read_newer(0));
  std::size_t writes = 0, updates = 0;
  (*forecast).for_each_write(
      [&](std::size_t thread, std::uint32_t) {
        EXPECT_EQ(thread, 1u);
        ++writes;
      },
      [&](std::size_t thread, std::uint32_t) {
        EXPECT_EQ(thread, 1u);
        ++updates;
      });
  EXPECT_EQ(writes, 2u) << "y and z";
  EXPECT_EQ(updates, 1u) << "of z";
}

TEST(WriteForecast, NotWhereImaginingLeavesTraces) {
  TinyProgram tiny({"x"});
  tiny.thread("P").lock().load("r", "x").unlock();
  EXPECT_FALSE((*Forecast(tiny.program())).works());
}

}  // namespace weir::test::write_forecast_test
