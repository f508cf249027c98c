// The value-based classes by brute force: the figures of [Toman21] with their numbers, and which equivalence
// is coarser than which. value_classes_literal_test.cpp has the definitions once more.
#include "selfcheck/brute_force/value_classes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/brute_force/execution_classes.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::value_classes_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
constexpr ExecutionLimits kSmall{.states = 5'000, .steps = 150};
constexpr ThreadId kFirst(0);

// Figures.

struct Counts {
  std::size_t reads_value_from = 0, value_centric = 0, data_centric = 0, reads_from = 0, mazurkiewicz = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& counts) {
    return out << "rvf " << counts.reads_value_from << ", vc " << counts.value_centric << ", dc "
               << counts.data_centric << ", rf " << counts.reads_from << ", mazurkiewicz "
               << counts.mazurkiewicz;
  }
};

Counts count(const Program& program, ThreadId root = kFirst) {
  const ValueClasses by_value = value_classes(program, Model::kSc, root);
  const ExecutionClasses others = execution_classes(program, Model::kSc);
  EXPECT_FALSE(by_value.too_large || others.too_large);
  EXPECT_TRUE(by_value.blocked.values.empty());
  return {.reads_value_from = by_value.proper.reads_value_from.size(),
          .value_centric = by_value.proper.value_centric.size(),
          .data_centric = by_value.proper.data_centric.size(),
          .reads_from = others.proper.reads_from.size(),
          .mazurkiewicz = others.proper.mazurkiewicz.size()};
}

std::size_t count_reads_value_from(const Program& program, Model model) {
  const ValueClasses classes = value_classes(program, model, kFirst);
  EXPECT_FALSE(classes.too_large);
  return classes.proper.reads_value_from.size();
}

Program figure_4_1() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).store("y", 1);
  tiny.thread("Q").store("x", 1).store("y", 1).load("r", "x");
  tiny.thread("R").store("x", 1).store("y", 1).load("r", "y");
  return tiny.program();
}

// The text around Figure 4.6: w1, w3 and w2, w4 write the same, and only a trace in which r2 has read has w5.
Program figure_4_6() {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r1", "x").store("y", 1);
  tiny.thread("Q").store("x", 1).store("y", 1).load("r2", "y").store("x", 2);
  return tiny.program();
}

TEST(ValueClasses, Figure4_1) {
  EXPECT_EQ(count(figure_4_1(), ThreadId(0)), (Counts{1, 7, 28, 9, 98}));
  EXPECT_EQ(count(figure_4_1(), ThreadId(1)), (Counts{1, 12, 31, 9, 98}));
  EXPECT_EQ(count(figure_4_1(), ThreadId(2)), (Counts{1, 10, 30, 9, 98}));
}

// With the other thread as the root, it matters whether the root reads its own 1 or the other one.
TEST(ValueClasses, Figure3_1) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1);
  tiny.thread("Q").store("x", 2).store("x", 1).load("r", "x");
  EXPECT_EQ(count(tiny.program(), ThreadId(0)), (Counts{1, 1, 2, 2, 4}));
  EXPECT_EQ(count(tiny.program(), ThreadId(1)), (Counts{1, 2, 2, 2, 4}));
}

constexpr const char* kNames[] = {"x", "y", "z"};

TEST(ValueClasses, Figure3_2a) {
  constexpr std::size_t kOrders[] = {2, 6, 20};  // 2n over n
  for (int n = 1; n <= 3; ++n) {
    TinyProgram tiny({"x"});
    TinyThread writer = tiny.thread("P"), reader = tiny.thread("Q");
    for (int i = 0; i < n; ++i) writer.store("x", 0), reader.load("r", "x");
    const std::size_t orders = kOrders[n - 1];
    EXPECT_EQ(count(tiny.program()), (Counts{1, 1, orders, orders, orders})) << n;
  }
}

TEST(ValueClasses, Figure3_2b) {
  constexpr std::size_t kOrders[] = {3, 9, 27};
  for (int n = 1; n <= 3; ++n) {
    TinyProgram tiny({"x", "y", "z"});
    TinyThread writer = tiny.thread("P"), reader = tiny.thread("Q");
    for (int i = 0; i < n; ++i) writer.store(kNames[i], 0).store(kNames[i], 0), reader.load("r", kNames[i]);
    const std::size_t orders = kOrders[n - 1];
    EXPECT_EQ(count(tiny.program()), (Counts{1, 1, orders, orders, orders})) << n;
  }
}

// n writes in the first and last thread, n writes with a read after each in the other one.
Program figure_4_4ab(int n, bool many_variables) {
  TinyProgram tiny({"x", "y", "z"});
  TinyThread first = tiny.thread("P"), reader = tiny.thread("Q"), last = tiny.thread("R");
  for (int i = 0; i < n; ++i) {
    const char* variable = kNames[many_variables ? i : 0];
    first.store(variable, 1);
    reader.store(variable, 1).load("r", variable);
    last.store(variable, 1);
  }
  return tiny.program();
}

TEST(ValueClasses, Figure4_4a) {
  EXPECT_EQ(count(figure_4_4ab(1, false)), (Counts{1, 3, 6, 3, 12}));
  EXPECT_EQ(count(figure_4_4ab(2, false)), (Counts{1, 15, 90, 19, 420}));
}

TEST(ValueClasses, Figure4_4b) {
  EXPECT_EQ(count(figure_4_4ab(1, true)), (Counts{1, 3, 6, 3, 12}));
  EXPECT_EQ(count(figure_4_4ab(2, true)), (Counts{1, 9, 36, 9, 144}));
}

Program figure_4_4c(int threads) {
  TinyProgram tiny({"x"});
  for (int i = 0; i < threads; ++i) tiny.thread("T" + std::to_string(i)).store("x", 1).load("r", "x");
  return tiny.program();
}

TEST(ValueClasses, Figure4_4c) {
  EXPECT_EQ(count(figure_4_4c(1)), (Counts{1, 1, 1, 1, 1}));
  EXPECT_EQ(count(figure_4_4c(2)), (Counts{1, 2, 3, 3, 4}));
  EXPECT_EQ(count(figure_4_4c(3)), (Counts{1, 8, 24, 16, 36}));
}

// The thesis speaks of two maximal traces. In the class that RVF-SMC leaves out, the same values are read as
// in one of the others, but the causal order is another.
TEST(ValueClasses, Figure4_6) {
  EXPECT_EQ(count(figure_4_6(), ThreadId(0)), (Counts{3, 5, 5, 5, 12}));
  EXPECT_EQ(count(figure_4_6(), ThreadId(1)), (Counts{3, 3, 5, 5, 12}));
  EXPECT_EQ(value_classes(figure_4_6(), Model::kSc, kFirst).proper.values.size(), 2u);
}

Program writers_and_reader(int writers, bool distinct) {
  TinyProgram tiny({"x"});
  for (int i = 1; i <= writers; ++i) tiny.thread("W" + std::to_string(i)).store("x", distinct ? i : 0);
  tiny.thread("R").load("r", "x");
  return tiny.program();
}

TEST(ValueClasses, WritersAndReader) {
  for (const Model model : kModels)
    for (int writers = 1; writers <= 4; ++writers) {
      EXPECT_EQ(count_reads_value_from(writers_and_reader(writers, false), model), 1u) << name(model);
      EXPECT_EQ(count_reads_value_from(writers_and_reader(writers, true), model), writers + 1u)
          << name(model);
    }
}

// Weak memory.

TEST(ValueClasses, FiguresUnderEveryModel) {
  for (const Model model : kModels) {
    EXPECT_EQ(count_reads_value_from(figure_4_1(), model), 1u) << name(model);
    EXPECT_EQ(count_reads_value_from(figure_4_4ab(2, false), model), 1u) << name(model);
    EXPECT_EQ(count_reads_value_from(figure_4_4ab(2, true), model), 1u) << name(model);
    EXPECT_EQ(count_reads_value_from(figure_4_4c(3), model), 1u) << name(model);
    EXPECT_EQ(count_reads_value_from(figure_4_6(), model), 3u) << name(model);
  }
}

TEST(ValueClasses, StoreBuffering) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").store("x", 1).load("r", "y");
  tiny.thread("Q").store("y", 1).load("r", "x");
  EXPECT_EQ(count_reads_value_from(tiny.program(), Model::kSc), 3u);
  EXPECT_EQ(count_reads_value_from(tiny.program(), Model::kTso), 4u);
  EXPECT_EQ(count_reads_value_from(tiny.program(), Model::kPso), 4u);
}

// Reading 1 from the own buffer or from Q is the same; so is, to R's read, what Q and P wrote.
TEST(ValueClasses, ForwardedValuesAreValues) {
  TinyProgram tiny({"x"});
  tiny.thread("P").store("x", 1).load("r", "x");
  tiny.thread("Q").store("x", 1);
  for (const Model model : kModels)
    EXPECT_EQ(count_reads_value_from(tiny.program(), model), 1u) << name(model);
}

// Q's second read comes causally after P's read if it reads P's second write, and not if it reads R's.
TEST(ValueClasses, CausalOrderTellsEqualValuesApart) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store("y", 1);
  tiny.thread("Q").load("r", "y");
  tiny.thread("R").store("y", 1);
  for (const Model model : kModels)
    EXPECT_EQ(count_reads_value_from(tiny.program(), model), 3u) << name(model);
  EXPECT_EQ(value_classes(tiny.program(), Model::kSc, kFirst).proper.values.size(), 2u);
}

// A load that goes on once the variable, which has this address, is not 0.
void await(TinyProgram& tiny, TinyThread& thread, Value address) {
  thread.add({.op = Opcode::kLoad,
              .waits = true,
              .result = thread.reg("r"),
              .a = tiny.program().constant(address),
              .c = tiny.program().constant(0)});
}

// P creates Q and R, which wait for that. If Q reads R's 1 and not its own one, R's waiting load is causally
// before that read; but nothing else than P's write can end the waiting.
TEST(ValueClasses, OpenReads) {
  TinyProgram tiny({"x", "go"});
  tiny.thread("P").store("go", 1);
  TinyThread reader = tiny.thread("Q"), writer = tiny.thread("R");
  await(tiny, reader, 1);
  await(tiny, writer, 1);
  reader.store("x", 1).load("r", "x");
  writer.store("x", 1);
  for (const Model model : kModels) {
    const ValueClasses classes = value_classes(tiny.program(), model, kFirst);
    EXPECT_EQ(classes.proper.reads_value_from.size(), 2u) << name(model);
    EXPECT_EQ(classes.proper.open_reads_value_from.size(), 1u) << name(model);
  }
  const ValueClasses classes = value_classes(tiny.program(), Model::kSc, ThreadId(2));
  EXPECT_EQ(classes.proper.value_centric.size(), 2u);
  EXPECT_EQ(classes.proper.open_value_centric.size(), 1u);
}

// Updates, blocks, locks, what blocks and what fails.

// Each of the two orders gives the reads their values; there is no third way.
TEST(ValueClasses, UpdatesAreReadsAndWrites) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q"}) tiny.thread(name).fetch_add("r", "x", 1);
  EXPECT_EQ(count(tiny.program()), (Counts{2, 2, 2, 2, 2}));
}

// All values are equal, but the update that reads from the other one is causally behind it.
TEST(ValueClasses, UpdatesThatChangeNothing) {
  TinyProgram tiny({"x"});
  for (const char* name : {"P", "Q"}) tiny.thread(name).fetch_add("r", "x", 0);
  EXPECT_EQ(count(tiny.program()), (Counts{2, 2, 2, 2, 2}));
  EXPECT_EQ(value_classes(tiny.program(), Model::kSc, kFirst).proper.values.size(), 1u);
}

TEST(ValueClasses, LocksOrderNothing) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").lock().load("r", "x").unlock();
  tiny.thread("Q").lock().load("r", "y").unlock();
  EXPECT_EQ(count(tiny.program()), (Counts{1, 1, 1, 1, 1}));
}

// The block's two reads are steps of their own: only the second is behind P's read.
TEST(ValueClasses, StepsOfABlock) {
  TinyProgram tiny({"x", "y"});
  tiny.thread("P").load("r", "x").store("y", 0);
  tiny.thread("Q").atomic_begin().load("r", "x").load("s", "y").atomic_end();
  const ValueClasses classes = value_classes(tiny.program(), Model::kSc, kFirst);
  EXPECT_EQ(classes.proper.values.size(), 1u);
  ASSERT_EQ(classes.proper.reads_value_from.size(), 2u);
  EXPECT_EQ(*classes.proper.reads_value_from.begin(),
            "0: R[0]=0 W[1]:=0\n1: R[0]=0 R[1]=0\ncausally:\n0.0 before 1.1\n1.0 before 1.1\n");
}

TEST(ValueClasses, BlockedAndFailingOnes) {
  TinyProgram tiny({"x"});
  tiny.thread("P").load("r", "x").assume_equal("r", 0);
  tiny.thread("Q").store("x", 1);
  tiny.thread("R").store("x", 1);
  tiny.thread("S").load("r", "x").assert_equal("r", 1);
  const ValueClasses classes = value_classes(tiny.program(), Model::kSc, kFirst);
  EXPECT_EQ(classes.proper.reads_value_from.size(), 2u);  // S reads 0 or 1
  EXPECT_EQ(classes.blocked.reads_value_from.size(), 2u);
  EXPECT_EQ(classes.failing.reads_value_from.size(), 2u);
}

// Which is coarser than which [Toman21, Figure 4.3], on the same executions.

class Classification {
 public:
  // `coarse` must be the same wherever `fine` is.
  void expect_function(const std::string& relation, const std::string& fine, const std::string& coarse) {
    const auto [place, is_new] = known_.try_emplace({relation, fine}, coarse);
    if (!is_new && place->second != coarse)
      problem_ = relation + " does not hold:\n" + fine + "\n" + coarse + "\nand\n" + place->second;
  }

  const std::string& problem() const { return problem_; }

 private:
  std::map<std::pair<std::string, std::string>, std::string> known_;
  std::string problem_;
};

std::string mazurkiewicz_text(const History& history) {
  std::string text = threads_text(history, /*sources=*/true);
  for (const auto& [address, writes] : history.coherence)
    for (const StepName& write : writes) text += " " + name_text(write);
  return text;
}

void compare_with_root(Classification& classes, const History& history, const OpenReads& open,
                       ThreadId root) {
  const std::string reads_from = threads_text(history, /*sources=*/true);
  const std::string data_centric = data_centric_text(history, root);
  const std::string value_centric = value_centric_text(history, root);
  const std::string suffix = " with root " + std::to_string(root.index());
  classes.expect_function("mazurkiewicz finer than dc" + suffix, mazurkiewicz_text(history), data_centric);
  classes.expect_function("dc finer than rf" + suffix, data_centric, reads_from);
  classes.expect_function("dc finer than vc" + suffix, data_centric, value_centric);
  classes.expect_function("vc finer than rvf" + suffix, value_centric, reads_value_from_text(history));
  const std::string open_value_centric = value_centric_text(history, root, &open);
  classes.expect_function("vc finer than open vc" + suffix, value_centric, open_value_centric);
  classes.expect_function("open vc finer than open rvf" + suffix, open_value_centric,
                          reads_value_from_text(history, &open));
}

// How a thread stands at the end, and how the execution ends.
std::string local_states_text(const Program& program, const MaximalExecution& execution) {
  std::string text = execution.blocked ? "blocked" : "proper";
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    for (const Activation& each : execution.last.threads[thread].stack) {
      text += each.location ? " at " + std::to_string(each.location.index()) : " stopped";
      for (const Value value : each.registers) text += " " + std::to_string(value);
    }
    text += ";";
  }
  return text;
}

TEST(ValueClassesRelations, ReadsFromAndValueCentricAreIncomparable) {
  TinyProgram unread({"x"}), equal({"x"});
  for (const char* name : {"P", "Q", "R"}) unread.thread(name).store("x", 1);
  EXPECT_EQ(count(unread.program()), (Counts{1, 2, 2, 1, 6}));
  equal.thread("P").store("x", 0);
  equal.thread("Q").load("r", "x");
  EXPECT_EQ(count(equal.program()), (Counts{1, 1, 2, 2, 2}));
}

// Empty if the relations hold for all executions of the program. Programs that are too large are skipped.
std::string broken_relation(const Program& program, Model model) {
  const MaximalExecutions executions = maximal_executions(program, model, kSmall);
  if (executions.too_large) return {};
  // Who has the lock is no visible step: who waits for it, if it is never free again, is not in the class.
  const bool keeps_lock = std::ranges::any_of(
      executions.all, [](const MaximalExecution& execution) { return execution.last.lock.has_value(); });
  const OpenReads open(executions);
  Classification classes;
  for (const MaximalExecution& execution : executions.all) {
    const History& history = execution.history;
    const std::string values = values_text(history), reads_value_from = reads_value_from_text(history);
    const std::string open_reads_value_from = reads_value_from_text(history, &open);
    classes.expect_function("rf finer than rvf", threads_text(history, /*sources=*/true), reads_value_from);
    classes.expect_function("rvf finer than open rvf", reads_value_from, open_reads_value_from);
    classes.expect_function("open rvf finer than values", open_reads_value_from, values);
    if (!keeps_lock)
      classes.expect_function("values determine local states", values, local_states_text(program, execution));
    if (model != Model::kSc) continue;
    for (std::size_t root = 0; root < program.threads.size(); ++root)
      compare_with_root(classes, history, open, ThreadId(root));
  }
  return classes.problem();
}

TEST(ValueClassesRelations, OnGeneratedPrograms) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const Model model : kModels) {
      const auto problem_of = [&](const Genome& genome) { return broken_relation(build(genome), model); };
      const Genome genome = smc_genome(seed);
      if (problem_of(genome).empty()) continue;
      const Genome small =
          shrink_failing(genome, [&](const Genome& each) { return !problem_of(each).empty(); });
      ADD_FAILURE() << "seed " << seed << ", " << name(model) << "\n" << describe(small) << problem_of(small);
    }
}

}  // namespace weir::test::value_classes_test
