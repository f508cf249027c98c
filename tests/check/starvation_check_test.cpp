// Executions that go round a loop for ever: the checker accepts a claim exactly if it is true by the
// definition (trace/witness.hpp), which is written here once more, on the states that the execution is in. The
// claims are random walks that met a state again, with random places and kinds of fairness; and each of them
// with every field and every step changed.
#include "check/starvation_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "check/replay.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/damaged_steps.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::starvation_check_test {

using namespace selfcheck;

constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};

// The definition.

// What happens in the witness: the states on the way, and the steps between them, of which an atomic block is
// one.
struct Run {
  std::vector<ReferenceState> states;
  std::vector<ReferenceStep> units;
  std::optional<std::size_t> loop;  // the unit before which it begins
};

std::optional<Run> execute(const ReferenceMachine& machine, const Witness& witness) {
  Run run{{machine.initial()}, {}, {}};
  for (std::size_t next = 0; next <= witness.steps.size();) {
    if (next == witness.starvation->loop) run.loop = run.units.size();
    if (next == witness.steps.size()) break;
    const std::span<const WitnessStep> rest = std::span(witness.steps).subspan(next);
    const std::optional<ReferenceStep> unit = unit_told_by(machine, run.states.back(), rest);
    if (!unit || unit->failure || unit->unsupported) return std::nullopt;
    next += unit->steps.size();
    run.states.push_back(unit->after);
    run.units.push_back(*unit);
  }
  return run;
}

bool somebody_at(const ReferenceState& state, const std::vector<ThreadLocation>& places) {
  for (const ThreadLocation& place : places)
    for (std::size_t t = 0; t < state.threads.size(); ++t)
      if (place.thread == ThreadId(t) && state.threads[t].stack.size() == 1 &&
          state.threads[t].stack[0].location == place.location)
        return true;
  return false;
}

// Some request is never followed by a grant, nor made at one. What is granted in the loop is granted for ever,
// so two rounds of it tell.
bool never_granted(const Run& run, const Starvation& claim) {
  std::vector<ReferenceState> unrolled = run.states;
  unrolled.insert(unrolled.end(), run.states.begin() + static_cast<std::ptrdiff_t>(*run.loop),
                  run.states.end());
  for (std::size_t request = 0; request < run.states.size(); ++request) {
    if (!somebody_at(run.states[request], claim.request)) continue;
    if (std::none_of(unrolled.begin() + static_cast<std::ptrdiff_t>(request), unrolled.end(),
                     [&](const ReferenceState& state) { return somebody_at(state, claim.grant); }))
      return true;
  }
  return false;
}

// Who moves: a thread by an instruction, or one of its buffers.
std::string mover(const WitnessStep& step, Model model) {
  if (step.kind == WitnessStep::Kind::kInstruction) return fmt::format("thread {}", step.thread.index());
  return fmt::format("buffer {} {}", step.thread.index(), model == Model::kPso ? step.address : 0);
}

bool is_fair(const ReferenceMachine& machine, const Run& run, const Starvation& claim) {
  std::map<std::string, std::size_t> able;  // in how many states of the loop
  std::set<std::string> moved;
  for (std::size_t i = *run.loop; i < run.units.size(); ++i) {
    moved.insert(mover(run.units[i].steps.front(), machine.model()));
    std::set<std::string> now;
    for (const ReferenceStep& step : machine.steps(run.states[i]))
      now.insert(mover(step.steps.front(), machine.model()));
    for (const std::string& one : now) ++able[one];
  }
  for (const auto& [who, states] : able) {
    const bool thread = who.starts_with("thread");
    const bool always = states == run.units.size() - *run.loop;
    const bool owed = thread ? claim.strong || (claim.weak && always) : claim.flushes;
    if (owed && !moved.contains(who)) return false;
  }
  return true;
}

bool is_true(const Program& program, const Witness& witness) {
  const ReferenceMachine machine(program, witness.model);
  const std::optional<Run> run = execute(machine, witness);
  if (!run || !run->loop || run->states.back().halted) return false;
  if (!never_granted(*run, *witness.starvation)) return false;
  if (*run->loop == run->units.size()) return machine.steps(run->states.back()).empty();
  return run->states[*run->loop] == run->states.back() && is_fair(machine, *run, *witness.starvation);
}

// Claims.

std::vector<ThreadLocation> all_places(const Program& program) {
  std::vector<ThreadLocation> places;
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    for (std::size_t l = 0; l < program.locations.size(); ++l)
      if (program.locations[l].function == program.threads[t].function)
        places.push_back({ThreadId(t), LocationId(l)});
  return places;
}

// A random execution up to a state that it has been in, or to its end; nothing if it takes too long.
std::optional<Witness> random_lasso(const Program& program, Model model, std::mt19937_64& random) {
  const ReferenceMachine machine(program, model);
  Witness witness{.model = model, .violation = {.kind = ViolationKind::kStarvation}};
  std::map<ReferenceState, std::size_t> seen;
  ReferenceState state = machine.initial();
  for (int length = 0; length < 40; ++length) {
    const auto [before, is_new] = seen.try_emplace(state, witness.steps.size());
    std::vector<ReferenceStep> possible = machine.steps(state);
    if (!is_new || possible.empty()) {
      witness.starvation = Starvation{.loop = is_new ? witness.steps.size() : before->second};
      return witness;
    }
    ReferenceStep& step = possible[random() % possible.size()];
    if (step.failure || step.unsupported) return std::nullopt;
    witness.steps.insert(witness.steps.end(), step.steps.begin(), step.steps.end());
    state = std::move(step.after);
  }
  return std::nullopt;
}

void choose_claim(const Program& program, Starvation& starvation, std::mt19937_64& random) {
  const std::vector<ThreadLocation> places = all_places(program);
  for (std::size_t count = 1 + random() % 4; count > 0; --count)
    starvation.request.push_back(places[random() % places.size()]);
  for (std::size_t count = random() % 3; count > 0; --count)
    starvation.grant.push_back(places[random() % places.size()]);
  starvation.weak = random() % 2 == 0;
  starvation.strong = random() % 4 == 0;
  starvation.flushes = random() % 2 == 0;
}

struct Tally {
  std::size_t loops = 0, ends = 0;  // accepted
  std::map<std::string, std::size_t> refused;

  void count(const Witness& witness, const ReplayResult& result) {
    if (result.reproduced)
      ++(witness.starvation->loop < witness.steps.size() ? loops : ends);
    else
      ++refused[result.failed_step < witness.steps.size()                      ? "a step"
                : result.failure.starts_with("the loop is not fair to thread") ? "unfair thread"
                : result.failure.starts_with("in the loop, a store")           ? "unfair flush"
                                                                               : result.failure];
  }
};

void compare(const Program& program, const Witness& witness, Tally& tally) {
  const ReplayResult result = replay(program, witness);
  ASSERT_EQ(result.reproduced, is_true(program, witness)) << result.failure;
  tally.count(witness, result);
}

GeneratorShape shape() {
  GeneratorShape result;
  result.max_threads = 2;
  result.max_instructions = 4;
  result.max_variables = 2;
  result.max_value = 1;
  result.loops = true;
  result.assertions = false;
  return result;
}

GeneratorShape shape(std::uint64_t seed) {
  GeneratorShape result = shape();
  if (seed % 4 == 0) result.extra = some_features(seed);
  return result;
}

TEST(StarvationCheck, AcceptsExactlyWhatIsTrue) {
  Tally tally;
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 30000; ++seed) {
    const Genome genome = random_genome(seed, shape(seed));
    const Program program = build(genome);
    for (const Model model : kModels) {
      std::optional<Witness> witness = random_lasso(program, model, random);
      if (!witness) continue;
      choose_claim(program, *witness->starvation, random);
      compare(program, *witness, tally);
      if (HasFatalFailure()) FAIL() << genome << name(model);
    }
  }
  EXPECT_GT(tally.loops, 100u);
  EXPECT_GT(tally.ends, 1000u);
  for (const char* reason :
       {"every request is granted", "the loop grants the request", "unfair thread", "unfair flush"})
    EXPECT_GT(tally.refused[reason], 10u) << reason;
}

// Everything that the claim says about the steps.
std::vector<Witness> other_claims(const Program& program, const Witness& witness) {
  std::vector<Witness> found;
  const auto add = [&](auto change) {
    Witness changed = witness;
    change(changed);
    found.push_back(std::move(changed));
  };
  for (const Model model : kModels) add([&](Witness& w) { w.model = model; });
  for (std::size_t loop = 0; loop <= witness.steps.size() + 1; ++loop)
    add([&](Witness& w) { w.starvation->loop = loop; });
  add([](Witness& w) { w.starvation->weak = !w.starvation->weak; });
  add([](Witness& w) { w.starvation->strong = !w.starvation->strong; });
  add([](Witness& w) { w.starvation->flushes = !w.starvation->flushes; });
  for (auto places : {&Starvation::request, &Starvation::grant}) {
    for (std::size_t i = 0; i < ((*witness.starvation).*places).size(); ++i)
      add([&](Witness& w) {
        ((*w.starvation).*places).erase(((*w.starvation).*places).begin() + std::ptrdiff_t(i));
      });
    for (const ThreadLocation& place : all_places(program))
      add([&](Witness& w) { ((*w.starvation).*places).push_back(place); });
  }
  return found;
}

TEST(StarvationCheck, AcceptsDamagedWitnessesExactlyIfTheyAreTrue) {
  Tally tally;
  std::mt19937_64 random(2);
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    GeneratorShape without_blocks = shape(seed);
    without_blocks.atomic_blocks = false;  // of which the machine lists only one way to each result
    const Genome genome = random_genome(seed, without_blocks);
    const Program program = build(genome);
    std::optional<Witness> witness = random_lasso(program, kModels[seed % 3], random);
    // Of executions that end there are enough.
    if (!witness || (witness->starvation->loop == witness->steps.size() && seed % 16 != 0)) continue;
    choose_claim(program, *witness->starvation, random);
    std::vector<Witness> changed = other_claims(program, *witness);
    std::ranges::copy(with_damaged_steps(program, *witness), std::back_inserter(changed));
    for (const Witness& one : changed) {
      compare(program, one, tally);
      if (HasFatalFailure()) FAIL() << genome << name(witness->model);
    }
  }
  EXPECT_GT(tally.loops, 1000u);
  EXPECT_GT(tally.ends, 1000u);
  for (const char* reason :
       {"a step", "every request is granted", "the loop grants the request", "unfair thread", "unfair flush",
        "the loop does not lead back to where it began", "the loop begins behind the last step",
        "after the last step of the witness, something can still happen"})
    EXPECT_GT(tally.refused[reason], 20u) << reason;
}

// By hand: P asks for what Q could give; only then one knows what each sentence is about.

class StarvationByHand : public ::testing::Test {
 protected:
  StarvationByHand() : tiny({"x"}) {
    TinyThread p = tiny.thread("P");
    wanting = p.here();
    p.jump_to(wanting).load("r", "x");
    granted = p.assume_equal("r", 1).here();
    TinyThread q = tiny.thread("Q");
    giving = q.here();
    given = q.store("x", 1).here();
    witness = {.model = Model::kTso, .violation = {.kind = ViolationKind::kStarvation}};
    witness.steps = {{.thread = ThreadId(1), .edge = EdgeId(3), .value = 1},
                     {.thread = ThreadId(0), .edge = EdgeId(0)}};
    witness.starvation = Starvation{.loop = 1,
                                    .request = {{ThreadId(0), wanting}},
                                    .grant = {{ThreadId(0), granted}},
                                    .weak = true,
                                    .strong = false,
                                    .flushes = false};
  }

  std::string failure() { return replay(tiny.program(), witness).failure; }

  TinyProgram tiny;
  LocationId wanting, granted, giving, given;
  Witness witness;
};

TEST_F(StarvationByHand, IsRight) { EXPECT_EQ(failure(), ""); }

TEST_F(StarvationByHand, FairnessOfThreads) {
  witness.steps.erase(witness.steps.begin());
  witness.starvation->loop = 0;
  EXPECT_EQ(failure(), "the loop is not fair to thread Q");
  witness.starvation->weak = false;
  EXPECT_EQ(failure(), "");
  witness.starvation->strong = true;
  EXPECT_EQ(failure(), "the loop is not fair to thread Q");
}

TEST_F(StarvationByHand, FairnessOfBuffers) {
  witness.starvation->flushes = true;
  EXPECT_EQ(failure(), "in the loop, a store of thread Q stays in the buffer for ever");
  witness.model = Model::kSc;
  EXPECT_EQ(failure(), "");
}

TEST_F(StarvationByHand, Grants) {
  witness.starvation->grant = {{ThreadId(1), given}};
  EXPECT_EQ(failure(), "every request is granted");
  witness.starvation->grant = {{ThreadId(0), wanting}};
  EXPECT_EQ(failure(), "every request is granted");
  witness.starvation->grant = {};
  EXPECT_EQ(failure(), "");
  witness.starvation->request = {{ThreadId(1), giving}};
  witness.starvation->grant = {{ThreadId(1), giving}};
  EXPECT_EQ(failure(), "every request is granted");
}

TEST_F(StarvationByHand, PlacesThatDoNotExist) {
  witness.starvation->grant = {{ThreadId(2), wanting}};
  EXPECT_EQ(failure(), "there is no such place as the witness speaks of");
  witness.starvation->grant = {{ThreadId(0), LocationId(99)}};
  EXPECT_EQ(failure(), "there is no such place as the witness speaks of");
  witness.starvation->grant = {{ThreadId(0), giving}};  // where P never is
  EXPECT_EQ(failure(), "");
}

TEST_F(StarvationByHand, IsAnnounced) {
  witness.starvation.reset();
  EXPECT_EQ(failure(), "the witness does not say what is repeated");
}

TEST(StarvationInABlock, DoesNotBegin) {
  TinyProgram tiny({});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  p.atomic_begin().atomic_end().jump_to(start);
  Witness witness{.model = Model::kSc, .violation = {.kind = ViolationKind::kStarvation}};
  for (std::size_t edge = 0; edge < 3; ++edge) witness.steps.push_back({ThreadId(0), {}, EdgeId(edge)});
  witness.starvation = Starvation{.loop = 0, .request = {{ThreadId(0), start}}};
  EXPECT_EQ(replay(tiny.program(), witness).failure, "");
  witness.starvation->loop = 1;
  EXPECT_EQ(replay(tiny.program(), witness).failure, "the loop begins inside an atomic block");
}

}  // namespace weir::test::starvation_check_test
