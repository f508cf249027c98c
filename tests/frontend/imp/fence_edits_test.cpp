// Protects fences in IMP files: where they can stand, and that the edited text means what `with_fences`
// means.
#include "frontend/imp/fence_edits.hpp"

#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/imp/imp.hpp"
#include "program/fences.hpp"

namespace weir::imp_fence_edits_test {

using test::rendered;
using test::same_behaviour;

Program parsed(const std::string& text) {
  auto program = parse_imp("a.imp", text);
  EXPECT_TRUE(program.ok()) << rendered(program) << text;
  return program.ok() ? std::move(*program) : Program{};
}

std::string fenced(const std::string& text, const std::vector<LocationId>& fences) {
  return apply_edits(text, imp_fence_edits(parsed(text), text, fences, {}));
}

std::string fenced_at(const std::string& text, std::string_view label) {
  return fenced(text, {parsed(text).find_label(FunctionId(0), label).value()});
}

std::vector<LocationId> sites(const std::string& text) {
  std::vector<LocationId> found;
  const std::vector<bool> possible = imp_fence_sites(parsed(text), text);
  for (std::size_t l = 0; l < possible.size(); ++l)
    if (possible[l]) found.push_back(LocationId(l));
  return found;
}

TEST(ImpFences, BeforeAStatementWithItsLabel) {
  EXPECT_EQ(
      fenced_at("program p\nvariables x\nprocess P begin\n  a: x := 1;\n\tb: skip; c: skip\nend\n", "b"),
      "program p\nvariables x\nprocess P begin\n  a: x := 1;\n\tb: fence;\n\t   skip; c: skip\nend\n");
  EXPECT_EQ(fenced_at("program p\nvariables x\nprocess P begin\n  a: x := 1; c: skip // it\nend\n", "c"),
            "program p\nvariables x\nprocess P begin\n  a: x := 1; c: fence; skip // it\nend\n");
}

TEST(ImpFences, BeforeAndInsideALoop) {
  const std::string head = "program p\nvariables x\nprocess P begin\n  x := 1;\n";
  EXPECT_EQ(fenced_at(head + "  l: while x = 1 do\n    skip // wait\n  od\nend\n", "l"),
            head + "  l: fence;\n     while x = 1 do\n    skip; // wait\n    fence\n  od\nend\n");
  EXPECT_EQ(fenced_at(head + "  l: while x = 1 do skip; od\nend\n", "l"),
            head + "  l: fence;\n     while x = 1 do skip; fence od\nend\n");
  EXPECT_EQ(fenced_at(head + "  l: while x = 1 do od\nend\n", "l"),
            head + "  l: fence;\n     while x = 1 do fence od\nend\n");
}

TEST(ImpFences, OnlyOneOfALoopOnRequest) {
  const std::string head = "program p\nvariables x\nprocess P begin\n  x := 1;\n";
  const std::string text = head + "  l: while x = 1 do skip od\nend\n";
  const Program program = parsed(text);
  const std::vector loop{program.find_label(FunctionId(0), "l").value()};
  const std::vector<LoopFences> both = imp_loops(program, text, sites(text));
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].loop, loop[0]);
  EXPECT_TRUE(both[0].before && both[0].inside);
  const auto with = [&](const LoopFences& wanted) {
    return apply_edits(text, imp_fence_edits(program, text, loop, std::vector{wanted}));
  };
  EXPECT_EQ(with({loop[0], true, false}), head + "  l: fence;\n     while x = 1 do skip od\nend\n");
  EXPECT_EQ(with({loop[0], false, true}), head + "  l: while x = 1 do skip; fence od\nend\n");
}

TEST(ImpFences, NotBetweenTheReadsOfAStatement) {
  // Before the statement, and not after its first or second read.
  EXPECT_EQ(sites("program p\nvariables x, y, z\nprocess P begin z := x + y end\n").size(), 1u);
  EXPECT_EQ(sites("program p\nvariables x, y\nprocess P begin if x = y then skip fi end\n").size(), 2u);
}

TEST(ImpFences, NotInsideAtomic) {
  EXPECT_EQ(
      sites("program p\nvariables x, y\nprocess P begin atomic { x := 1; y := 1 }; y := 2 end\n").size(), 2u);
}

TEST(ImpFences, NotAtALoopWhoseLabelAPropertyNames) {
  const std::string loop = "variables x\nprocess P begin l: while x = 0 do skip od end\n";
  EXPECT_EQ(sites("program p\n" + loop).size(), 2u);
  EXPECT_EQ(sites("program p\ngoal l\n" + loop).size(), 1u);
}

const char* const kNested = R"(program nested
variables x = 0, y = 0, a[2] = {0, 1}
goal P:cs, Q:cs
process P begin
  local r := 1;
  x := 1; local i := 0;
  while i < 2 do
    if a[i] = y then
      cs: skip
    else local s := y; while s > 0 do s := s - 1 od fi;
    i := i + 1
  od;
  atomic { y := x; x := 2 }; assert y >= 0
end
process Q begin
  y := 1; if x = 0 then cs: skip; fi
end
)";

TEST(ImpFences, MeanTheSameAsInTheProgram) {
  const Program program = parsed(kNested);
  const std::vector<LocationId> all = sites(kNested);
  EXPECT_GE(all.size(), 12u);
  for (const LocationId site : all)
    EXPECT_TRUE(same_behaviour(parsed(fenced(kNested, {site})), with_fences(program, std::vector{site})))
        << fenced(kNested, {site});
  EXPECT_TRUE(same_behaviour(parsed(fenced(kNested, all)), with_fences(program, all)))
      << fenced(kNested, all);
}

}  // namespace weir::imp_fence_edits_test
