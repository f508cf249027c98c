// Coverability on nets whose answers are known, and that the checks of runs and certificates see mistakes.
#include "engine/coverability/petri/net.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "engine/coverability/petri/certificate.hpp"
#include "engine/coverability/petri/forward.hpp"

namespace weir::petri_net_test {

constexpr std::uint32_t kAny = PetriNet::kAnyNumber;

// The verdict, with its run or certificate checked.
CoverResult decide(const PetriNet& net, const Marking& target, bool least = false) {
  Context context;
  CoverResult result = coverable(net, target, {.least_demand = least}, context);
  if (result.verdict == CoverVerdict::kCoverable) {
    EXPECT_EQ(check_run(net, target, result.run), "");
    EXPECT_EQ(result.least, least);
  }
  if (result.verdict == CoverVerdict::kNotCoverable) {
    EXPECT_EQ(check_certificate(net, target, result.certificate), "");
  }
  const ForwardResult forward = coverable_forward(net, target, {}, context);
  if (forward.verdict == CoverVerdict::kStopped) {
    EXPECT_EQ(forward.markings, 0u) << "only where nothing has to be searched";
    EXPECT_EQ(result.verdict, CoverVerdict::kNotCoverable);
  } else {
    EXPECT_EQ(forward.verdict, result.verdict);
  }
  if (forward.verdict == CoverVerdict::kNotCoverable) {
    EXPECT_EQ(check_invariant(net, target, forward.invariant), "");
  }
  return result;
}

CoverVerdict verdict(const PetriNet& net, const Marking& target) { return decide(net, target).verdict; }

// Any number of threads and one lock.
struct Mutex {
  PetriNet net;
  PlaceId idle = net.add_place(kAny), lock = net.add_place(1), critical = net.add_place();
  TransitionId enter = net.add_transition({{idle}, {lock}}, {{critical}});
  TransitionId leave = net.add_transition({{critical}}, {{idle}, {lock}});
};

TEST(Coverability, MutualExclusionForAnyNumberOfThreads) {
  Mutex m;
  const CoverResult one = decide(m.net, {{m.critical}}, true);
  EXPECT_EQ(one.verdict, CoverVerdict::kCoverable);
  EXPECT_EQ(one.run.transitions, std::vector{m.enter});
  EXPECT_EQ(one.run.demand, (Marking{{m.idle, 1}}));
  EXPECT_EQ(verdict(m.net, {{m.critical, 2}}), CoverVerdict::kNotCoverable);
  EXPECT_EQ(verdict(m.net, {{m.critical}, {m.lock}}), CoverVerdict::kNotCoverable);
  EXPECT_EQ(verdict(m.net, {{m.critical}, {m.idle, 7}}), CoverVerdict::kCoverable);
}

TEST(Coverability, AnExclusiveGroupAnswersWithoutSearching) {
  Mutex m;
  m.net.add_exclusive_group(std::vector{m.lock, m.critical});
  const CoverResult result = decide(m.net, {{m.critical, 2}});
  EXPECT_EQ(result.verdict, CoverVerdict::kNotCoverable);
  EXPECT_EQ(result.statistics.search.generated, 0u);
}

TEST(Coverability, AProducerCannotOverfillTheBuffer) {
  PetriNet net;
  const PlaceId producer = net.add_place(1), consumer = net.add_place(1), free = net.add_place(3),
                full = net.add_place();
  net.add_transition({{producer}, {free}}, {{producer}, {full}});
  net.add_transition({{consumer}, {full}}, {{consumer}, {free}});
  EXPECT_EQ(verdict(net, {{full, 3}}), CoverVerdict::kCoverable);
  EXPECT_EQ(verdict(net, {{full, 4}}), CoverVerdict::kNotCoverable);
  EXPECT_EQ(verdict(net, {{full, 2}, {free, 2}}), CoverVerdict::kNotCoverable);
}

TEST(Coverability, FindsHowManyTokensAreNeeded) {
  for (std::uint32_t k = 1; k <= 6; ++k) {
    PetriNet net;
    const PlaceId idle = net.add_place(kAny), ready = net.add_place(), goal = net.add_place();
    net.add_transition({{idle}}, {{ready}});
    net.add_transition({{ready, k}}, {{goal}});
    const CoverResult result = decide(net, {{goal}}, true);
    EXPECT_EQ(result.run.demand, (Marking{{idle, k}}));
    EXPECT_EQ(result.run.transitions.size(), k + 1);
  }
}

// Eight tokens at once, or one that doubles.
TEST(Coverability, PrefersTheRunThatNeedsFewerTokens) {
  PetriNet net;
  const PlaceId idle = net.add_place(kAny), ready = net.add_place(), slow = net.add_place(),
                goal = net.add_place();
  net.add_transition({{idle}}, {{ready}});
  net.add_transition({{ready, 8}}, {{goal}});
  net.add_transition({{idle}}, {{slow}});
  net.add_transition({{slow}}, {{slow}, {ready}});
  const CoverResult result = decide(net, {{goal}}, true);
  EXPECT_EQ(result.run.demanded(), 1u);
  EXPECT_EQ(result.run.transitions.size(), 10u);
}

// A token goes back to where it came from, so that one suffices for all places.
TEST(Coverability, CountsPlacesThatAreRefilled) {
  PetriNet net;
  const PlaceId idle = net.add_place(kAny), goal = net.add_place();
  net.add_transition({{idle}}, {{goal}, {idle}});
  EXPECT_EQ(decide(net, {{goal, 5}}, true).run.demanded(), 1u);
  net.add_transition({}, {{idle}});
  EXPECT_EQ(decide(net, {{goal, 5}}, true).run.demanded(), 0u);
}

// The counter doubles: 2^6 tokens in a place from one.
TEST(Coverability, CountsHigh) {
  PetriNet net;
  std::vector<PlaceId> level;
  for (std::uint32_t i = 0; i <= 6; ++i) level.push_back(net.add_place(i == 0));
  for (std::size_t i = 0; i < 6; ++i) net.add_transition({{level[i]}}, {{level[i + 1], 2}});
  EXPECT_EQ(verdict(net, {{level[6], 64}}), CoverVerdict::kCoverable);
  EXPECT_EQ(verdict(net, {{level[6], 65}}), CoverVerdict::kNotCoverable);
}

// A cell with three values. Threads set it to 1 and, if they see 2, reach the goal; nobody writes 2 unless
// `writes_two`.
struct Cell {
  PetriNet net;
  PlaceId start = net.add_place(kAny), waits = net.add_place(), goal = net.add_place();
  std::vector<PlaceId> x{net.add_place(1), net.add_place(), net.add_place()};

  explicit Cell(bool writes_two) {
    net.add_exclusive_group(x);
    net.add_transition({{start}}, {{waits}}, {x[1]});
    net.add_transition({{waits}, {x[2]}}, {{goal}, {x[2]}});
    if (writes_two) net.add_transition({{waits}, {x[1]}}, {{waits}, {x[2]}});
  }
};

TEST(Coverability, TransitionsSetGroups) {
  Cell cell(true);
  EXPECT_EQ(verdict(cell.net, {{cell.goal, 3}}), CoverVerdict::kCoverable);
  EXPECT_EQ(decide(cell.net, {{cell.waits}, {cell.x[1]}}, true).run.demanded(), 1u);
  EXPECT_EQ(verdict(cell.net, {{cell.waits}, {cell.x[0]}}), CoverVerdict::kNotCoverable);
  EXPECT_EQ(verdict(cell.net, {{cell.x[1]}, {cell.x[2]}}), CoverVerdict::kNotCoverable);
  EXPECT_EQ(decide(cell.net, {{cell.goal}, {cell.x[1]}}, true).run.demanded(), 2u);
}

TEST(Coverability, WhatIsNeverMarkedIsPruned) {
  Cell cell(false);
  const CoverResult result = decide(cell.net, {{cell.goal}});
  EXPECT_EQ(result.verdict, CoverVerdict::kNotCoverable);
  EXPECT_EQ(result.statistics.live_transitions, 1u);
  EXPECT_EQ(result.statistics.search.generated, 0u);
  EXPECT_EQ(result.certificate.dead, (std::vector{cell.goal, cell.x[2]}));
}

TEST(Coverability, TheEmptyTargetIsCovered) {
  Mutex m;
  EXPECT_EQ(verdict(m.net, {}), CoverVerdict::kCoverable);
  EXPECT_EQ(verdict(PetriNet(), {}), CoverVerdict::kCoverable);
}

TEST(Coverability, WrongGroupsAreRefused) {
  Mutex m;
  m.net.add_exclusive_group(std::vector{m.lock});
  EXPECT_FALSE(groups_hold(m.net));
  Context context;
  EXPECT_THROW(coverable(m.net, {{m.critical}}, {}, context), InternalError);
  EXPECT_NE(check_certificate(m.net, {{m.critical, 2}}, {}), "");
}

TEST(PetriCertificate, MistakesAreSeen) {
  Mutex m;
  const Marking target{{m.critical, 2}};
  const CoverCertificate good = decide(m.net, target).certificate;
  ASSERT_GE(good.basis.size(), 2u);
  for (std::size_t i = 0; i < good.basis.size(); ++i) {
    CoverCertificate less = good;
    less.basis.erase(less.basis.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(check_certificate(m.net, target, less), "") << "without element " << i;
  }
  CoverCertificate initial = good;
  initial.basis.push_back({{m.lock, 1}});
  EXPECT_NE(check_certificate(m.net, target, initial), "");
  CoverCertificate dead = good;
  dead.dead.push_back(m.critical);
  EXPECT_NE(check_certificate(m.net, target, dead), "");
  EXPECT_NE(check_certificate(m.net, {{m.critical}}, good), "");
}

TEST(PetriCertificate, MistakesInInvariantsAreSeen) {
  Mutex m;
  const Marking target{{m.critical, 2}};
  const std::vector<Marking> good{{{m.idle, kAny}, {m.lock}}, {{m.idle, kAny}, {m.critical}}};
  EXPECT_EQ(check_invariant(m.net, target, good), "");
  EXPECT_NE(check_invariant(m.net, target, {good[0]}), "");                           // not closed
  EXPECT_NE(check_invariant(m.net, target, {good[1]}), "");                           // without the start
  EXPECT_NE(check_invariant(m.net, target, {{{m.idle, 5}, {m.lock}}, good[1]}), "");  // with too little of it
  EXPECT_NE(check_invariant(m.net, {{m.critical}}, good), "");                        // with the target
  m.net.add_exclusive_group(std::vector{m.lock});
  EXPECT_NE(check_invariant(m.net, target, good), "");  // the group is none
}

// Where markings have no end, the number is limited.
TEST(Coverability, ForwardStopsAtItsLimit) {
  std::vector<PlaceId> places;
  PetriNet net;
  for (std::uint32_t i = 0; i < 12; ++i) places.push_back(net.add_place(1));
  for (std::size_t i = 0; i < places.size(); ++i)
    net.add_transition({{places[i]}}, {{places[(i + 1) % places.size()]}});
  Context context;
  const ForwardResult result = coverable_forward(net, {{places[0], 13}}, {.most_markings = 50}, context);
  EXPECT_EQ(result.verdict, CoverVerdict::kStopped);
  EXPECT_EQ(result.markings, 51u);
}

TEST(PetriCertificate, WrongRunsAreSeen) {
  Mutex m;
  EXPECT_EQ(check_run(m.net, {{m.critical}}, {{{m.idle, 1}}, {m.enter}}), "");
  EXPECT_NE(check_run(m.net, {{m.critical}}, {{}, {m.enter}}), "");
  EXPECT_NE(check_run(m.net, {{m.critical}}, {{{m.idle, 1}}, {m.enter, m.leave}}), "");
  EXPECT_NE(check_run(m.net, {{m.critical, 2}}, {{{m.idle, 2}}, {m.enter, m.enter}}), "");
  EXPECT_NE(check_run(m.net, {{m.critical}}, {{{m.lock, 1}}, {m.enter}}), "");
}

// Counters that are raised at the expense of others: a basis that grows for long.
PetriNet slow_net(std::vector<PlaceId>& places) {
  PetriNet net;
  for (std::uint32_t i = 0; i < 12; ++i) places.push_back(net.add_place(1));
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const PlaceId a = places[i], b = places[i + 1], c = places[(i + 5) % places.size()];
    net.add_transition({{a, 2}, {c}}, {{b, 2}});
    net.add_transition({{b, 3}}, {{a, 1}, {c, 2}});
  }
  return net;
}

TEST(Coverability, StopsSoonAfterItIsAsked) {
  std::vector<PlaceId> places;
  const PetriNet net = slow_net(places);
  Marking target;
  for (const PlaceId place : places) target.push_back({place, 9});
  Context context;
  std::chrono::steady_clock::time_point asked;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    asked = std::chrono::steady_clock::now();
    context.request_stop(StopReason::kInterrupt);
  });
  const CoverResult result = coverable(net, target, {}, context);
  const auto returned = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_EQ(result.verdict, CoverVerdict::kStopped);
  EXPECT_GT(result.statistics.search.generated, 0u);
  EXPECT_LT(returned - asked, std::chrono::milliseconds(500));  // 100, and slack for a busy machine
}

}  // namespace weir::petri_net_test
