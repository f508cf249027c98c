// The axiomatic search for array systems: litmus tests whose answers are known, systems with loops on which
// it must end, and generated ones on which the schedule-based search and the reference machine must say the
// same.
#include "engine/array/axiomatic/axiomatic.hpp"

#include <gtest/gtest.h>
#include <optional>

#include "base/module.hpp"
#include "check/array/explore.hpp"
#include "program/array/validate.hpp"
#include "selfcheck/agreement/axiomatic_agreement.hpp"
#include "selfcheck/random/array_builder.hpp"
#include "support/array_text.hpp"

namespace weir::test::array_axiomatic_test {

using namespace selfcheck;
using namespace weir::array;

// A system of processes that walk through numbered places. Each litmus test is a few walks from place 0, one
// per process, and a cube about where they end.
class Litmus {
 public:
  explicit Litmus(std::uint32_t places = 12) {
    std::vector<std::string> names;
    for (std::uint32_t place = 0; place < places; ++place) names.push_back("L" + std::to_string(place));
    system = empty_array_system("litmus");
    places_ = add_enumeration(system, "place", names);
    pc_ = add_symbol(system, "PC", places_, 1);
    start_ = {at(bound(0), 0)};
  }

  SymbolId weak_variable(const std::string& name) { return weak_symbol(name, 0); }
  SymbolId weak_array(const std::string& name) { return weak_symbol(name, 1); }
  SymbolId ordinary_variable(const std::string& name) {
    const SymbolId symbol = add_symbol(system, name, kIntegerSort);
    start_.push_back(equal(ArrayTerms(system).cell(symbol), number_term(0)));
    return symbol;
  }

  Term cell(SymbolId symbol, std::vector<Process> arguments = {}) const {
    return ArrayTerms(system).cell(symbol, std::move(arguments));
  }
  Formula reads(SymbolId symbol, std::int64_t value) const { return equal(cell(symbol), number_term(value)); }
  Update write(SymbolId symbol, std::int64_t value) const {
    return becomes(cell(symbol), number_term(value));
  }
  Formula at(Process process, std::uint32_t place) const {
    return equal(ArrayTerms(system).cell(pc_, {process}), constructor_term(places_, place));
  }
  // The performing process is #number.
  static Formula is(std::uint32_t number) {
    return equal(process_term(bound(0)), process_term(constant_process(number)));
  }
  Formula sees(std::uint32_t viewer, SymbolId symbol, std::int64_t value) const {
    return equal(ArrayTerms(system).view(bound(viewer), symbol), number_term(value));
  }

  // The performing process goes from a place to another if the conditions hold.
  void step(std::uint32_t from, std::uint32_t to, std::vector<Formula> conditions,
            std::vector<Update> updates, std::uint32_t parameters = 1) {
    conditions.insert(conditions.begin(), at(bound(0), from));
    updates.insert(updates.begin(),
                   becomes(ArrayTerms(system).cell(pc_, {bound(0)}), constructor_term(places_, to)));
    system.transitions.push_back(transition("t" + std::to_string(system.transitions.size()), parameters, 0,
                                            all_of(std::move(conditions)), std::move(updates)));
  }

  void unsafe(std::uint32_t parameters, std::vector<Formula> literals) {
    system.unsafe.push_back(cube(parameters, std::move(literals)));
  }

  ArraySystem system;
  std::vector<Formula> start_;

 private:
  SymbolId weak_symbol(const std::string& name, std::uint32_t dimensions) {
    const SymbolId symbol = add_symbol(system, name, kIntegerSort, dimensions, true);
    start_.push_back(
        equal(ArrayTerms(system).cell(symbol, std::vector<Process>(dimensions, bound(0))), number_term(0)));
    return symbol;
  }

  SortId places_;
  SymbolId pc_;
};

// The answer, which the reference machine must confirm with `processes` processes.
SearchOutcome answer(Litmus litmus, std::uint32_t processes) {
  litmus.system.initial = initially(1, litmus.start_);
  EXPECT_EQ(problem(litmus.system), "");
  const Vocabulary vocabulary(litmus.system);
  Context context;
  const SearchResult result = search_axiomatic(vocabulary, context);
  EXPECT_FALSE(result.approximate);
  const ArrayExploration explored = explore(litmus.system, processes);
  EXPECT_EQ(explored.verdict == ArrayVerdict::kUnsafe, result.outcome == SearchOutcome::kUnsafe)
      << array_text(litmus.system) << result.reason;
  return result.outcome;
}

class ArrayAxiomatic : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef WEIR_HAS_Z3
    ASSERT_TRUE(module_function("libweir_z3.so", "weir_make_axiomatic_solver").ok());
#else
    GTEST_SKIP() << "built without Z3";
#endif
  }
};

enum class Between : std::uint8_t { kNothing, kFence };

// Two processes write a variable each and then read the other's.
Litmus store_buffering(Between one, Between other) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
  const auto conditions = [&](SymbolId read, Between between) {
    std::vector<Formula> all = {litmus.reads(read, 0)};
    if (between == Between::kFence) all.push_back(fence());
    return all;
  };
  litmus.step(0, 1, {}, {litmus.write(x, 1)});
  litmus.step(1, 2, conditions(y, one), {});
  litmus.step(0, 3, {}, {litmus.write(y, 1)});
  litmus.step(3, 4, conditions(x, other), {});
  litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 4)});
  return litmus;
}

TEST_F(ArrayAxiomatic, StoreBufferingNeedsBothFences) {
  EXPECT_EQ(answer(store_buffering(Between::kNothing, Between::kNothing), 2), SearchOutcome::kUnsafe);
  EXPECT_EQ(answer(store_buffering(Between::kFence, Between::kNothing), 2), SearchOutcome::kUnsafe);
  EXPECT_EQ(answer(store_buffering(Between::kNothing, Between::kFence), 2), SearchOutcome::kUnsafe);
  EXPECT_EQ(answer(store_buffering(Between::kFence, Between::kFence), 2), SearchOutcome::kSafe);
}

TEST_F(ArrayAxiomatic, AFenceMayBeATransitionOfItsOwn) {
  for (const bool fenced : {true, false}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
    const std::vector<Formula> wait = fenced ? std::vector{fence()} : std::vector<Formula>{};
    litmus.step(0, 1, {}, {litmus.write(x, 1)});
    litmus.step(1, 2, wait, {});
    litmus.step(2, 3, {litmus.reads(y, 0)}, {});
    litmus.step(0, 4, {}, {litmus.write(y, 1)});
    litmus.step(4, 5, wait, {});
    litmus.step(5, 6, {litmus.reads(x, 0)}, {});
    litmus.unsafe(2, {litmus.at(bound(0), 3), litmus.at(bound(1), 6)});
    EXPECT_EQ(answer(litmus, 2), fenced ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

// A message and a flag: who sees the flag sees the message, if both sides keep their order, as they do.
TEST_F(ArrayAxiomatic, MessagesArriveBeforeTheirFlags) {
  for (const bool flag_first : {false, true}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
    litmus.step(0, 1, {}, {litmus.write(flag_first ? y : x, 1)});
    litmus.step(1, 2, {}, {litmus.write(flag_first ? x : y, 1)});
    litmus.step(0, 3, {litmus.reads(y, 1)}, {});
    litmus.step(3, 4, {litmus.reads(x, 0)}, {});
    litmus.unsafe(1, {litmus.at(bound(0), 4)});
    EXPECT_EQ(answer(litmus, 2), flag_first ? SearchOutcome::kUnsafe : SearchOutcome::kSafe);
  }
}

TEST_F(ArrayAxiomatic, LoadsAreNotDelayedBehindStores) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
  litmus.step(0, 1, {litmus.reads(x, 1)}, {});
  litmus.step(1, 2, {}, {litmus.write(y, 1)});
  litmus.step(0, 3, {litmus.reads(y, 1)}, {});
  litmus.step(3, 4, {}, {litmus.write(x, 1)});
  litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 4)});
  EXPECT_EQ(answer(litmus, 3), SearchOutcome::kSafe);
}

// Two writers of one variable, and two readers that see the values in the same or in opposite orders.
TEST_F(ArrayAxiomatic, ReadersAgreeOnTheOrderOfWrites) {
  for (const bool opposite : {true, false}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X");
    litmus.step(0, 1, {Litmus::is(1)}, {litmus.write(x, 1)});
    litmus.step(0, 2, {Litmus::is(2)}, {litmus.write(x, 2)});
    litmus.step(0, 3, {litmus.reads(x, 1)}, {});
    litmus.step(3, 4, {litmus.reads(x, 2)}, {});
    litmus.step(0, 5, {litmus.reads(x, opposite ? 2 : 1)}, {});
    litmus.step(5, 6, {litmus.reads(x, opposite ? 1 : 2)}, {});
    litmus.unsafe(2, {litmus.at(bound(0), 4), litmus.at(bound(1), 6)});
    EXPECT_EQ(answer(litmus, 4), opposite ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

TEST_F(ArrayAxiomatic, AProcessSeesItsOwnWritesAtOnceAndInOrder) {
  for (const std::int64_t seen : {0, 1, 2}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X");
    litmus.step(0, 1, {Litmus::is(1)}, {litmus.write(x, 1)});
    litmus.step(1, 2, {}, {litmus.write(x, 2)});
    litmus.step(2, 3, {litmus.reads(x, seen)}, {});
    litmus.unsafe(1, {litmus.at(bound(0), 3)});
    EXPECT_EQ(answer(litmus, 2), seen == 2 ? SearchOutcome::kUnsafe : SearchOutcome::kSafe) << seen;
  }
}

// Each of two processes writes and then reads what the other one wrote. One may; both would need both orders
// of coherence. Here coherence need not follow the order in which a backward search meets the writes.
TEST_F(ArrayAxiomatic, TwoWritesCannotOverwriteEachOther) {
  for (const bool both : {true, false}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X");
    litmus.step(0, 1, {Litmus::is(1)}, {litmus.write(x, 1)});
    litmus.step(1, 2, {litmus.reads(x, 2)}, {});
    litmus.step(0, 3, {Litmus::is(2)}, {litmus.write(x, 2)});
    litmus.step(3, 4, {litmus.reads(x, both ? 1 : 2)}, {});
    litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 4)});
    EXPECT_EQ(answer(litmus, 2), both ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

TEST_F(ArrayAxiomatic, ReadModifyWritesExcludeEachOther) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X");
  litmus.step(0, 1, {litmus.reads(x, 0)}, {litmus.write(x, 1)});
  litmus.unsafe(2, {litmus.at(bound(0), 1), litmus.at(bound(1), 1)});
  EXPECT_EQ(answer(litmus, 3), SearchOutcome::kSafe);
}

TEST_F(ArrayAxiomatic, AReadFollowedByAWriteIsNotAtomic) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X");
  litmus.step(0, 1, {litmus.reads(x, 0)}, {});
  litmus.step(1, 2, {}, {litmus.write(x, 1)});
  litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 2)});
  EXPECT_EQ(answer(litmus, 2), SearchOutcome::kUnsafe);
}

// Store buffering with an update of a third variable between write and read: the buffer is empty then.
TEST_F(ArrayAxiomatic, AReadModifyWriteIsAFence) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y"), z = litmus.weak_variable("Z");
  const auto walk = [&](std::uint32_t place, SymbolId own, SymbolId other) {
    litmus.step(0, place, {}, {litmus.write(own, 1)});
    litmus.step(place, place + 1, {}, {becomes(litmus.cell(z), plus(litmus.cell(z), 1))});
    litmus.step(place + 1, place + 2, {litmus.reads(other, 0)}, {});
  };
  walk(1, x, y);
  walk(4, y, x);
  litmus.unsafe(2, {litmus.at(bound(0), 3), litmus.at(bound(1), 6)});
  EXPECT_EQ(answer(litmus, 2), SearchOutcome::kSafe);
}

TEST_F(ArrayAxiomatic, WritesOfOneTransitionReachMemoryTogether) {
  for (const bool together : {true, false}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
    if (together) {
      litmus.step(0, 1, {}, {litmus.write(x, 1), litmus.write(y, 1)});
    } else {
      litmus.step(0, 1, {}, {litmus.write(x, 1)});
      litmus.step(1, 2, {}, {litmus.write(y, 1)});
    }
    litmus.step(0, 3, {litmus.reads(x, 1), litmus.reads(y, 0)}, {});
    litmus.unsafe(1, {litmus.at(bound(0), 3)});
    EXPECT_EQ(answer(litmus, 2), together ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

// Independent reads of independent writes: two observers see two writes in different orders.
TEST_F(ArrayAxiomatic, ObserversSeeWritesInOneOrder) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X"), y = litmus.weak_variable("Y");
  litmus.step(0, 1, {}, {litmus.write(x, 1)});
  litmus.step(0, 2, {}, {litmus.write(y, 1)});
  litmus.step(0, 3, {litmus.reads(x, 1)}, {});
  litmus.step(3, 4, {litmus.reads(y, 0)}, {});
  litmus.step(0, 5, {litmus.reads(y, 1)}, {});
  litmus.step(5, 6, {litmus.reads(x, 0)}, {});
  litmus.unsafe(2, {litmus.at(bound(0), 4), litmus.at(bound(1), 6)});
  EXPECT_EQ(answer(litmus, 4), SearchOutcome::kSafe);
}

// Views are taken at one instant: two processes may see different values of one variable only if one of them
// has written it; and not two values in turns.
TEST_F(ArrayAxiomatic, ViewsAreTakenAtOneInstant) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X");
  litmus.step(0, 1, {}, {litmus.write(x, 1)});
  Litmus writer_sees = litmus, others_differ = litmus, after_fence = litmus;
  writer_sees.unsafe(2, {litmus.at(bound(0), 1), litmus.sees(0, x, 1), litmus.sees(1, x, 0)});
  EXPECT_EQ(answer(writer_sees, 2), SearchOutcome::kUnsafe);
  others_differ.unsafe(
      2, {litmus.at(bound(0), 0), litmus.at(bound(1), 0), litmus.sees(0, x, 1), litmus.sees(1, x, 0)});
  EXPECT_EQ(answer(others_differ, 3), SearchOutcome::kSafe);
  after_fence.step(1, 2, {fence()}, {});
  after_fence.unsafe(2, {litmus.at(bound(0), 2), litmus.sees(1, x, 0)});
  EXPECT_EQ(answer(after_fence, 2), SearchOutcome::kSafe);
}

TEST_F(ArrayAxiomatic, ViewsComeAfterAllReads) {
  for (const bool wrote : {false, true}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X");
    litmus.step(0, 1, {}, {litmus.write(x, 1)});
    litmus.step(0, 2, {litmus.reads(x, 1)}, {});
    litmus.step(1, 3, {litmus.reads(x, 1)}, {});  // may be its own write, not yet in memory
    litmus.unsafe(2, {litmus.at(bound(0), wrote ? 3 : 2), litmus.sees(1, x, 0)});
    EXPECT_EQ(answer(litmus, 3), wrote ? SearchOutcome::kUnsafe : SearchOutcome::kSafe);
  }
}

// Store buffering in which the second process says through ordinary memory that it has read before the first
// one wrote: order of issue, which a fence of the first one alone turns into an order of memory.
TEST_F(ArrayAxiomatic, SharedOrdinaryVariablesOrderTheIssue) {
  for (const bool told : {true, false}) {
    Litmus litmus;
    const SymbolId x = litmus.weak_variable("X"), s = litmus.ordinary_variable("S");
    litmus.step(0, 1, {}, {litmus.write(x, 1)});
    litmus.step(1, 2, {fence()}, told ? std::vector{litmus.write(s, 1)} : std::vector<Update>{});
    litmus.step(0, 3, told ? std::vector{litmus.reads(s, 1)} : std::vector<Formula>{}, {});
    litmus.step(3, 4, {litmus.reads(x, 0)}, {});
    litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 4)});
    EXPECT_EQ(answer(litmus, 2), told ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

// Without the fence the message in ordinary memory overtakes the buffered write.
TEST_F(ArrayAxiomatic, OrdinaryMemoryOvertakesBuffers) {
  Litmus litmus;
  const SymbolId x = litmus.weak_variable("X"), s = litmus.ordinary_variable("S");
  litmus.step(0, 1, {}, {litmus.write(x, 1), litmus.write(s, 1)});
  litmus.step(0, 2, {litmus.reads(s, 1), litmus.reads(x, 0)}, {});
  litmus.unsafe(1, {litmus.at(bound(0), 2)});
  EXPECT_EQ(answer(litmus, 2), SearchOutcome::kUnsafe);
}

// An update of a whole array writes the cells of processes that nothing has named yet. Process 0 clears all
// cells, and process 1 still finds its third process's cell as it was at the beginning, although each fences.
TEST_F(ArrayAxiomatic, WholeArrayUpdatesWriteTheCellsOfAllProcesses) {
  for (const bool everybody : {true, false}) {
    Litmus litmus;
    const SymbolId a = litmus.weak_array("A"), y = litmus.weak_variable("Y");
    const Formula condition = everybody ? truth() : equal(process_term(bound(1)), process_term(bound(0)));
    litmus.step(0, 1, {},
                {everywhere(a, {1}, {{condition, number_term(1)}, {truth(), litmus.cell(a, {bound(1)})}})});
    litmus.step(1, 2, {fence(), litmus.reads(y, 0)}, {});
    litmus.step(0, 3, {}, {litmus.write(y, 1)});
    litmus.step(3, 4, {fence(), equal(litmus.cell(a, {bound(1)}), number_term(0))}, {}, 2);
    litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 4)});
    EXPECT_EQ(answer(litmus, 3), everybody ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

// Mutual exclusion by flags, with a loop in which processes write again and again: the search must end.
TEST_F(ArrayAxiomatic, FlagsWithFencesExclude) {
  for (const bool fenced : {true, false}) {
    Litmus litmus(3);
    const SymbolId flag = litmus.weak_array("Flag");
    const Term own = litmus.cell(flag, {bound(0)});
    std::vector<Formula> others_down = {
        for_all(1, {bound(0)}, equal(litmus.cell(flag, {bound(1)}), number_term(0)))};
    if (fenced) others_down.push_back(fence());
    litmus.step(0, 1, {}, {becomes(own, number_term(1))});
    litmus.step(1, 2, others_down, {});
    litmus.step(2, 0, {}, {becomes(own, number_term(0))});
    litmus.unsafe(2, {litmus.at(bound(0), 2), litmus.at(bound(1), 2)});
    EXPECT_EQ(answer(litmus, 2), fenced ? SearchOutcome::kSafe : SearchOutcome::kUnsafe);
  }
}

// X becomes any process, among them one that nothing names. Both searches must think of it: the
// schedule-based one once split such a choice over the first process named only.
TEST_F(ArrayAxiomatic, AnyProcessMayBeOneThatIsNotNamed) {
  Litmus litmus;
  const SymbolId r = add_symbol(litmus.system, "R", kProcessSort, 1);
  const SymbolId x = add_symbol(litmus.system, "X", kProcessSort);
  litmus.start_.push_back(equal(litmus.cell(r, {bound(0)}), process_term(bound(0))));
  litmus.step(0, 1, {}, {becomes_anything(litmus.cell(x))});
  litmus.unsafe(1, {litmus.at(bound(0), 1), different(litmus.cell(x), litmus.cell(r, {bound(0)}))});
  EXPECT_EQ(answer(litmus, 2), SearchOutcome::kUnsafe);
  litmus.system.initial = initially(1, litmus.start_);
  const Vocabulary vocabulary(litmus.system);
  Context context;
  EXPECT_EQ(search_backward(vocabulary, {}, context).outcome, SearchOutcome::kUnsafe);
}

TEST_F(ArrayAxiomatic, StopsWhenToldTo) {
  Litmus litmus = store_buffering(Between::kFence, Between::kFence);
  litmus.system.initial = initially(1, litmus.start_);
  const Vocabulary vocabulary(litmus.system);
  Context context;
  context.request_stop(StopReason::kInterrupt);
  const SearchResult result = search_axiomatic(vocabulary, context);
  EXPECT_EQ(result.outcome, SearchOutcome::kGaveUp);
  EXPECT_EQ(result.reason, describe(StopReason::kInterrupt));
}

TEST_F(ArrayAxiomatic, AgreesWithTheOtherSearchAndTheMachine) {
  AxiomaticComparisons made;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const ArraySystem system = axiomatic_system(seed);
    EXPECT_EQ(axiomatic_disagreement(system, made), "") << "seed " << seed << '\n' << array_text(system);
  }
  // Neither answer is rare, and few systems are beyond the search.
  EXPECT_GT(made.safe, 30u);
  EXPECT_GT(made.unsafe, 30u);
  EXPECT_GT(made.compared, 60u);
  EXPECT_GT(made.confirmed, 30u);
}

}  // namespace weir::test::array_axiomatic_test
