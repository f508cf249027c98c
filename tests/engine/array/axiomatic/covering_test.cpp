// When a cube of events lies within another as far as events go: each demand of the more general one must be
// met, and nothing else matters. A demand that is forgotten makes the search end too early, with a wrong
// "safe".
#include "engine/array/axiomatic/covering.hpp"

#include <gtest/gtest.h>

#include "selfcheck/random/array_builder.hpp"

namespace weir::test::array_axiomatic_covering_test {

using namespace selfcheck;
using namespace weir::array;

class ArrayAxiomaticCovering : public ::testing::Test {
 protected:
  ArrayAxiomaticCovering()
      : system_(empty_array_system("cubes")),
        x_(add_symbol(system_, "X", kIntegerSort, 0, true)),
        y_(add_symbol(system_, "Y", kIntegerSort, 0, true)),
        a_(add_symbol(system_, "A", kIntegerSort, 1, true)),
        vocabulary_(system_) {}

  static Node variable(SymbolId symbol) { return Node::cell(symbol, nullptr, 0); }
  Node of_array(std::uint8_t process) const { return Node::cell(a_, &process, 1); }
  static Event write(std::uint8_t process, std::uint8_t instant, std::vector<Node> cells) {
    return {.write = true, .process = process, .instant = instant, .cells = std::move(cells)};
  }
  static Event read(std::uint8_t process, std::uint8_t instant) {
    return {.process = process, .instant = instant};
  }

  std::size_t embeddings(const EventCube& general, const EventCube& special, bool issue_order = false) const {
    std::size_t count = 0;
    each_embedding(general, special, vocabulary_, issue_order, [&](std::vector<Constraint>&&) {
      ++count;
      return true;
    });
    return count;
  }

  ArraySystem system_;
  SymbolId x_, y_, a_;
  Vocabulary vocabulary_;
};

TEST_F(ArrayAxiomaticCovering, MoreEventsDemandMore) {
  const EventCube one{.processes = 1, .events = {write(0, 0, {variable(x_)})}};
  const EventCube two{.processes = 1, .events = {write(0, 0, {variable(x_)}), write(0, 1, {variable(x_)})}};
  EXPECT_EQ(embeddings(one, two), 2u);
  EXPECT_EQ(embeddings(two, one), 0u);
}

TEST_F(ArrayAxiomaticCovering, ProgramOrderIsKept) {
  const EventCube xy{.processes = 1, .events = {write(0, 0, {variable(x_)}), write(0, 1, {variable(y_)})}};
  const EventCube yx{.processes = 1, .events = {write(0, 0, {variable(y_)}), write(0, 1, {variable(x_)})}};
  EXPECT_EQ(embeddings(xy, xy), 1u);
  EXPECT_EQ(embeddings(xy, yx), 0u);
}

TEST_F(ArrayAxiomaticCovering, OrderBetweenProcessesMattersIfIssueDoes) {
  const EventCube xy{.processes = 2, .events = {write(0, 0, {variable(x_)}), write(1, 1, {variable(y_)})}};
  const EventCube yx{.processes = 2, .events = {write(1, 0, {variable(y_)}), write(0, 1, {variable(x_)})}};
  EXPECT_EQ(embeddings(xy, yx, false), 1u);
  EXPECT_EQ(embeddings(xy, yx, true), 0u);
}

TEST_F(ArrayAxiomaticCovering, ReadsKeepTheirWrites) {
  EventCube free{.processes = 2,
                 .events = {write(0, 0, {variable(x_)}), write(0, 1, {variable(x_)}), read(1, 2)},
                 .from = {{variable(x_), 1, 2}}};
  EventCube other = free;
  other.from[0].write = 0;
  EventCube waiting = free;
  waiting.from.clear();
  waiting.waiting = {{variable(x_), 2}};
  EXPECT_EQ(embeddings(free, free), 1u);
  EXPECT_EQ(embeddings(free, other), 0u);
  EXPECT_EQ(embeddings(free, waiting), 0u);
  EXPECT_EQ(embeddings(waiting, free), 0u);
}

TEST_F(ArrayAxiomaticCovering, FencesViewsAndInstantsAreDemands) {
  const EventCube plain{.processes = 1, .events = {read(0, 0), write(0, 1, {variable(x_)})}};
  EventCube fenced = plain, final = plain, atomic = plain;
  fenced.events[0].fenced = true;
  final.events[0].final = true;
  atomic.events[1].instant = 0;
  for (const EventCube& stricter : {fenced, final, atomic}) {
    EXPECT_EQ(embeddings(plain, stricter), 1u);
    EXPECT_EQ(embeddings(stricter, plain), 0u);
  }
}

// The event writes the cells of all processes; a process that only the special cube names must be among them.
TEST_F(ArrayAxiomaticCovering, ProcessesNotNamedAreWrittenToo) {
  EventCube general{.processes = 1, .events = {write(0, 0, {of_array(0)})}};
  general.events[0].elsewhere = {a_};
  EventCube special{.processes = 2, .events = {write(0, 0, {of_array(0), of_array(1)})}};
  EXPECT_EQ(embeddings(general, special), 0u);
  special.events[0].elsewhere = {a_};
  EXPECT_EQ(embeddings(general, special), 1u);
  special.events[0].cells = {of_array(0)};
  EXPECT_EQ(embeddings(general, special), 0u);
}

TEST_F(ArrayAxiomaticCovering, ConstraintsFollowTheirReads) {
  EventCube general{.processes = 1, .events = {read(0, 0)}, .waiting = {{variable(y_), 0}}};
  general.constraints = {{ConstraintKind::kAtMost, Node::value_of_read(y_, 0), Node::zero(), 7}};
  const EventCube special{
      .processes = 1, .events = {read(0, 0)}, .waiting = {{variable(x_), 0}, {variable(y_), 0}}};
  std::vector<Constraint> found;
  each_embedding(general, special, vocabulary_, false, [&](std::vector<Constraint>&& constraints) {
    found = std::move(constraints);
    return true;
  });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a, Node::value_of_read(y_, 1));
}

}  // namespace weir::test::array_axiomatic_covering_test
