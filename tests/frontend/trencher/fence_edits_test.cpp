// Protects fences in Trencher files: the edited text means what `with_fences` means, whatever the layout.
#include "frontend/trencher/fence_edits.hpp"

#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/fences.hpp"

namespace weir::trencher_fence_edits_test {

using test::rendered;
using test::same_behaviour;

Program parsed(const std::string& text) {
  auto program = parse_trencher("a.trn", text);
  EXPECT_TRUE(program.ok()) << rendered(program) << text;
  return program.ok() ? std::move(*program) : Program{};
}

std::string fenced(const std::string& text, const std::vector<LocationId>& fences) {
  return apply_edits(text, trencher_fence_edits(parsed(text), text, fences));
}

LocationId at(const Program& program, std::string_view label) {
  return program.find_label(FunctionId(0), label).value();
}

const char* const kBranching = R"(name 0 x
name 1 y
thread t0
initial a
final d
  transition a b write 1 0
  transition b c read r 1
  transition c d check == r 0
  transition c b check != r 0
transition d a_fenced noop
transition a_fenced e local s + r 1
end
thread t1
initial a
final d
transition a b write 1 1
transition b c read r 0 transition c d check == r 0
transition
  c e check != r 0
end
)";

TEST(TrencherFences, StateKeepsItsNameForThoseWhoArrive) {
  const std::string text =
      "thread t\ninitial a\ntransition a b noop\n  transition b c noop\n\ttransition b a noop\nend\n";
  EXPECT_EQ(fenced(text, {at(parsed(text), "b")}),
            "thread t\ninitial a\ntransition a b noop\n  transition b b_fenced mfence\n"
            "  transition b_fenced c noop\n\ttransition b_fenced a noop\nend\n");
}

TEST(TrencherFences, NewNamesAreFresh) {
  const std::string edited = fenced(kBranching, {at(parsed(kBranching), "a")});
  EXPECT_NE(edited.find("transition a a_fenced2 mfence\n  transition a_fenced2 b write 1 0\n"),
            std::string::npos)
      << edited;
}

TEST(TrencherFences, ThreadsWithTheSameBodyAllGetThem) {
  const std::string body = "initial a\ntransition a b write 1 0\ntransition b c read r 1\nend\n";
  const std::string text = "thread t0\n" + body + "thread t1\n" + body;
  ASSERT_EQ(parsed(text).functions.size(), 1u);
  const Program edited = parsed(fenced(text, {at(parsed(text), "b")}));
  EXPECT_EQ(edited.functions.size(), 1u);
  EXPECT_EQ(edited.threads.size(), 2u);
  EXPECT_EQ(edited.edges.size(), 3u);
}

TEST(TrencherFences, LineEndsStayAsTheyAre) {
  const std::string text = "thread t\r\ninitial a\r\ntransition a b noop\r\nend\r\n";
  EXPECT_EQ(fenced(text, {LocationId(0)}),
            "thread t\r\ninitial a\r\ntransition a a_fenced mfence\r\ntransition a_fenced b noop\r\nend\r\n");
}

TEST(TrencherFences, MeanTheSameAsInTheProgram) {
  const Program program = parsed(kBranching);
  std::vector<LocationId> all;
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    if (program.locations[l].edges.empty()) continue;
    all.push_back(LocationId(l));
    EXPECT_TRUE(same_behaviour(parsed(fenced(kBranching, {LocationId(l)})),
                               with_fences(program, std::vector{LocationId(l)})))
        << program.location_name(LocationId(l));
  }
  EXPECT_TRUE(same_behaviour(parsed(fenced(kBranching, all)), with_fences(program, all)));
  EXPECT_FALSE(same_behaviour(parsed(fenced(kBranching, all)), program));
}

}  // namespace weir::trencher_fence_edits_test
