// Instances of programs whose threads are templates: names, ids and properties.
#include "program/instances.hpp"

#include <gtest/gtest.h>

#include "program/text/text.hpp"
#include "program/validate.hpp"
#include "support/tiny_program.hpp"

namespace weir::instances_test {

using Counts = std::vector<std::uint32_t>;

// P and Q with every kind of property.
Program templates() {
  test::TinyProgram tiny({"x"});
  test::TinyThread p = tiny.thread("P");
  p.load("r", "x");
  test::TinyThread q = tiny.thread("Q");
  q.store("x", 1);
  Program& program = tiny.program();
  program.properties.goals = {{{p.id(), p.here()}, {q.id(), q.here()}}};
  program.properties.exclusive = {{{p.id(), p.here()}, {q.id(), q.here()}}};
  const ExprId cell = program.add_expression({.op = ExprOp::kSharedCell, .constant = 0});
  const ExprId reg =
      program.add_expression({.op = ExprOp::kThreadRegister, .reg = p.reg("r"), .thread = p.id()});
  program.properties.invariants.push_back(
      {program.binary(ExprOp::kLt, cell, program.constant(2)), "x < 2", {}});
  program.properties.invariants.push_back({program.binary(ExprOp::kLe, reg, cell), "P.r <= x", {}});
  program.properties.deadlock = true;
  return program;
}

std::vector<std::string> names(const Program& program) {
  std::vector<std::string> result;
  for (const Thread& thread : program.threads) result.push_back(thread.name);
  return result;
}

TEST(Instances, CopiesAreNumberedAndEverythingElseKeepsItsId) {
  const Program program = templates();
  const Program instance = with_instances(program, Counts{3, 2});
  EXPECT_EQ(names(instance), (std::vector<std::string>{"P", "P.2", "P.3", "Q", "Q.2"}));
  EXPECT_EQ(instance.threads[2].function, program.threads[0].function);
  EXPECT_EQ(instance.edges.size(), program.edges.size());
  EXPECT_TRUE(validate(instance).empty());
  const Expected<Program> again = parse_program_text("again.weir", print(instance));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(names(again.value()), names(instance));
}

TEST(Instances, OneOfEachIsTheProgram) {
  const Program program = templates();
  EXPECT_EQ(print(with_instances(program, Counts{1, 1})), print(program));
}

TEST(Instances, PropertiesSpeakAboutFirstCopiesAndExclusionAboutAll) {
  const Program instance = with_instances(templates(), Counts{2, 1});
  ASSERT_EQ(instance.properties.goals.size(), 1u);
  ASSERT_EQ(instance.properties.goals[0].size(), 2u);
  EXPECT_EQ(instance.properties.goals[0][0].thread, ThreadId(0));
  EXPECT_EQ(instance.properties.goals[0][1].thread, ThreadId(2));
  EXPECT_EQ(instance.properties.exclusive[0].size(), 3u);
  EXPECT_EQ(instance.properties.invariants.size(), 2u);
  EXPECT_TRUE(instance.properties.deadlock);
}

TEST(Instances, ASingleThreadIsNeverCopied) {
  Program program = templates();
  program.threads[1].single = true;
  EXPECT_EQ(names(with_instances(program, 3)), (std::vector<std::string>{"P", "P.2", "P.3", "Q"}));
}

TEST(Instances, EveryGoalIsKeptOrDroppedForItself) {
  Program program = templates();
  program.properties.goals = {{program.properties.goals[0][0]}, {program.properties.goals[0][1]}};
  const Program instance = with_instances(program, Counts{0, 2});
  ASSERT_EQ(instance.properties.goals.size(), 1u);
  EXPECT_EQ(instance.properties.goals[0][0].thread, ThreadId(0));
}

TEST(Instances, WhatNamesAThreadWithoutCopiesIsDropped) {
  const Program instance = with_instances(templates(), Counts{0, 2});
  EXPECT_EQ(names(instance), (std::vector<std::string>{"Q", "Q.2"}));
  EXPECT_TRUE(instance.properties.goals.empty());
  EXPECT_EQ(instance.properties.exclusive[0].size(), 2u);
  ASSERT_EQ(instance.properties.invariants.size(), 1u);
  EXPECT_EQ(instance.properties.invariants[0].text, "x < 2");
  EXPECT_TRUE(validate(instance).empty());
}

}  // namespace weir::instances_test
