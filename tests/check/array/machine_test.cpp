// The reference machine for array systems against systems whose behaviour can be told by hand: what weak
// reads see, what is written together, what waits for an empty buffer, what quantifiers and updates mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/array/explore.hpp"
#include "check/array/initial.hpp"
#include "check/array/number.hpp"
#include "check/array/replay.hpp"
#include "selfcheck/random/array_builder.hpp"

namespace weir::test::array_machine_test {

using namespace selfcheck;
using namespace weir::array;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const Process p = bound(0), q = bound(1), j = bound(2);

// A system whose processes walk through locations L0, L1, …, in the array PC.
struct Walkers {
  ArraySystem system = empty_array_system();
  SortId locations;
  SymbolId pc;
  std::vector<Formula> start;  // what init says of p

  explicit Walkers(std::uint32_t count) {
    std::vector<std::string> names;
    for (std::uint32_t number = 0; number < count; ++number) names.push_back("L" + std::to_string(number));
    locations = add_enumeration(system, "location", names);
    pc = add_symbol(system, "PC", locations, 1);
    start = {at(p, 0)};
  }

  ArrayTerms terms() const { return ArrayTerms(system); }
  Term place(std::uint32_t number) const { return constructor_term(locations, number); }
  Formula at(Process process, std::uint32_t number) const {
    return equal(terms().cell(pc, {process}), place(number));
  }
  Formula is(SymbolId symbol, bool value) const {
    return equal(terms().cell(symbol), terms().constructor(value ? "True" : "False"));
  }
  Update sets(SymbolId symbol, bool value) const {
    return becomes(terms().cell(symbol), terms().constructor(value ? "True" : "False"));
  }
  Update goes(std::uint32_t number) const { return becomes(terms().cell(pc, {p}), place(number)); }

  // A Boolean variable that is False at the beginning.
  SymbolId flag(const char* name, bool weak) {
    const SymbolId symbol = add_symbol(system, name, kBooleanSort, 0, weak);
    start.push_back(is(symbol, false));
    return symbol;
  }

  // p, which performs, goes from one location to another if the guard holds, and makes the updates.
  void step(std::uint32_t from, std::uint32_t to, std::vector<Formula> guard, std::vector<Update> updates) {
    guard.insert(guard.begin(), at(p, from));
    updates.push_back(goes(to));
    const std::string name = "t" + std::to_string(system.transitions.size());
    system.transitions.push_back(transition(name, 1, 0, all_of(std::move(guard)), std::move(updates)));
  }

  void never(std::uint32_t one, std::uint32_t other) {
    system.unsafe.push_back(cube(2, {at(p, one), at(q, other)}));
  }

  ArraySystem done() {
    system.initial = initially(1, start);
    return system;
  }
};

ArrayVerdict verdict(const ArraySystem& system, std::uint32_t processes) {
  const ArrayExploration exploration = explore(system, processes);
  if (exploration.run) {
    EXPECT_EQ(replay(system, processes, *exploration.run), std::nullopt);
  }
  return exploration.verdict;
}

std::size_t count_initial(const ArraySystem& system, std::uint32_t processes) {
  std::size_t count = 0;
  const ArrayMachine machine(system, processes);
  for_each_initial(machine, [&](const ArrayState& state) {
    EXPECT_EQ(machine.initial(state), true);
    ++count;
    return true;
  });
  return count;
}

std::vector<ArrayFiring> firings_of(const ArrayRun& run) {
  std::vector<ArrayFiring> firings;
  for (const ArrayStep& step : run.steps)
    if (!step.is_flush()) firings.push_back({*step.transition, step.processes});
  return firings;
}

// Memory.

enum class Between { kNothing, kFence, kUpdate };

// One process sets X and looks at Y, the other sets Y and looks at X; unsafe if both find False.
ArraySystem store_buffering(bool weak, Between between) {
  Walkers walkers(5);
  const SymbolId x = walkers.flag("X", weak), y = walkers.flag("Y", weak);
  std::vector<Formula> look_at_x = {walkers.is(x, false)}, look_at_y = {walkers.is(y, false)};
  if (between == Between::kFence) {
    look_at_x.push_back(fence());
    look_at_y.push_back(fence());
  }
  std::vector<Formula> write_x, write_y;
  if (between == Between::kUpdate) {
    write_x.push_back(any_of({walkers.is(y, false), walkers.is(y, true)}));
    write_y.push_back(any_of({walkers.is(x, false), walkers.is(x, true)}));
  }
  walkers.step(0, 1, write_x, {walkers.sets(x, true)});
  walkers.step(1, 2, look_at_y, {});
  walkers.step(0, 3, write_y, {walkers.sets(y, true)});
  walkers.step(3, 4, look_at_x, {});
  walkers.never(2, 4);
  return walkers.done();
}

TEST(ArrayMachine, WeakWritesAreSeenLate) {
  EXPECT_EQ(verdict(store_buffering(true, Between::kNothing), 2), ArrayVerdict::kUnsafe);
  EXPECT_EQ(verdict(store_buffering(false, Between::kNothing), 2), ArrayVerdict::kExhausted);
}

TEST(ArrayMachine, OneProcessSeesItsOwnWrites) {
  Walkers walkers(3);
  const SymbolId x = walkers.flag("X", true);
  walkers.step(0, 1, {}, {walkers.sets(x, true)});
  walkers.step(1, 2, {walkers.is(x, false)}, {});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 2)})};
  EXPECT_EQ(verdict(walkers.done(), 1), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kExhausted) << "nobody writes False";
}

TEST(ArrayMachine, FencesWaitForAnEmptyBuffer) {
  EXPECT_EQ(verdict(store_buffering(true, Between::kFence), 2), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(store_buffering(true, Between::kFence), 3), ArrayVerdict::kExhausted);
}

TEST(ArrayMachine, ReadingAndWritingTogetherActsOnMemory) {
  EXPECT_EQ(verdict(store_buffering(true, Between::kUpdate), 2), ArrayVerdict::kExhausted);
}

TEST(ArrayMachine, ReadingAndWritingTogetherWaitsForAnEmptyBuffer) {
  Walkers walkers(3);
  const SymbolId x = walkers.flag("X", true), y = walkers.flag("Y", true);
  walkers.step(0, 1, {}, {walkers.sets(x, true)});
  walkers.step(1, 2, {walkers.is(y, false)}, {walkers.sets(y, true)});
  const ArraySystem system = walkers.done();
  const ArrayMachine machine(system, 1);
  std::optional<ArrayState> state;
  for_each_initial(machine, [&](const ArrayState& initial) {
    state = initial;
    return true;
  });
  ArrayState written = machine.firings(*state, {0, {0}}).moves.at(0).after;
  EXPECT_EQ(machine.effect(written, {1, {0}}).outcome, FiringOutcome::kBufferNotEmpty);
  const ArrayState flushed = machine.flush(written, 0).value().after;
  EXPECT_FALSE(machine.flush(flushed, 0));
  const ArrayState updated = machine.firings(flushed, {1, {0}}).moves.at(0).after;
  EXPECT_TRUE(updated.buffers[0].empty());
  EXPECT_EQ(updated.cells[machine.cells().number(y, {})], whole(1));
}

// One process sets X, then Y; another one finds Y set and then X not.
TEST(ArrayMachine, BuffersKeepTheOrder) {
  Walkers walkers(5);
  const SymbolId x = walkers.flag("X", true), y = walkers.flag("Y", true);
  walkers.step(0, 1, {}, {walkers.sets(x, true)});
  walkers.step(1, 2, {}, {walkers.sets(y, true)});
  walkers.step(0, 3, {walkers.is(y, true)}, {});
  walkers.step(3, 4, {walkers.is(x, false)}, {});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 4)})};
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kExhausted);
  walkers.step(0, 1, {}, {});
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kUnsafe) << "Y without X";
}

// Unsafe if a process finds X and Y different, by one transition.
ArraySystem pair_of_flags(bool together) {
  Walkers walkers(4);
  const SymbolId x = walkers.flag("X", true), y = walkers.flag("Y", true);
  if (together) {
    walkers.step(0, 2, {}, {walkers.sets(x, true), walkers.sets(y, true)});
  } else {
    walkers.step(0, 1, {}, {walkers.sets(x, true)});
    walkers.step(1, 2, {}, {walkers.sets(y, true)});
  }
  walkers.step(0, 3, {different(walkers.terms().cell(x), walkers.terms().cell(y))}, {});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 3)})};
  return walkers.done();
}

TEST(ArrayMachine, WritesOfOneTransitionReachMemoryTogether) {
  EXPECT_EQ(verdict(pair_of_flags(true), 2), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(pair_of_flags(false), 2), ArrayVerdict::kUnsafe);
}

// A lock taken by test-and-set, in one transition or in two.
ArraySystem spin_lock(bool atomic) {
  Walkers walkers(3);
  const SymbolId lock = walkers.flag("Lock", true);
  if (atomic) {
    walkers.step(0, 2, {walkers.is(lock, false)}, {walkers.sets(lock, true)});
  } else {
    walkers.step(0, 1, {walkers.is(lock, false)}, {});
    walkers.step(1, 2, {}, {walkers.sets(lock, true)});
  }
  walkers.step(2, 0, {}, {walkers.sets(lock, false)});
  walkers.never(2, 2);
  return walkers.done();
}

TEST(ArrayMachine, TestAndSetExcludes) {
  EXPECT_EQ(verdict(spin_lock(true), 2), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(spin_lock(true), 3), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(spin_lock(false), 2), ArrayVerdict::kUnsafe);
}

TEST(ArrayMachine, ViewsDifferUntilTheWriteArrives) {
  Walkers walkers(3);
  const SymbolId x = walkers.flag("X", true);
  walkers.step(0, 1, {}, {walkers.sets(x, true)});
  walkers.step(1, 2, {fence()}, {});
  const ArrayTerms terms = walkers.terms();
  const auto differ = [&](std::uint32_t location) {
    walkers.system.unsafe = {
        cube(2, {walkers.at(p, location), equal(terms.view(p, x), terms.constructor("True")),
                 equal(terms.view(q, x), terms.constructor("False"))})};
    return verdict(walkers.done(), 2);
  };
  EXPECT_EQ(differ(1), ArrayVerdict::kUnsafe);
  EXPECT_EQ(differ(2), ArrayVerdict::kExhausted);
}

TEST(ArrayMachine, OrdinaryUpdatesOfAWeakTransitionHappenAtOnce) {
  Walkers walkers(3);
  const SymbolId x = walkers.flag("X", true), done = walkers.flag("Done", false);
  walkers.step(0, 1, {}, {walkers.sets(x, true), walkers.sets(done, true)});
  walkers.step(0, 2, {walkers.is(done, true), walkers.is(x, false)}, {});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 2)})};
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kUnsafe);
}

// Updates.

// A[i] := case | i = p : True | _ : A[i], in an array of flags.
struct ArrayWriter {
  Walkers walkers{2};
  SymbolId flags;

  explicit ArrayWriter(bool weak) {
    flags = add_symbol(walkers.system, "Flags", kBooleanSort, 1, weak);
    const ArrayTerms terms = walkers.terms();
    walkers.start.push_back(equal(terms.cell(flags, {p}), terms.constructor("False")));
    walkers.step(0, 1, {},
                 {everywhere(flags, {2},
                             {{equal(process_term(j), process_term(p)), terms.constructor("True")},
                              {truth(), terms.cell(flags, {j})}})});
  }
};

TEST(ArrayMachine, CasesChooseTheCells) {
  ArrayWriter writer(false);
  const ArraySystem system = writer.walkers.done();
  const ArrayMachine machine(system, 3);
  ArrayState state;
  for_each_initial(machine, [&](const ArrayState& initial) {
    state = initial;
    return true;
  });
  const ArrayState after = machine.firings(state, {0, {1}}).moves.at(0).after;
  for (std::uint32_t process = 0; process < 3; ++process)
    EXPECT_EQ(after.cells[machine.cells().number(writer.flags, {process})], whole(process == 1 ? 1 : 0));
}

TEST(ArrayMachine, WeakCellsThatACaseGivesBackAreNeitherReadNorWritten) {
  ArrayWriter writer(true);
  const ArraySystem system = writer.walkers.done();
  const ArrayMachine machine(system, 3);
  ArrayState state;
  for_each_initial(machine, [&](const ArrayState& initial) {
    state = initial;
    return true;
  });
  const ArrayState after = machine.firings(state, {0, {1}}).moves.at(0).after;
  ASSERT_THAT(after.buffers[1], SizeIs(1)) << "buffered: it does not read";
  EXPECT_EQ(after.buffers[1][0], (WriteGroup{{machine.cells().number(writer.flags, {1}), whole(1)}}));
}

TEST(ArrayMachine, UpdatesAreComputedInTheStateBefore) {
  Walkers walkers(2);
  const SymbolId x = walkers.flag("X", false), y = walkers.flag("Y", false);
  walkers.start.back() = walkers.is(y, true);
  const ArrayTerms terms = walkers.terms();
  walkers.step(0, 1, {}, {becomes(terms.cell(x), terms.cell(y)), becomes(terms.cell(y), terms.cell(x))});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 1), equal(terms.cell(x), terms.cell(y))})};
  EXPECT_EQ(verdict(walkers.done(), 1), ArrayVerdict::kExhausted);
  walkers.system.unsafe = {cube(1, {walkers.at(p, 1), walkers.is(x, true), walkers.is(y, false)})};
  EXPECT_EQ(verdict(walkers.done(), 1), ArrayVerdict::kUnsafe);
}

TEST(ArrayMachine, OpenValuesAreAllValues) {
  Walkers walkers(2);
  const SymbolId turn = add_symbol(walkers.system, "Turn", kProcessSort);
  const SymbolId number = add_symbol(walkers.system, "Number", kIntegerSort);
  const ArrayTerms terms = walkers.terms();
  walkers.start.push_back(equal(terms.cell(turn), process_term(constant_process(1))));
  walkers.start.push_back(equal(terms.cell(number), number_term(7)));
  walkers.step(0, 1, {}, {becomes_anything(terms.cell(turn))});
  const ArraySystem system = walkers.done();
  const ArrayExploration exploration = explore(system, 3);
  EXPECT_EQ(exploration.verdict, ArrayVerdict::kExhausted);
  // Nobody, one of three, two of three or all moved; after a move Turn is any of three.
  EXPECT_EQ(exploration.states, 1u + 7u * 3u);

  walkers.system.transitions[0].updates[0] = becomes_anything(terms.cell(number));
  const ArrayExploration restricted = explore(walkers.done(), 1);
  EXPECT_EQ(restricted.verdict, ArrayVerdict::kBounded) << "numbers are not all tried";
  EXPECT_TRUE(restricted.restricted);
  EXPECT_EQ(restricted.states, 1u + 3u);
}

TEST(ArrayMachine, NumbersBeyondSixtyFourBitsAreReported) {
  Walkers walkers(1);
  const SymbolId number = add_symbol(walkers.system, "Number", kIntegerSort);
  const ArrayTerms terms = walkers.terms();
  walkers.start.push_back(equal(terms.cell(number), number_term(1)));
  Term twice = terms.cell(number);
  twice.summands[0].factor = whole(2);
  walkers.step(0, 0, {}, {becomes(terms.cell(number), twice)});
  const ArrayExploration exploration = explore(walkers.done(), 1);
  EXPECT_EQ(exploration.verdict, ArrayVerdict::kBounded);
  EXPECT_TRUE(exploration.does_not_fit);
  EXPECT_EQ(exploration.states, 63u) << "2^0 to 2^62";
}

// Guards.

// Enters if all others are outside: an atomic test, which is enough for mutual exclusion.
ArraySystem careful_entry(bool careful) {
  Walkers walkers(2);
  std::vector<Formula> guard;
  if (careful) guard.push_back(for_all(1, {p}, walkers.at(q, 0)));
  walkers.step(0, 1, guard, {});
  walkers.step(1, 0, {}, {});
  walkers.never(1, 1);
  return walkers.done();
}

TEST(ArrayMachine, UniversalGuardsRangeOverTheOthers) {
  for (const std::uint32_t processes : {2u, 3u, 4u}) {
    EXPECT_EQ(verdict(careful_entry(true), processes), ArrayVerdict::kExhausted);
    EXPECT_EQ(verdict(careful_entry(false), processes), ArrayVerdict::kUnsafe);
  }
  EXPECT_EQ(verdict(careful_entry(false), 1), ArrayVerdict::kExhausted) << "two different processes";
  EXPECT_EQ(explore(careful_entry(true), 3).states, 1u + 3u) << "nobody or one of three is inside";
}

TEST(ArrayMachine, ExistentialGuardsNeedAWitness) {
  Walkers walkers(3);
  walkers.step(0, 1, {}, {});
  walkers.step(0, 2, {there_is(1, {p}, walkers.at(q, 1))}, {});
  walkers.system.unsafe = {cube(1, {walkers.at(p, 2)})};
  EXPECT_EQ(verdict(walkers.done(), 1), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kUnsafe);
}

TEST(ArrayMachine, ParametersAreDifferentProcesses) {
  Walkers walkers(2);
  walkers.system.transitions.push_back(
      transition("push", 2, std::nullopt, walkers.at(p, 0),
                 {becomes(walkers.terms().cell(walkers.pc, {q}), walkers.place(1))}));
  walkers.system.unsafe = {cube(1, {walkers.at(p, 1)})};
  EXPECT_EQ(verdict(walkers.done(), 1), ArrayVerdict::kExhausted);
  EXPECT_EQ(verdict(walkers.done(), 2), ArrayVerdict::kUnsafe);
}

// Initial states.

TEST(ArrayMachine, CellsThatInitLeavesOpenTakeAllValues) {
  Walkers walkers(3);
  const SymbolId turn = add_symbol(walkers.system, "Turn", kProcessSort);
  const SymbolId matrix = add_symbol(walkers.system, "Matrix", kBooleanSort, 2);
  EXPECT_EQ(count_initial(walkers.done(), 2), 2u * 16u);
  walkers.start.push_back(different(walkers.terms().cell(turn), process_term(constant_process(2))));
  walkers.start.push_back(equal(walkers.terms().cell(matrix, {p, p}), walkers.terms().constructor("True")));
  EXPECT_EQ(count_initial(walkers.done(), 2), 1u * 4u);
}

TEST(ArrayMachine, InitHoldsForAllChoicesOfDifferentProcesses) {
  Walkers walkers(3);
  walkers.start = {different(walkers.terms().cell(walkers.pc, {p}), walkers.terms().cell(walkers.pc, {q}))};
  ArraySystem system = walkers.done();
  system.initial.parameters = {"p", "q"};
  EXPECT_EQ(count_initial(system, 1), 3u) << "no two processes: init says nothing";
  EXPECT_EQ(count_initial(system, 2), 6u);
  EXPECT_EQ(count_initial(system, 3), 6u);
  EXPECT_EQ(count_initial(system, 4), 0u);
}

TEST(ArrayMachine, EquationsOfInitFixNumbers) {
  ArraySystem system = empty_array_system();
  const SymbolId limit = add_symbol(system, "Limit", kIntegerSort);
  const SymbolId other = add_symbol(system, "Other", kIntegerSort);
  const ArrayTerms terms(system);
  system.initial = initially(
      0, {equal(terms.cell(other), plus(terms.cell(limit), 1)), equal(terms.cell(limit), number_term(40))});
  EXPECT_EQ(count_initial(system, 1), 1u);
  system.initial = initially(0, {equal(terms.cell(other), plus(terms.cell(limit), 1))});
  // 0, 1, 2 and, next to the numbers of init, -1.
  EXPECT_EQ(count_initial(system, 1), 4u);
  system.initial = initially(0, {equal(terms.cell(other), number_term(0)),
                                 compare(number_term(7), Comparison::kLess, terms.cell(limit))});
  EXPECT_EQ(count_initial(system, 1), 1u) << "8";
}

// Runs.

TEST(ArrayReplay, AcceptsRunsAndNothingElse) {
  const ArraySystem system = store_buffering(true, Between::kNothing);
  const ArrayRun run = explore(system, 2).run.value();
  EXPECT_THAT(run.steps, SizeIs(4));
  EXPECT_EQ(replay(system, 2, run), std::nullopt);
  EXPECT_NE(replay(system, 3, run), std::nullopt);

  ArrayRun shorter = run;
  shorter.steps.pop_back();
  EXPECT_THAT(replay(system, 2, shorter).value_or(""), HasSubstr("not unsafe"));
  ArrayRun flushed = run;
  flushed.steps.insert(flushed.steps.begin() + 1, ArrayStep{.processes = run.steps[0].processes});
  EXPECT_THAT(replay(system, 2, flushed).value_or(""), HasSubstr("guard"));
  ArrayRun idle = run;
  idle.steps.insert(idle.steps.begin(), ArrayStep{.processes = {0}});
  EXPECT_THAT(replay(system, 2, idle).value_or(""), HasSubstr("empty"));
  ArrayRun elsewhere = run;
  elsewhere.initial[0].value = whole(1);
  EXPECT_THAT(replay(system, 2, elsewhere).value_or(""), HasSubstr("init"));
  ArrayRun partial = run;
  partial.initial.pop_back();
  EXPECT_THAT(replay(system, 2, partial).value_or(""), HasSubstr("no initial value"));
  ArrayRun same = run;
  same.unsafe_processes = {0, 0};
  EXPECT_NE(replay(system, 2, same), std::nullopt);
  ArrayRun chosen = run;
  chosen.steps[0].chosen = {run.initial[0]};
  EXPECT_THAT(replay(system, 2, chosen).value_or(""), HasSubstr("not open"));
}

TEST(ArrayReplay, FlushesAreFound) {
  Walkers walkers(4);
  const SymbolId x = walkers.flag("X", true), y = walkers.flag("Y", true);
  walkers.step(0, 1, {}, {walkers.sets(x, true)});
  walkers.step(1, 2, {}, {walkers.sets(y, true)});
  walkers.step(0, 3, {walkers.is(x, true), walkers.is(y, false)}, {});
  walkers.system.unsafe = {cube(2, {walkers.at(p, 2), walkers.at(q, 3)})};
  const ArraySystem system = walkers.done();
  const Completion completion = complete(system, 2, {{0, {0}}, {1, {0}}, {2, {1}}});
  ASSERT_TRUE(completion.run);
  EXPECT_EQ(replay(system, 2, *completion.run), std::nullopt);
  EXPECT_THAT(completion.run->steps, SizeIs(4)) << "one flush";
  EXPECT_TRUE(complete(system, 2, {{2, {1}}, {0, {0}}, {1, {0}}}).run)
      << "processes may be interleaved otherwise";
  const Completion none = complete(system, 2, {{1, {0}}, {0, {0}}, {2, {1}}});
  EXPECT_FALSE(none.run) << "but each keeps its order";
  EXPECT_FALSE(none.left_out);
}

TEST(ArrayReplay, InitialAndChosenValuesAreFound) {
  Walkers walkers(2);
  const SymbolId turn = add_symbol(walkers.system, "Turn", kProcessSort);
  const SymbolId level = add_symbol(walkers.system, "Level", kIntegerSort);
  const ArrayTerms terms = walkers.terms();
  walkers.step(0, 1, {compare(number_term(41), Comparison::kLess, terms.cell(level))},
               {becomes_anything(terms.cell(turn))});
  walkers.system.unsafe = {cube(2, {walkers.at(p, 1), equal(terms.cell(turn), process_term(q))})};
  const ArraySystem system = walkers.done();
  const Completion completion = complete(system, 3, {{0, {2}}});
  ASSERT_TRUE(completion.run);
  EXPECT_EQ(replay(system, 3, *completion.run), std::nullopt);
  EXPECT_FALSE(complete(system, 3, {}).run);
}

TEST(ArrayReplay, RunsOfTheExplorerCanBeCompletedFromTheirFirings) {
  for (const ArraySystem& system : {store_buffering(true, Between::kNothing), pair_of_flags(false),
                                    spin_lock(false), careful_entry(false)}) {
    const ArrayRun run = explore(system, 3).run.value();
    const Completion completion = complete(system, 3, firings_of(run), {.unsafe = run.unsafe});
    ASSERT_TRUE(completion.run);
    EXPECT_EQ(replay(system, 3, *completion.run), std::nullopt);
  }
}

}  // namespace weir::test::array_machine_test
