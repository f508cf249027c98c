// The checker of dual-TSO certificates, on which every safe answer of the backward search rests: it accepts
// certificates written by hand and those of a textbook saturation, which also shows that TSO with load
// buffers is TSO; and no certificate that was damaged.
#include "check/dual/certificate.hpp"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "check/explore.hpp"
#include "program/instances.hpp"
#include "program/text/text.hpp"
#include "selfcheck/random/program_generator.hpp"
#include "support/dual_saturation.hpp"
#include "support/text_program.hpp"
#include "support/tiny_program.hpp"

namespace weir::test::dual_certificate_test {

using namespace selfcheck;
using testing::HasSubstr;
using testing::StartsWith;

using Element = DualCertificate::Element;
using Member = DualCertificate::Member;
using Message = DualCertificate::Message;

constexpr Value kX = 0, kY = 1;  // the addresses of the first two variables of a TinyProgram

Message plain(Value address, Value value) { return {.address = address, .value = value, .own = false}; }
Message own(Value address) { return {.address = address, .value = {}, .own = true}; }

// Store buffering with stores that drain the buffer. Each thread goes on to its last location if it read 0.
struct StoreBuffering {
  TinyProgram tiny{{"x", "y"}};
  DualCertificate certificate;

  StoreBuffering() {
    Program& program = tiny.program();
    add_thread("P", "x", "y");
    add_thread("Q", "y", "x");
    certificate.values = {{kX, {0, 1}}, {kY, {0, 1}}};
    for (std::uint32_t p = 0; p < 5; ++p)
      for (std::uint32_t q = 0; q < 5; ++q)
        if (p < 4 || q < 4) certificate.elements.push_back(element(p, q));
    EXPECT_EQ(program.threads.size(), 2u);
  }

  // Where a thread is on its way to the goal, the goal first: it has still to find 0 in the variable of the
  // other, once it is in its buffer or while memory contains it.
  static void add_member(Element& element, std::uint32_t thread, std::uint32_t stage) {
    const Value other = thread == 0 ? kY : kX;
    const std::uint32_t first = thread * 5;
    switch (stage) {
      case 0: return element.threads.push_back({first + 4, {}});
      case 1: return element.threads.push_back({first + 2, {}});
      case 2: return element.threads.push_back({first + 1, {plain(other, 0)}});
      default:
        element.threads.push_back({first + (stage == 3 ? 1 : 0), {}});
        element.memory.emplace_back(other, 0);
    }
  }

  static Element element(std::uint32_t p, std::uint32_t q) {
    Element both;
    add_member(both, 0, p);
    add_member(both, 1, q);
    return both;
  }

  std::string mistake() { return certificate_mistake(tiny.program(), certificate); }

 private:
  void add_thread(const std::string& name, const std::string& mine, const std::string& other) {
    TinyThread thread = tiny.thread(name);
    std::vector<LocationId> at{thread.here()};
    at.push_back(thread.store(mine, 1, Order::kSequential).here());
    at.push_back(thread.load("r", other).here());
    at.push_back(thread.assume_equal("r", 0).here());
    tiny.program().properties.goals.resize(1);
    tiny.program().properties.goals[0].push_back({thread.id(), at[3]});
    for (const auto& [location, value] : std::vector<std::pair<LocationId, Value>>{
             {at[0], 0}, {at[1], 0}, {at[2], 0}, {at[2], 1}, {at[3], 0}})
      certificate.states.push_back({thread.id(), location, {value}});
  }
};

TEST(DualCertificate, OfStoreBufferingWithFencesIsAccepted) { EXPECT_EQ(StoreBuffering().mistake(), ""); }

TEST(DualCertificate, NeedsEveryElement) {
  const std::size_t count = StoreBuffering().certificate.elements.size();
  ASSERT_EQ(count, 24u);
  for (std::size_t i = 0; i < count; ++i) {
    StoreBuffering damaged;
    damaged.certificate.elements.erase(damaged.certificate.elements.begin() + static_cast<std::ptrdiff_t>(i));
    // The first one is the goal itself.
    EXPECT_THAT(damaged.mistake(), StartsWith(i == 0 ? "a violation (a goal)" : "a predecessor")) << i;
  }
}

TEST(DualCertificate, MustNotBeAboutTheInitialConfiguration) {
  StoreBuffering damaged;
  damaged.certificate.elements.push_back(StoreBuffering::element(4, 4));
  EXPECT_THAT(damaged.mistake(), StartsWith("an initial configuration is above an element"));
  damaged.certificate.elements.back() = {};  // everything
  EXPECT_THAT(damaged.mistake(), StartsWith("an initial configuration is above an element"));
}

TEST(DualCertificate, NeedsEveryValue) {
  StoreBuffering stored, initial, unknown;
  stored.certificate.values[0].second = {0};
  EXPECT_THAT(stored.mistake(), HasSubstr("P at L0 (r = 0) stores 1 to x"));
  initial.certificate.values[1].second = {1};
  EXPECT_EQ(initial.mistake(), "a value is missing: what y holds at the start");
  unknown.certificate.values.pop_back();
  EXPECT_THAT(unknown.mistake(), StartsWith("there are no values of y"));
}

TEST(DualCertificate, NeedsEveryLocalState) {
  for (std::uint32_t i = 0; i < 10; ++i) {
    StoreBuffering damaged;
    damaged.certificate.states.erase(damaged.certificate.states.begin() + i);
    EXPECT_THAT(damaged.mistake(), StartsWith("a local state is missing")) << i;
  }
}

TEST(DualCertificate, MustSayWhatItMeans) {
  StoreBuffering twice, foreign, outside, two_values, no_value;
  twice.certificate.states.push_back(twice.certificate.states.front());
  EXPECT_THAT(twice.mistake(), StartsWith("a local state is listed twice"));
  foreign.certificate.states.push_back({ThreadId(1), LocationId(0), {0}});
  EXPECT_THAT(foreign.mistake(), StartsWith("local state 10 is none of the program's"));
  outside.certificate.elements[3].threads[0].state = 10;
  EXPECT_EQ(outside.mistake(), "element 3 mentions a local state that is not listed");
  two_values.certificate.elements[4].memory = {{kX, 0}, {kX, 1}};
  EXPECT_EQ(two_values.mistake(), "element 4 mentions a cell twice");
  no_value.certificate.elements[2].threads[1].buffer[0].value.reset();
  EXPECT_THAT(no_value.mistake(), StartsWith("element 2 has a message without a value"));
}

// Of two threads there are not three.
TEST(DualCertificate, MayContainWhatCannotBe) {
  StoreBuffering more;
  more.certificate.elements.push_back({{}, {{0, {}}, {0, {}}}});
  more.certificate.elements.push_back({{{kX, 7}}, {{0, {}}}});
  EXPECT_EQ(more.mistake(), "");
}

// Elements may tell each value of a cell by itself, and what the other thread does.
TEST(DualCertificate, MayCoverByCases) {
  StoreBuffering cases;
  std::vector<Element>& elements = cases.certificate.elements;
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (!elements[i].memory.empty()) continue;
    elements.push_back(elements[i]);
    elements[i].memory = {{kX, 0}};
    elements.back().memory = {{kX, 1}};
  }
  EXPECT_EQ(cases.mistake(), "");
  elements.pop_back();
  EXPECT_NE(cases.mistake(), "");
}

// One thread that stores 1 and must not read 0 afterwards; its own message tells it.
struct ReadOwnStore {
  TinyProgram tiny{{"x"}};
  DualCertificate certificate;

  ReadOwnStore() {
    TinyThread thread = tiny.thread("P");
    std::vector<LocationId> at{thread.here()};
    at.push_back(thread.store("x", 1).here());
    at.push_back(thread.load("r", "x").here());
    at.push_back(thread.assume_equal("r", 0).here());
    tiny.program().properties.goals = {{{thread.id(), at[3]}}};
    certificate.values = {{kX, {0, 1}}};
    certificate.states = {{thread.id(), at[0], {0}},
                          {thread.id(), at[1], {0}},
                          {thread.id(), at[2], {0}},
                          {thread.id(), at[2], {1}},
                          {thread.id(), at[3], {0}}};
    certificate.elements = {
        {{}, {{4, {}}}},        {{}, {{4, {own(kX)}}}},        {{}, {{2, {}}}},
        {{}, {{2, {own(kX)}}}}, {{}, {{1, {plain(kX, 0)}}}},   {{}, {{1, {own(kX), plain(kX, 0)}}}},
        {{{kX, 0}}, {{1, {}}}}, {{{kX, 0}}, {{1, {own(kX)}}}},
    };
  }

  std::string mistake() { return certificate_mistake(tiny.program(), certificate); }
};

TEST(DualCertificate, KnowsOwnMessages) {
  EXPECT_EQ(ReadOwnStore().mistake(), "");
  for (const std::size_t i : {1, 3, 5, 7}) {
    ReadOwnStore damaged;
    damaged.certificate.elements[i].threads[0].buffer.erase(
        damaged.certificate.elements[i].threads[0].buffer.begin());
    EXPECT_THAT(damaged.mistake(), StartsWith("a predecessor")) << i;
  }
}

// The only value that can be there may be told or not; one that cannot be there does not help.
TEST(DualCertificate, KnowsTheValuesOfOwnMessages) {
  ReadOwnStore told, wrong, twice;
  told.certificate.elements[7].threads[0].buffer[0].value = 1;
  EXPECT_EQ(told.mistake(), "");
  wrong.certificate.elements[7].threads[0].buffer[0].value = 0;
  EXPECT_THAT(wrong.mistake(), StartsWith("a predecessor"));
  twice.certificate.elements[7].threads[0].buffer.push_back(own(kX));
  EXPECT_THAT(twice.mistake(), HasSubstr("element 7 has two own messages for x"));
}

// A test-and-set lock, released by a plain store, for two threads or for any number.
struct TestAndSet {
  TinyProgram tiny{{"lock"}};
  DualCertificate certificate;

  explicit TestAndSet(bool any_number) {
    TinyThread thread = tiny.thread("P");
    const LocationId start = thread.here();
    const LocationId tested = thread.exchange("r", "lock", 1).here();
    const LocationId critical = thread.assume_equal("r", 0).here();
    Program& program = tiny.program();
    Instruction release{.op = Opcode::kStore};
    release.a = program.constant(kX);
    release.b = program.constant(0);
    thread.jump_to(start, release);
    thread.continue_at(tested).jump_to(start, {.op = Opcode::kAssume, .a = thread.equal("r", 1)});
    program.properties.exclusive = {{{thread.id(), critical}}};
    if (!any_number) {
      const ThreadId second = program.add_thread("Q", thread.function());
      program.properties.exclusive[0].push_back({second, critical});
    }
    certificate.any_number = any_number;
    certificate.values = {{kX, {0, 1}}};
    certificate.states = {{thread.id(), start, {0}},
                          {thread.id(), start, {1}},
                          {thread.id(), tested, {0}},
                          {thread.id(), tested, {1}},
                          {thread.id(), critical, {0}}};
    const std::vector<Member> holders{{4, {}}, {2, {}}, {4, {own(kX)}}, {2, {own(kX)}}};
    for (std::size_t i = 0; i < holders.size(); ++i) {
      for (std::size_t j = i; j < holders.size(); ++j)
        certificate.elements.push_back({{}, {holders[i], holders[j]}});
      certificate.elements.push_back({{{kX, 0}}, {holders[i]}});
    }
  }

  std::string mistake() { return certificate_mistake(tiny.program(), certificate); }
};

TEST(DualCertificate, OfALockHoldsForAnyNumberOfThreads) {
  for (const bool any_number : {false, true}) {
    EXPECT_EQ(TestAndSet(any_number).mistake(), "");
    for (std::size_t i = 0; i < TestAndSet(any_number).certificate.elements.size(); ++i) {
      TestAndSet damaged(any_number);
      damaged.certificate.elements.erase(damaged.certificate.elements.begin() +
                                         static_cast<std::ptrdiff_t>(i));
      EXPECT_THAT(damaged.mistake(), HasSubstr("is above no element")) << i;
      EXPECT_EQ(damaged.mistake().starts_with("a violation (broken mutual exclusion)"), i == 0);
    }
  }
}

// What is proved for two threads is not proved for any number: a third one is not mentioned and writes.
TEST(DualCertificate, OfOneThreadDoesNotHoldForAnyNumber) {
  TinyProgram tiny({"x"});
  TinyThread thread = tiny.thread("P");
  const LocationId start = thread.here();
  const LocationId tested = thread.exchange("r", "x", 1).here();
  const LocationId goal = thread.assume_equal("r", 1).here();
  tiny.program().properties.goals = {{{thread.id(), goal}}};
  DualCertificate certificate;
  certificate.values = {{kX, {0, 1}}};
  certificate.states = {{thread.id(), start, {0}},
                        {thread.id(), tested, {0}},
                        {thread.id(), tested, {1}},
                        {thread.id(), goal, {1}}};
  certificate.elements = {{{}, {{3, {}}}}, {{}, {{2, {}}}}, {{{kX, 1}}, {{0, {}}}}};
  EXPECT_EQ(certificate_mistake(tiny.program(), certificate), "");
  certificate.any_number = true;
  EXPECT_THAT(certificate_mistake(tiny.program(), certificate), StartsWith("a predecessor of an element"));
}

// Two elements must not vouch for each other: that neither thread may be at its end with an empty buffer says
// nothing about messages in both buffers. Nobody gets to these places; there, the threads could store.
TEST(DualCertificate, LooksAtAllBuffersOfThreadsThatItAdds) {
  TinyProgram tiny({"x", "y"});
  Program& program = tiny.program();
  DualCertificate certificate;
  for (const Value address : {kX, kY}) {
    TinyThread thread = tiny.thread(address == kX ? "P" : "Q");
    const LocationId start = thread.here();
    const LocationId end = thread.add({.op = Opcode::kAssume, .a = program.constant(0)}).here();
    thread.jump_to(end, {.op = Opcode::kStore, .a = program.constant(address), .b = program.constant(1)});
    program.properties.goals.resize(1);
    program.properties.goals[0].push_back({thread.id(), end});
    certificate.values.push_back({address, {0, 1}});
    certificate.states.push_back({thread.id(), start, {}});
    certificate.states.push_back({thread.id(), end, {}});
  }
  const std::vector<Message> x{own(kX)}, y{own(kY)};
  certificate.elements = {
      {{}, {{1, {}}}},        {{}, {{3, {}}}},         {{}, {{1, x}, {2, {}}}},
      {{}, {{1, x}, {2, y}}}, {{}, {{3, y}, {0, {}}}}, {{}, {{3, y}, {0, x}}},
  };
  EXPECT_THAT(certificate_mistake(program, certificate), StartsWith("a predecessor of an element"));
  certificate.elements.push_back({{}, {{1, x}, {3, y}}});
  EXPECT_EQ(certificate_mistake(program, certificate), "");
}

// x is always 0, although the certificate also thinks of 1.
TEST(DualCertificate, KnowsFailingAssertions) {
  TinyProgram tiny({"x"});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  const LocationId tested = p.load("r", "x").here();
  const LocationId end = p.assert_equal("r", 0).here();
  DualCertificate certificate;
  certificate.values = {{kX, {0, 1}}};
  certificate.states = {
      {p.id(), start, {0}}, {p.id(), tested, {0}}, {p.id(), tested, {1}}, {p.id(), end, {0}}};
  certificate.elements = {{{{kX, 1}}, {{0, {}}}}, {{}, {{0, {plain(kX, 1)}}}}, {{}, {{2, {}}}}};
  EXPECT_EQ(certificate_mistake(tiny.program(), certificate), "");
  certificate.elements.pop_back();
  EXPECT_THAT(certificate_mistake(tiny.program(), certificate),
              StartsWith("a violation (an instruction that fails)"));
}

// A thread writes a cell before it reads it; reading what was there at the start would fail.
TEST(DualCertificate, KnowsUninitialisedCells) {
  TinyProgram tiny({});
  tiny.variable("x", kInt64, {kUninitialised});
  TinyThread p = tiny.thread("P");
  const LocationId start = p.here();
  const LocationId stored = p.store("x", 1).here();
  const LocationId end = p.load("r", "x").here();
  DualCertificate certificate;
  certificate.values = {{kX, {1, kUninitialised}}};
  certificate.states = {{p.id(), start, {0}}, {p.id(), stored, {0}}, {p.id(), end, {1}}};
  certificate.elements = {
      {{{kX, kUninitialised}}, {{1, {}}}},
      {{{kX, kUninitialised}}, {{1, {own(kX)}}}},
      {{}, {{1, {own(kX), plain(kX, kUninitialised)}}}},
      {{}, {{1, {plain(kX, kUninitialised)}}}},
  };
  EXPECT_EQ(certificate_mistake(tiny.program(), certificate), "");
  certificate.elements.pop_back();
  EXPECT_THAT(certificate_mistake(tiny.program(), certificate),
              StartsWith("a violation (an instruction that fails)"));
}

// What is refused.

std::string refusal(const Program& program, DualCertificate certificate = {}) {
  for (const SharedObject& object : program.objects) certificate.values.push_back({object.base, {0}});
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    const Function& function = program.function(program.threads[i].function);
    certificate.states.push_back(
        {ThreadId(i), function.entry, std::vector<Value>(function.registers.size())});
  }
  return certificate_mistake(program, certificate);
}

TEST(DualCertificate, RefusesWhatItDoesNotKnow) {
  TextProgram calls, blocks, frames;
  calls.function("f", {"nop"}).thread("P", {"call f()"});
  EXPECT_EQ(refusal(calls.program()), "programs with calls cannot be checked this way");
  blocks.thread("P", {"p := allocate heap 4"});
  EXPECT_EQ(refusal(blocks.program()), "programs that allocate memory cannot be checked this way");
  frames.thread("P", {"nop"}, "  private a : 4 at 0\n");
  EXPECT_EQ(refusal(frames.program()), "programs with private memory cannot be checked this way");
  EXPECT_EQ(refusal(TextProgram().thread("P", {"nop"}).program(), {.model = Model::kPso}),
            "certificates are about SC and TSO");
}

TEST(DualCertificate, RefusesPropertiesThatItDoesNotKnow) {
  const auto ask = [](const std::function<void(Program&)>& change) {
    TinyProgram tiny({"x"});
    tiny.thread("P");
    change(tiny.program());
    return refusal(tiny.program());
  };
  EXPECT_EQ(ask([](Program&) {}), "");
  EXPECT_THAT(ask([](Program& p) { p.properties.deadlock = true; }), HasSubstr("deadlocks"));
  EXPECT_THAT(ask([](Program& p) { p.properties.races = true; }), HasSubstr("races"));
  EXPECT_THAT(ask([](Program& p) { p.properties.leaks = true; }), HasSubstr("leaks"));
}

// A section, and a property that can look at what it does.
TEST(DualCertificate, RefusesPropertiesThatSeeSections) {
  const auto ask = [](const std::function<void(Program&, LocationId)>& change) {
    TinyProgram tiny({"x"});
    TinyThread thread = tiny.thread("P").lock();
    const LocationId inside = thread.here();
    thread.store("x", 0).load("r", "x").unlock();
    Program& program = tiny.program();
    change(program, inside);
    DualCertificate certificate;
    certificate.values = {{kX, {0}}};
    certificate.states = {{thread.id(), program.functions[0].entry, {0}}, {thread.id(), thread.here(), {0}}};
    return certificate_mistake(program, certificate);
  };
  const auto invariant = [](Program& program, ExprOp op) {
    Expression leaf{.op = op, .reg = RegisterId(0), .thread = ThreadId(0)};
    program.properties.invariants = {
        {program.binary(ExprOp::kEq, program.add_expression(leaf), program.constant(0)), "", {}}};
  };
  EXPECT_EQ(ask([](Program&, LocationId) {}), "");
  EXPECT_THAT(ask([](Program& p, LocationId at) {
                p.properties.goals = {{{ThreadId(0), at}}};
              }),
              HasSubstr("places between lock and unlock"));
  EXPECT_THAT(ask([&](Program& p, LocationId) { invariant(p, ExprOp::kThreadRegister); }),
              HasSubstr("registers that change between lock and unlock"));
  EXPECT_THAT(ask([&](Program& p, LocationId) { invariant(p, ExprOp::kSharedCell); }),
              HasSubstr("memory that is written between lock and unlock"));
}

// Against saturation.

// Naive: `small` is below `large` if its threads are the first ones there, in some order.
bool buffer_below(const std::vector<Message>& small, const std::vector<Message>& large, std::size_t i = 0,
                  std::size_t j = 0) {
  if (j == large.size()) return i == small.size();
  const bool same = i < small.size() && small[i].address == large[j].address &&
                    small[i].own == large[j].own && small[i].value == large[j].value;
  return (same && buffer_below(small, large, i + 1, j + 1)) ||
         (!large[j].own && buffer_below(small, large, i, j + 1));
}

bool below(const Element& small, const Element& large) {
  const auto fits = [](const Member& a, const Member& b) {
    return a.state == b.state && buffer_below(a.buffer, b.buffer);
  };
  std::vector<std::size_t> order(large.threads.size());
  std::iota(order.begin(), order.end(), 0);
  if (small.memory != large.memory || small.threads.size() > order.size()) return false;
  do {
    bool all = true;
    for (std::size_t i = 0; i < small.threads.size(); ++i)
      all = all && fits(small.threads[i], large.threads[order[i]]);
    if (all) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

Genome small_genome(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_threads = 2;
  shape.max_instructions = static_cast<std::uint8_t>(2 + seed % 3);
  shape.max_variables = 2;
  shape.max_value = 1;
  shape.calls = shape.deadlocks = false;
  shape.loops = seed % 2 == 0;
  shape.nondeterminism = seed % 3 == 0;
  shape.locks = seed % 4 == 0;
  shape.failures = seed % 7 == 0;
  shape.extra.waiting_loads = shape.extra.stops = shape.extra.halts = shape.extra.dormant_threads =
      seed % 5 == 0;
  shape.extra.uninitialised = shape.extra.constants = seed % 5 == 1;
  return random_genome(seed, shape);
}

// Litmus tests: two threads of a few accesses to x and y, and what they must not read. Whether they can
// depends on the order of the accesses, and often on the model.
class RandomLitmus {
 public:
  explicit RandomLitmus(std::uint64_t seed) : random_(seed) {
    TinyThread first = thread("P");
    if (pick(6) == 0)
      tiny_.program().add_thread("Q", first.function());
    else
      thread("Q");
    add_property({ThreadId(0), ends_.front()}, {ThreadId(1), ends_.back()});
  }

  const Program& program() { return tiny_.program(); }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::string variable() { return pick(2) == 0 ? "x" : "y"; }
  std::string reg() { return *used_.insert(pick(2) == 0 ? "r" : "s").first; }

  TinyThread thread(const std::string& name) {
    TinyThread thread = tiny_.thread(name);
    thread.reg("r");
    thread.reg("s");
    for (std::uint32_t left = 2 + pick(2); left > 0; --left) add_instruction(thread);
    for (const std::string& read : std::exchange(used_, {}))
      thread.assume_equal(read, static_cast<Value>(pick(2)));
    ends_.push_back(thread.here());
    return thread;
  }

  void add_instruction(TinyThread& thread) {
    switch (pick(14)) {
      case 0: thread.fence(); break;
      case 1: thread.exchange(reg(), variable(), 1); break;
      case 2: thread.compare_exchange(reg(), variable(), 0, 1); break;
      case 3: thread.store(variable(), 1, Order::kSequential); break;
      case 4: thread.atomic_begin().load(reg(), variable()).store(variable(), 1).atomic_end(); break;
      case 5: thread.lock().store(variable(), 1).load(reg(), variable()).unlock(); break;
      case 6: thread.store_register(variable(), reg()); break;
      case 7:
      case 8:
      case 9: thread.store(variable(), 1); break;
      default: thread.load(reg(), variable());
    }
  }

  ExprId leaf(const Expression& expression) { return tiny_.program().add_expression(expression); }

  void add_property(const ThreadLocation& p, const ThreadLocation& q) {
    Program& program = tiny_.program();
    const auto never_both = [&](ExprId a, Value one, ExprId b, Value other) {
      const ExprId either =
          program.binary(ExprOp::kLogicalOr, program.binary(ExprOp::kNe, a, program.constant(one)),
                         program.binary(ExprOp::kNe, b, program.constant(other)));
      program.properties.invariants.push_back({either, "", {}});
    };
    switch (pick(6)) {
      case 0: program.properties.exclusive = {{p, q}}; break;
      case 1:
        never_both(leaf({.op = ExprOp::kSharedCell, .constant = kX}), 1,
                   leaf({.op = ExprOp::kSharedCell, .constant = kY}), pick(2));
        break;
      case 2:
        never_both(leaf({.op = ExprOp::kThreadRegister, .reg = RegisterId(0), .thread = p.thread}), pick(2),
                   leaf({.op = ExprOp::kThreadRegister, .reg = RegisterId(1), .thread = q.thread}), 1);
        break;
      default: program.properties.goals = {{p, q}};
    }
  }

  std::mt19937_64 random_;
  TinyProgram tiny_{{"x", "y"}};
  std::set<std::string> used_;    // registers of the current thread
  std::vector<LocationId> ends_;  // of each function
};

struct Comparisons {
  std::size_t safe = 0, unsafe = 0, refused = 0, too_large = 0, removed = 0, redundant = 0;
};

// Every element is a violation or a predecessor of another, so it is missed unless the others are below it.
std::string problem_without_element(const Program& program, DualCertificate certificate, std::uint64_t which,
                                    Comparisons& made) {
  if (certificate.elements.empty()) return "";
  const auto removed =
      certificate.elements.begin() + static_cast<std::ptrdiff_t>(which % certificate.elements.size());
  const Element element = *removed;
  certificate.elements.erase(removed);
  const bool still_there =
      std::ranges::any_of(certificate.elements, [&](const Element& other) { return below(other, element); });
  ++(still_there ? made.redundant : made.removed);
  return certificate_mistake(program, certificate).empty() == still_there ? "" : "a removed element";
}

// With so many copies of each thread; nothing if it takes too long to know.
std::optional<bool> can_violate(const Program& program, Model model,
                                const std::vector<std::uint32_t>& counts) {
  const ReferenceExploration explored =
      explore_all(with_instances(program, counts), model, {.states = 20'000, .buffered_stores = 4});
  if (!explored.violations.empty()) return true;
  return explored.complete ? std::optional(false) : std::nullopt;
}

// Empty if all is as it must be.
std::string disagreement(const Program& program, Model model, bool any_number, std::uint64_t seed,
                         Comparisons& made) {
  const std::optional<DualSaturation> saturated = saturate(program, model, any_number, 1500);
  if (!saturated) return ++made.too_large, "";
  const DualCertificate& certificate = saturated->certificate;
  const std::string mistake = certificate_mistake(program, certificate);
  if (mistake.find("cannot be checked") != std::string::npos) return ++made.refused, "";
  if (!saturated->violating.empty()) {
    ++made.unsafe;
    if (!mistake.starts_with("an initial configuration")) return "an initial element and: " + mistake;
    return can_violate(program, model, saturated->violating).value_or(true) ? "" : "nothing is violated";
  }
  ++made.safe;
  if (!mistake.empty()) return mistake;
  for (std::uint32_t copies = 1; copies <= (any_number ? 2 : 1); ++copies)
    if (can_violate(program, model, std::vector<std::uint32_t>(program.threads.size(), copies))
            .value_or(false))
      return "there is a violation";
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::string problem =
        problem_without_element(program, certificate, seed * 7919 + i * 104'729, made);
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string buffer_text(const std::vector<Message>& buffer) {
  std::string text;
  for (const Message& message : buffer) text += (message.own ? "XY" : "xy")[message.address];
  return text;
}

// What P does before it reads 1 from y, which Q writes once it has found z free that it has taken itself.
// `begin` says which place is looked at: what has P there with one of the buffers (own messages are capitals)
// is needed, whatever Q does and memory contains.
void expect_needed(const std::function<LocationId(TinyThread&)>& begin,
                   const std::set<std::string>& buffers) {
  TinyProgram tiny({"x", "y", "z"});
  TinyThread p = tiny.thread("P");
  const LocationId place = begin(p);
  const LocationId goal = p.load("r", "y").assume_equal("r", 1).here();
  tiny.thread("Q").exchange("s", "z", 1).exchange("s", "z", 1).assume_equal("s", 0).store("y", 1);
  tiny.program().properties.goals = {{{p.id(), goal}}};
  const std::optional<DualSaturation> saturated = saturate(tiny.program(), Model::kTso, false, 5000);
  ASSERT_TRUE(saturated);
  EXPECT_EQ(certificate_mistake(tiny.program(), saturated->certificate), "");
  for (const std::string& buffer : buffers) {
    DualCertificate damaged = saturated->certificate;
    EXPECT_GT(std::erase_if(damaged.elements,
                            [&](const Element& element) {
                              const Member& member = element.threads[0];
                              return damaged.states[member.state].location == place &&
                                     buffer_text(member.buffer) == buffer;
                            }),
              0u);
    EXPECT_THAT(certificate_mistake(tiny.program(), damaged), StartsWith("a predecessor")) << buffer;
  }
}

// Before the second store, the message of the first one can be anywhere in the buffer.
TEST(DualCertificate, NeedsWhatAStoreHides) {
  const auto begin = [](TinyThread& p) {
    const LocationId between = p.store("x", 1).here();
    p.store("x", 1);
    return between;
  };
  expect_needed(begin, {"", "X", "y", "yX", "Xy"});
}

TEST(DualCertificate, NeedsWhatIsReadFromOwnMessages) {
  const auto begin = [](TinyThread& p) {
    const LocationId before = p.store("x", 1).here();
    p.load("r", "x").assume_equal("r", 1);
    return before;
  };
  expect_needed(begin, {"X", "x", "yX", "xy", "Xy"});
}

// A message stays in the buffer when it is read.
TEST(DualCertificate, NeedsWhatIsReadTwice) {
  const auto begin = [](TinyThread& p) {
    const LocationId before = p.here();
    p.load("r", "y").assume_equal("r", 1);
    return before;
  };
  expect_needed(begin, {"y"});
}

void record(const Comparisons& made) {
  testing::Test::RecordProperty("safe", static_cast<int>(made.safe));
  testing::Test::RecordProperty("unsafe", static_cast<int>(made.unsafe));
  testing::Test::RecordProperty("refused", static_cast<int>(made.refused));
  testing::Test::RecordProperty("too_large", static_cast<int>(made.too_large));
  testing::Test::RecordProperty("removed", static_cast<int>(made.removed));
  testing::Test::RecordProperty("redundant", static_cast<int>(made.redundant));
}

TEST(DualCertificate, OfATextbookSaturationIsAcceptedAndSaysWhatTsoDoes) {
  Comparisons made;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomLitmus litmus(seed);
    for (const Model model : {Model::kSc, Model::kTso})
      ASSERT_EQ(disagreement(litmus.program(), model, false, seed, made), "")
          << seed << " " << name(model) << "\n"
          << print(litmus.program());
  }
  record(made);
  EXPECT_GE(made.unsafe, 100u);
  EXPECT_GE(made.removed, 100u);
}

TEST(DualCertificate, OfATextbookSaturationForAnyNumberIsAccepted) {
  Comparisons made;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomLitmus litmus(seed);
    for (const Model model : {Model::kSc, Model::kTso})
      ASSERT_EQ(disagreement(litmus.program(), model, true, seed, made), "")
          << seed << " " << name(model) << "\n"
          << print(litmus.program());
  }
  record(made);
  EXPECT_GE(made.unsafe, 15u);
  EXPECT_GE(made.removed, 8u);
}

// Every kind of instruction and property, though most of these programs are unsafe or have nothing to prove.
TEST(DualCertificate, KnowsAllInstructions) {
  Comparisons made;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Genome genome = small_genome(seed);
    const Program program = build(genome);
    for (const Model model : {Model::kSc, Model::kTso})
      ASSERT_EQ(disagreement(program, model, false, seed, made), "") << seed << " " << name(model) << "\n"
                                                                     << genome;
  }
  record(made);
  EXPECT_GE(made.safe, 100u);
  EXPECT_GE(made.unsafe, 100u);
}

}  // namespace weir::test::dual_certificate_test
