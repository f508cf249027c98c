// What is no access: private memory, constants, blocks coming and going, the end of everything.
#include <algorithm>
#include <gtest/gtest.h>

#include "check/happens_before.hpp"
#include "check/replay.hpp"
#include "check/trace_sets.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"
#include "trace/buffering.hpp"
#include "trace/minimise.hpp"
#include "trace/replay_file.hpp"

namespace weir::test::trace_memory_test {

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

std::size_t count(const TextProgram& text, Model model) {
  const TraceSet found = all_traces(text.program(), model);
  EXPECT_TRUE(found.complete);
  return found.traces.size();
}

TEST(TracesOfMemory, LeaveOutWhatIsNotShared) {
  TextProgram text("constant k = 5\nshared x = 0\n");
  text.thread("P",
              {"p := allocate heap 4", "store [frame(0)] := 1", "r := load k", "rmw add [frame(0)], 1",
               "free heap p", "store x := 1"},
              "  private a : 8\n");
  for (const Model model : kModels) EXPECT_EQ(count(text, model), 2u) << "nothing, and the store to x";
}

TEST(TracesOfMemory, CountAccessesToBlocks) {
  TextProgram text;
  text.thread(
      "P", {"p := allocate heap 8", "store u32 [p] := 1u32", "store u32 [p + 4u64] := 2u32", "free heap p"});
  EXPECT_EQ(count(text, Model::kSc), 3u);
  EXPECT_EQ(count(text, Model::kTso), 3u);
  EXPECT_EQ(count(text, Model::kPso), 3u);
}

TEST(TracesOfMemory, EndAtHalt) {
  TextProgram text("shared x = 0\nshared y = 0\n");
  text.thread("P", {"store x := 1", "halt", "store x := 2"});
  text.thread("Q", {"store y := 1"});
  EXPECT_EQ(count(text, Model::kSc), 4u);
  EXPECT_EQ(count(text, Model::kTso), 4u);
}

TEST(TracesOfMemory, MayEndInABlock) {
  TextProgram text("shared x = 0\n");
  text.thread("P", {"atomic_begin", "store x := 1", "halt", "store x := 2", "atomic_end"});
  for (const Model model : kModels) EXPECT_EQ(count(text, model), 2u);
}

TEST(TracesOfMemory, AreNotCompleteWithMixedSizes) {
  TextProgram text;
  text.thread("P", {"p := allocate zeroed 8", "store u32 [p] := 1u32", "r := load u8 [p]"});
  EXPECT_FALSE(all_traces(text.program(), Model::kSc).complete);
}

// Store buffering where something local stands between the store and the load.
BruteForceVerdict store_buffering_with(const char* between) {
  TextProgram text("constant k = 5\nshared x = 0\nshared y = 0\n");
  text.thread("P", {"store [frame(0)] := 0", "store x := 1", between, "r := load y"}, "  private a : 8\n");
  text.thread("Q", {"store y := 1", "fence full", "r := load x"});
  return compare_traces(text.program());
}

TEST(TracesOfMemory, LocalStepsDoNotFence) {
  for (const char* between :
       {"store [frame(0)] := 1", "s := load sequential [frame(0)]", "s := load k", "s := self"})
    EXPECT_EQ(store_buffering_with(between), BruteForceVerdict::kNotRobust) << between;
}

TEST(TracesOfMemory, LockedInstructionsOnPrivateMemoryDo) {
  for (const char* between : {"rmw add [frame(0)], 1", "store sequential [frame(0)] := 1"})
    EXPECT_EQ(store_buffering_with(between), BruteForceVerdict::kRobust) << between;
}

// The witness that a program's first violation has, by walking through all steps of one thread after another.
Witness run_alone(const Program& program, Model model) {
  const ReferenceMachine machine(program, model);
  Witness witness{.model = model};
  ReferenceState state = machine.initial();
  for (std::vector<ReferenceStep> steps = machine.steps(state); !steps.empty();
       steps = machine.steps(state)) {
    witness.steps.insert(witness.steps.end(), steps[0].steps.begin(), steps[0].steps.end());
    state = steps[0].after;
  }
  return witness;
}

TEST(Buffering, PairsFreesWithTheirFlushes) {
  TextProgram text("shared x = 0\n");
  text.thread("P",
              {"p := allocate heap 8", "store [frame(0)] := 1", "store x := 1", "free heap 0", "free heap p"},
              "  private a : 8\n");
  const Program program = text.program();
  const Witness witness = run_alone(program, Model::kTso);
  ASSERT_EQ(witness.steps.size(), 7u) << "five instructions and two flushes";
  const Buffering found = find_buffering(program, witness);
  EXPECT_EQ(found.buffered, (std::vector<bool>{false, false, true, false, true, false, false}));
  EXPECT_EQ(found.partner[2], 5u);
  EXPECT_EQ(found.partner[4], 6u);
  EXPECT_EQ(found.partner[6], 4u);
  EXPECT_EQ(trace_events(program, witness).size(), 1u);
  const Witness straight = run_alone(program, Model::kSc);
  EXPECT_EQ(straight.steps.size(), 5u);
  EXPECT_TRUE(std::ranges::none_of(find_buffering(program, straight).buffered, std::identity()));
}

TEST(ReplayTriangular, IsStoppedByPrivateUpdatesButNotByPrivateStores) {
  const auto reproduced = [](const char* between) {
    TextProgram text("shared x = 0\nshared y = 0\n");
    text.thread("P", {"store [frame(0)] := 0", "store x := 1", between, "r := load y"}, "  private a : 8\n");
    text.thread("Q", {"store y := 1"});
    Witness witness = run_alone(text.program(), Model::kSc);
    witness.violation.kind = ViolationKind::kTriangularRace;
    return replay(text.program(), witness).reproduced;
  };
  EXPECT_TRUE(reproduced("store [frame(0)] := 1"));
  EXPECT_FALSE(reproduced("rmw add [frame(0)], 1"));
}

// Files and minimisation.

TEST(WitnessesOfMemory, SurviveFiles) {
  TextProgram leaking("shared x : u64 = 0\nleaks\nraces\n");
  leaking.thread("P", {"p := allocate zeroed 4", "store u64 x := p", "r := load u32 plain [p]"});
  leaking.thread("Q", {"q := load u64 x wait 0", "free heap 0", "store u32 [q] := 2u32"});
  const Program program = leaking.program();
  for (const Model model : kModels)
    for (const ViolationKey& key : violations(program, model)) {
      const std::optional<Witness> witness = shortest_witness(program, model, key);
      ASSERT_TRUE(witness.has_value());
      auto read = read_replay("w.json", write_replay(program, *witness, "1"));
      ASSERT_TRUE(read.ok());
      EXPECT_EQ(read->witness.steps, witness->steps);
      EXPECT_EQ(key_of(read->witness.violation), key);
      EXPECT_TRUE(replay(read->program, read->witness).reproduced);
    }
  EXPECT_EQ(violations(program, Model::kTso),
            (std::set<ViolationKey>{{ViolationKind::kRace, 0}, {ViolationKind::kMemory, kLeak}}));
}

TEST(WitnessesOfMemory, AreMinimised) {
  TextProgram text("shared x = 0\nshared y = 0\nraces\n");
  text.thread("P", {"p := allocate heap 4", "free heap p", "store plain x := 1"});
  text.thread("Q", {"store y := 1", "r := load plain x"});
  const Program program = text.program();
  std::optional<Witness> witness = shortest_witness(program, Model::kTso);
  ASSERT_TRUE(witness.has_value());
  EXPECT_EQ(witness->steps.size(), 3u);
  const auto valid = [&](const Witness& candidate) { return replay(program, candidate).reproduced; };
  const Witness smallest = minimise(program, *witness, valid);
  EXPECT_TRUE(valid(smallest));
  EXPECT_LE(context_switches(smallest), context_switches(*witness));
}

}  // namespace weir::test::trace_memory_test
