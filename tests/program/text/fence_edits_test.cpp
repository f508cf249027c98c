// Protects fences in `.weir` files: the edited text means what `with_fences` means, with and without numbers.
#include "program/text/fence_edits.hpp"

#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "program/fences.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::text_fence_edits_test {

Program parsed(const std::string& text) {
  auto program = parse_program_text("a.weir", text);
  if (!program) ADD_FAILURE() << render(program.error().diagnostics[0], program.error().sources) << text;
  return program ? std::move(*program) : Program{};
}

std::string fenced(const std::string& text, const std::vector<LocationId>& fences) {
  return apply_edits(text, text_fence_edits(parsed(text), text, fences));
}

TEST(TextFences, LabelStaysWithThoseWhoArrive) {
  const std::string text =
      "weir 1\nshared x\nfunction f()\n  register r\n  a: // here\n    r := load x -> b\n  b:\n"
      "    nop -> a\n    return\n  a_fenced:\nend\nthread T = f()\n";
  EXPECT_EQ(fenced(text, {LocationId(0), LocationId(1)}),
            "weir 1\nshared x\nfunction f()\n  register r\n  a: // here\n    fence full -> a_fenced2\n  "
            "a_fenced2:\n"
            "    r := load x -> b\n  b:\n    fence full -> b_fenced\n  b_fenced:\n    nop -> a\n    return\n"
            "  a_fenced:\nend\nthread T = f()\n");
}

TEST(TextFences, NumbersStayTheSame) {
  const std::string text =
      "weir 1\nfunction f()\n  #1:\n    nop -> #0 #2\n  #0:\n    nop -> #2 #0\n    return #1\n  #2:\nend\n"
      "thread T = f()\n";
  const Program program = parsed(fenced(text, {LocationId(0), LocationId(1)}));
  const Program expected = with_fences(parsed(text), std::vector{LocationId(0), LocationId(1)});
  EXPECT_TRUE(validate(program).empty());
  ASSERT_EQ(program.edges.size(), expected.edges.size());
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(program.edges[e].instruction.op, expected.edges[e].instruction.op);
    EXPECT_EQ(program.edges[e].source.index() >= 3, expected.edges[e].source.index() >= 3) << e;
  }
}

std::size_t fence_count(const Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.edges.begin(), program.edges.end(), [](const Edge& edge) {
        return edge.instruction.op == Opcode::kFence && edge.instruction.fence == FenceKind::kFull;
      }));
}

TEST(TextFences, PrintedProgramsAtEveryLocation) {
  const std::string text =
      "weir 1\nprogram \"odd\"\nsources \"a.imp\"\nshared x\nfunction \"a b\"(p)\n  register r\n"
      "  entry \"the end\" \n  \"the end\" #2: @0:3:4\n    r := load x -> #0 @0:5:6\n    store x := p -> "
      "\"q\" #3\n"
      "  #0:\n    return r #1\n    stop #4\n  \"q\":\n    assume r == 1 -> #2 #2\nend\nthread T = \"a "
      "b\"(1)\n";
  const Program program = parsed(text);
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    all.push_back(LocationId(l));
    const Program edited = parsed(fenced(text, {LocationId(l)}));
    EXPECT_TRUE(validate(edited).empty());
    EXPECT_EQ(fence_count(edited), 1u);
    EXPECT_EQ(edited.locations[l].edges.size(), 1u);
  }
  EXPECT_TRUE(test::same_behaviour(parsed(fenced(text, all)), with_fences(program, all)));
}

}  // namespace weir::text_fence_edits_test
