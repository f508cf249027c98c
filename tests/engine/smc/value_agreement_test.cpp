// Exploration by values visits what it should, and nothing twice, on small programs. `value_agreement`
// compares many more.
#include "selfcheck/agreement/value_agreement.hpp"

#include <gtest/gtest.h>
#include <random>

#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::value_agreement_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

class ValueAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ValueAgreement, WithBruteForce) {
  constexpr std::uint64_t kPrograms = 10;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed) {
    const Genome genome = smc_genome(seed);
    for (const Model model : kModels)
      ASSERT_EQ(value_disagreement(build(genome), model), "")
          << "seed " << seed << ", " << name(model) << "\n"
          << describe(genome);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ValueAgreement, testing::Range<std::uint64_t>(2'000'000, 2'000'100, 10));

// Threads that write only if they read the right value, so that who can still write what depends on who has
// read what. The generator above makes few of these.
class Relays {
 public:
  explicit Relays(std::uint64_t seed) : random_(seed), tiny_({"x", "y", "z"}) {
    const std::size_t threads = 3 + below(2);
    for (std::size_t t = 0; t < threads; ++t) {
      TinyThread thread = tiny_.thread("T" + std::to_string(t));
      for (std::size_t i = 0; i < (threads == 3 ? 1 + below(2) : 1); ++i) add_step(thread);
    }
  }

  Program& program() { return tiny_.program(); }

 private:
  void add_step(TinyThread& thread) {
    switch (below(8)) {
      case 0: thread.compare_exchange("r", variable(), value(), value()); break;
      case 1: thread.fetch_add("r", variable(), 1); break;
      case 2:
        thread.atomic_begin().load("r", variable());
        store_if(thread);
        thread.atomic_end();
        break;
      case 3: thread.load("r", variable()).assume_equal("r", value()).store(variable(), value()); break;
      case 4: thread.load("r", variable()).store(variable(), value()); break;
      case 5: thread.load("r", variable()).store_register(variable(), "r"); break;
      default: thread.load("r", variable()); store_if(thread);
    }
  }

  void store_if(TinyThread& thread) {
    const LocationId before = thread.here();
    const ExprId holds = thread.equal("r", value());
    const ExprId fails = program().unary(ExprOp::kLogicalNot, holds);
    thread.add({.op = Opcode::kAssume, .a = holds}).store(variable(), value());
    const LocationId after = thread.here();
    thread.continue_at(before).jump_to(after, {.op = Opcode::kAssume, .a = fails}).continue_at(after);
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }
  Value value() { return static_cast<Value>(below(3)); }
  std::string variable() { return std::string(1, "xyz"[below(3)]); }

  std::mt19937_64 random_;
  TinyProgram tiny_;
};

TEST_P(ValueAgreement, OnRelays) {
  constexpr std::uint64_t kPrograms = 20;
  for (std::uint64_t seed = GetParam(); seed < GetParam() + kPrograms; ++seed)
    for (const Model model : kModels)
      ASSERT_EQ(value_disagreement(Relays(seed).program(), model), "")
          << "seed " << seed << ", " << name(model);
}

// What is visited does not depend on the heuristics.
TEST(ValueAgreement, WithoutHeuristics) {
  for (std::uint64_t seed = 2'000'200; seed < 2'000'220; ++seed) {
    const Program program = build(smc_genome(seed));
    for (const Model model : kModels) {
      EXPECT_EQ(value_disagreement(program, model, nullptr, {.greedy = false}), "") << seed;
      EXPECT_EQ(value_disagreement(program, model, nullptr, {.closure = false}), "") << seed;
      EXPECT_EQ(value_disagreement(program, model, nullptr, {.guidance = false}), "") << seed;
      EXPECT_EQ(value_disagreement(program, model, nullptr, {.signals = false}), "") << seed;
      EXPECT_EQ(value_disagreement(program, model, nullptr, {.relaxations = false}), "") << seed;
    }
  }
}

// Programs on which the engine was once wrong.

void expect_agreement(const Program& program) {
  for (const Model model : kModels) EXPECT_EQ(value_disagreement(program, model), "") << name(model);
}

// Closure: the own store is after the load that reads it from the buffer, and still what it reads.
TEST(ValueAgreementRegression, ReadsFromItsBufferBeforeTheStoreIsInMemory) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "x").load("r", "y");
  tiny.thread("Q").store("y", 1).compare_exchange("r", "x", 0, 0);
  expect_agreement(tiny.program());
}

// Signals: the update of Q is enabled only after a choice.
TEST(ValueAgreementRegression, UpdateAfterAChoice) {
  TinyProgram tiny({"x"});
  tiny.thread("P").exchange("r", "x", 2);
  TinyThread choosing = tiny.thread("Q");
  choosing.load("r", "x").choose("r", 0, 1);
  choosing.add({.op = Opcode::kRmw,
                .rmw = RmwOp::kCompareExchange,
                .result = choosing.reg("r"),
                .a = tiny.program().constant(0),
                .b = tiny.program().constant(0),
                .c = choosing.value("r")});
  expect_agreement(tiny.program());
}

// Signals: Q writes x only if its block comes before P's store, and then P's load cannot come before Q.
TEST(ValueAgreementRegression, BlockWritesOnlyWhereTheReadCannotComeFirst) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("y", 1).load("r", "x");
  tiny.thread("Q").atomic_begin().load("r", "y").assume_equal("r", 0).store("x", 5).atomic_end();
  expect_agreement(tiny.program());
}

// Signals: when R's read of y must be from something newer, nothing complete comes of P's reading x = 0. But
// that Q still writes x there means that P has to wait for Q, too.
TEST(ValueAgreementRegression, SignalWhereNothingCanBeComplete) {
  TinyProgram tiny({"x", "y", "z"});
  tiny.thread("R").load("r", "y");
  tiny.thread("P").load("r", "x").assume_equal("r", 1).store("y", 1);
  tiny.thread("Q").load("r", "z").store("x", 1);
  expect_agreement(tiny.program());
}

// The witness ends with the first of two failures.
TEST(ValueAgreementRegression, TwoThreadsFail) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").assert_equal("r", 1);
  tiny.thread("Q").load("r", "x").assert_equal("r", 1);
  expect_agreement(tiny.program());
}

}  // namespace weir::test::value_agreement_test
