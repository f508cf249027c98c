// Drawings of executions show every access and every relation once.
#include "report/execution/execution_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tiny_program.hpp"

namespace weir::test::execution_graph_test {

using ::testing::HasSubstr;

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// An execution under SC of two threads that store and load, the second of which also exchanges.
struct Drawn {
  Drawn() : tiny({"x", "y"}) {
    TinyThread p = tiny.thread("P");
    p.store("x", 1).load("r", "y");
    TinyThread q = tiny.thread("Q<&>");
    q.store("y", 1).load("s", "x").exchange("t", "x", 2);
    for (const auto& [thread, edge, address, value] : kSteps)
      witness.steps.push_back(
          {.thread = ThreadId(thread), .edge = EdgeId(edge), .address = address, .value = value});
    witness.steps.back().written = 2;
    witness.steps.back().stored = true;
    witness.violation.kind = ViolationKind::kUnsafe;
  }

  struct Step {
    std::size_t thread, edge;
    Value address, value;
  };
  // P stores x; Q stores y, reads x = 1, exchanges x; P read y = 0 before that.
  static constexpr Step kSteps[] = {{0, 0, 0, 1}, {0, 1, 1, 0}, {1, 2, 1, 1}, {1, 3, 0, 1}, {1, 4, 0, 1}};

  TinyProgram tiny;
  Witness witness;
};

TEST(ExecutionGraph, Dot) {
  Drawn d;
  const std::string dot = execution_dot(d.tiny.program(), d.witness);
  EXPECT_THAT(dot, HasSubstr("label=\"W x=1\""));
  EXPECT_THAT(dot, HasSubstr("label=\"R y=0\""));
  EXPECT_THAT(dot, HasSubstr("label=\"U x=1->2\""));
  EXPECT_EQ(count(dot, "label=\"po\""), 3u);
  EXPECT_EQ(count(dot, "label=\"rf\""), 2u);
  EXPECT_EQ(count(dot, "label=\"co\""), 1u);
  EXPECT_GE(count(dot, "label=\"fr\""), 1u);
}

TEST(ExecutionGraph, SvgIsXmlWithTheSameRelations) {
  Drawn d;
  const std::string dot = execution_dot(d.tiny.program(), d.witness);
  const std::string svg = execution_svg(d.tiny.program(), d.witness);
  EXPECT_TRUE(svg.starts_with("<svg xmlns"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("Q&lt;&amp;&gt;"));
  for (const char* relation : {"po", "rf", "co", "fr"})
    EXPECT_EQ(count(svg, std::string("url(#") + relation + ")"),
              count(dot, std::string("label=\"") + relation + "\""));
  EXPECT_EQ(count(svg, "rx=\"4\""), 5u);
}

}  // namespace weir::test::execution_graph_test
