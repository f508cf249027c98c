// Starvation freedom of programs, against brute force that shares nothing with it: the state graph of the
// reference machine, and the explicit reference for Streett objectives. Every loop that is found is replayed.
#include "engine/fairness/starvation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "check/reference/machine.hpp"
#include "check/replay.hpp"
#include "check/streett_reference.hpp"
#include "selfcheck/random/genome.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/tiny_program.hpp"

namespace weir::fairness::starvation_test {

constexpr std::size_t kMostStates = 3000;

// The graph of (state, who moved last) on the reference machine. Movers are named: "t0", "b0", under PSO
// "b0:4".
class BruteForce {
 public:
  BruteForce(const Program& program, const StarvationOptions& options)
      : machine_(program, options.model), options_(options) {}

  // Nothing if the program is too large.
  std::optional<bool> holds(const Response& response) {
    vertex(machine_.initial(), "");
    for (Vertex v = 0; v < places_.size(); ++v) {
      if (places_.size() > kMostStates) return std::nullopt;
      if (!expand(v)) return std::nullopt;
    }
    const auto at = [&](Vertex v, const std::vector<ThreadLocation>& wanted) {
      return std::ranges::any_of(wanted, [&](const ThreadLocation& place) {
        const auto& stack = places_[v].first.threads[place.thread.index()].stack;
        return stack.size() == 1 && stack.front().location == place.location;
      });
    };
    std::vector<Arena::Edge> kept;
    for (const auto& [from, to] : edges_)
      if (!at(from, response.grant) && !at(to, response.grant)) kept.emplace_back(from, to);
    const Arena arena(places_.size(), kept);
    const std::vector<bool> winning = streett_winning(arena, pairs());
    for (Vertex v = 0; v < places_.size(); ++v)
      if (at(v, response.request) && !at(v, response.grant) && winning[v]) return false;
    return true;
  }

 private:
  Vertex vertex(const ReferenceState& state, const std::string& mover) {
    const auto [place, added] = numbers_.try_emplace({state, mover}, static_cast<Vertex>(places_.size()));
    if (added) places_.emplace_back(state, mover);
    return place->second;
  }

  std::string mover(const WitnessStep& step) const {
    if (step.kind == WitnessStep::Kind::kInstruction) return fmt::format("t{}", step.thread.index());
    return options_.model == Model::kPso ? fmt::format("b{}:{}", step.thread.index(), step.address)
                                         : fmt::format("b{}", step.thread.index());
  }

  bool expand(Vertex v) {
    const ReferenceState state = places_[v].first;
    enabled_.emplace_back();
    std::size_t possible = 0;
    for (const ReferenceStep& step : machine_.steps(state)) {
      if (step.unsupported) return false;
      ++possible;
      const std::string who = mover(step.steps.front());
      enabled_[v].insert(who);
      movers_.insert(who);
      if (step.failure || step.after.halted) continue;
      for (const StoreBuffer& buffer : step.after.buffers)
        if (buffer.size() > options_.buffer) return false;
      edges_.emplace_back(v, vertex(step.after, who));
    }
    if (possible == 0 && !state.halted) edges_.emplace_back(v, vertex(state, ""));
    return true;
  }

  std::vector<StreettPair> pairs() const {
    std::vector<StreettPair> result;
    for (const std::string& who : movers_) {
      const bool thread = who.front() == 't';
      if (thread ? options_.scheduler == Scheduler::kAny : !options_.fair_flushes) continue;
      const bool strong = !thread || options_.scheduler == Scheduler::kStrong;
      StreettPair& pair = result.emplace_back();
      for (Vertex v = 0; v < places_.size(); ++v) {
        const bool can = enabled_[v].contains(who);
        if (!strong || can) pair.requests.push_back(v);
        if (places_[v].second == who || (!strong && !can)) pair.grants.push_back(v);
      }
    }
    return result;
  }

  ReferenceMachine machine_;
  const StarvationOptions& options_;
  std::vector<std::pair<ReferenceState, std::string>> places_;
  std::map<std::pair<ReferenceState, std::string>, Vertex> numbers_;
  std::vector<std::set<std::string>> enabled_;
  std::set<std::string> movers_;
  std::vector<Arena::Edge> edges_;
};

struct Tally {
  std::size_t fair = 0, unfair = 0;
};

void compare(const Program& program, const Response& response, const StarvationOptions& options,
             const std::string& about, Tally& tally) {
  const std::optional<bool> expected = BruteForce(program, options).holds(response);
  if (!expected) return;
  Context context;
  const Answer answer = check_starvation(program, {response}, options, context);
  ASSERT_EQ(answer.verdict, *expected ? Verdict::kSafe : Verdict::kUnsafe)
      << about << ", " << name(options.model) << ", scheduler " << static_cast<int>(options.scheduler);
  ++(*expected ? tally.fair : tally.unfair);
  if (!answer.witness) return;
  const ReplayResult replayed = replay(program, *answer.witness);
  ASSERT_TRUE(replayed.reproduced) << about << ", " << name(options.model) << ": " << replayed.failure;
}

// A proof by coarser buffers must not exist where there is a violation; and it must not be that there never
// is one.
void compare_with_abstraction(const Program& program, const Response& response,
                              const StarvationOptions& options, const std::string& about, Tally& tally) {
  Context context;
  const Answer answer = check_starvation(program, {response}, options, context);
  for (const std::uint32_t queue : {0u, 1u}) {
    const bool proved =
        holds_with_abstraction(program, {response}, options, partial_coherence_with(queue), 20'000, context);
    if (answer.verdict == Verdict::kUnsafe) {
      ASSERT_FALSE(proved) << about << ", queue " << queue;
    }
    ++(proved ? tally.fair : tally.unfair);
  }
}

selfcheck::GeneratorShape shape() {
  selfcheck::GeneratorShape result;
  result.max_threads = 2;
  result.max_instructions = 4;
  result.max_variables = 2;
  result.max_value = 1;
  result.loops = true;
  result.goals = result.exclusives = result.invariants = result.deadlocks = false;
  return result;
}

// Any two locations of a thread: it is at the first, is it later at the second?
Response some_response(const Program& program, std::uint64_t seed) {
  const ThreadId thread(seed % program.threads.size());
  std::vector<LocationId> locations;
  for (std::size_t l = 0; l < program.locations.size(); ++l)
    if (program.locations[l].function == program.thread(thread).function) locations.emplace_back(l);
  return {{{thread, locations[seed / 2 % locations.size()]}},
          {{thread, locations[seed / 7 % locations.size()]}},
          "response"};
}

TEST(Starvation, AsByBruteForce) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Program program = selfcheck::build(selfcheck::random_genome(seed, shape()));
    for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
      for (const Scheduler scheduler : {Scheduler::kAny, Scheduler::kWeak, Scheduler::kStrong}) {
        StarvationOptions options{.model = model, .scheduler = scheduler};
        options.fair_flushes = seed % 3 != 0;
        compare(program, some_response(program, seed * 31 + static_cast<std::uint64_t>(scheduler)), options,
                fmt::format("seed {}", seed), tally);
        if (HasFatalFailure()) return;
      }
  }
  EXPECT_GT(tally.fair, 100u);
  EXPECT_GT(tally.unfair, 100u);
}

// What is not followed proves nothing.
TEST(Starvation, IsOpenWhereSomethingIsLeftOut) {
  for (const bool left_out : {true, false}) {
    weir::test::TinyProgram tiny({"x"});
    weir::test::TinyThread p = tiny.thread("P");
    const LocationId asks = p.here();
    p.load("r", "x").add({.op = Opcode::kHalt, .message = left_out ? "something" : ""});
    Context context;
    const Response response{{{p.id(), asks}}, {{p.id(), p.here()}}, "response"};
    EXPECT_EQ(check_starvation(tiny.program(), {response}, {}, context).verdict,
              left_out ? Verdict::kUnknown : Verdict::kSafe);
  }
}

TEST(Starvation, CoarserBuffersProveNoMoreThanIsTrue) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const Program program = selfcheck::build(selfcheck::random_genome(seed, shape()));
    for (const Scheduler scheduler : {Scheduler::kAny, Scheduler::kWeak, Scheduler::kStrong}) {
      StarvationOptions options{.model = Model::kTso, .scheduler = scheduler, .buffer = 2};
      options.fair_flushes = seed % 3 != 0;
      compare_with_abstraction(program,
                               some_response(program, seed * 31 + static_cast<std::uint64_t>(scheduler)),
                               options, fmt::format("seed {}", seed), tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(tally.fair, 100u);
  EXPECT_GT(tally.unfair, 100u);
}

}  // namespace weir::fairness::starvation_test
