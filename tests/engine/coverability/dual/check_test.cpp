// What the dual engine answers on programs that one knows.
#include "engine/coverability/dual/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "program/text/text.hpp"

namespace weir::dual_check_test {

Program parse(const std::string& text) {
  auto program = parse_program_text("test.weir", text);
  EXPECT_TRUE(program.ok());
  return std::move(*program);
}

DualAnswer check_any(const Program& program, std::size_t jobs = 1) {
  Context context;
  return check_dual(program, {.any_number = true, .jobs = jobs}, context);
}

Answer check(const Program& program, Model model = Model::kTso) {
  Context context;
  return check_dual(program, {.model = model}, context).answer;
}

// A lock taken by an exchange and given back by a plain store.
std::string lock_program(bool looks_first) {
  const std::string look = R"("spin":
    r := load u8 l -> "look"
  "look":
    assume r == 0u8 -> "try"
    assume r != 0u8 -> "spin"
  )";
  return fmt::format(R"(weir 1
program "lock"
sources
shared l : u8 = 0
function f()
  register r : u8
  {}"try":
    r := rmw exchange u8 l, 1u8 -> "got"
  "got":
    assume r == 0u8 -> "cs"
    assume r != 0u8 -> "{}"
  "cs":
    nop -> "out"
  "out":
    store u8 l := 0u8 -> "{}"
end
thread P = f()
exclusive P at "cs"
)",
                     looks_first ? look : "", looks_first ? "spin" : "try", looks_first ? "spin" : "try");
}

TEST(DualCheck, LocksAreSafeForAnyNumberOfThreads) {
  for (const bool looks_first : {false, true}) {
    const DualAnswer answer = check_any(parse(lock_program(looks_first)));
    EXPECT_EQ(answer.answer.verdict, Verdict::kSafe) << answer.answer.reason;
  }
}

std::string ticket_lock(std::uint32_t wrap, std::uint32_t threads) {
  std::string text = fmt::format(R"(weir 1
program "ticket"
sources
shared next : u8 = 0
shared serving : u8 = 0
function f()
  register t : u8
  register s : u8
  "take":
    atomic_begin -> "a1"
  "a1":
    t := load u8 next -> "a2"
  "a2":
    store u8 next := (t + 1u8) % {0}u8 -> "a3"
  "a3":
    atomic_end -> "wait"
  "wait":
    s := load u8 serving -> "look"
  "look":
    assume s == t -> "cs"
    assume s != t -> "wait"
  "cs":
    nop -> "out"
  "out":
    store u8 serving := (t + 1u8) % {0}u8 -> "take"
end
)",
                                 wrap);
  std::string places;
  for (std::uint32_t t = 0; t < threads; ++t) {
    text += fmt::format("thread P{} = f()\n", t);
    places += fmt::format("{}P{} at \"cs\"", t == 0 ? "" : ", ", t);
  }
  return text + "exclusive " + places + "\n";
}

// Tickets that wrap at K are enough for K threads, and not for one more.
TEST(DualCheck, TicketLockWraps) {
  for (const std::uint32_t wrap : {2u, 3u, 4u}) {
    EXPECT_EQ(check(parse(ticket_lock(wrap, wrap))).verdict, Verdict::kSafe);
    EXPECT_EQ(check(parse(ticket_lock(wrap, wrap + 1))).verdict, Verdict::kUnsafe);
    const DualAnswer any = check_any(parse(ticket_lock(wrap, 1)));
    ASSERT_EQ(any.answer.verdict, Verdict::kUnsafe);
    EXPECT_EQ(any.answer.threads->total, wrap + 1);
    EXPECT_TRUE(any.answer.threads->least);
    EXPECT_TRUE(replay(any.instance, *any.answer.witness).reproduced);
  }
}

// Buffers grow without bound, which only the backward search survives: what is stored again and again is not
// seen in another order.
constexpr const char* kGrowingBuffers = R"(weir 1
program "growing"
sources
shared x : u8 = 0
shared y : u8 = 0
function writer()
  "a":
    store u8 x := 1u8 -> "b"
  "b":
    store u8 y := 1u8 -> "a"
end
function reader()
  register r : u8
  register s : u8
  "a":
    r := load u8 y -> "b"
  "b":
    s := load u8 x -> "c"
  "c":
    assume (r == 1u8) && (s == 0u8) -> "bad"
  "bad":
end
thread W = writer()
thread R = reader()
goal R at "bad"
)";

TEST(DualCheck, DecidesWithUnboundedBuffers) {
  const Answer answer = check(parse(kGrowingBuffers));
  EXPECT_EQ(answer.verdict, Verdict::kSafe) << answer.reason;
}

// The answer and its figures do not depend on the number of workers.
TEST(DualCheck, JobsChangeNothing) {
  const Program program = parse(ticket_lock(4, 1));
  const DualAnswer one = check_any(program, 1), three = check_any(program, 3);
  EXPECT_EQ(one.answer.witness->steps, three.answer.witness->steps);
  for (const char* figure : {"configurations generated", "configurations kept"})
    EXPECT_EQ(std::get<std::uint64_t>(*one.answer.statistics.find(figure)),
              std::get<std::uint64_t>(*three.answer.statistics.find(figure)));
}

TEST(DualCheck, SaysWhatItCannotDo) {
  Program program = parse(lock_program(false));
  program.properties.deadlock = true;
  EXPECT_EQ(check(program).verdict, Verdict::kUnknown);
  EXPECT_EQ(check(program).reason, "deadlocks cannot be found by a backward search");

  const Program counter = parse(R"(weir 1
program "counter"
sources
shared x : u64 = 0
function f()
  register r : u64
  "a":
    r := rmw add u64 x, 1u64 -> "a"
end
thread P = f()
thread Q = f()
exclusive P at "a", Q at "a"
)");
  EXPECT_EQ(check(counter).reason, "x takes more than 1024 values");
}

}  // namespace weir::dual_check_test
