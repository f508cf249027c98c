// Fences in RMM texts: where they can be put, and that the changed text means the program with fences.
#include "frontend/rmm/fence_edits.hpp"

#include <gtest/gtest.h>

#include "frontend/frontend_checks.hpp"
#include "frontend/rmm/rmm.hpp"
#include "program/fences.hpp"

namespace weir::rmm_fence_edits_test {

const std::string kText = R"(forbidden CS CS
data x = 0 y = 0
process registers $r = 0 text
  L0: write: x := 1;
  read: $r := y;
  if $r = 0 then write: y := 2;
  either { write: x := 2 or { read: x = 1 } };
  while $r < 2 do { $r := $r + 1; write: y := 1 };
  locked { write: x := 0; write: y := 0 };
  CS: nop
process text write: y := 1; read: x = 0; CS: nop
)";

Program parsed(const std::string& text) {
  auto program = parse_rmm("test.rmm", text);
  EXPECT_TRUE(program.ok()) << test::rendered(program);
  return program.ok() ? std::move(*program) : Program{};
}

TEST(RmmFences, StandBeforeStatementsOfLists) {
  const Program program = parsed(kText);
  const std::vector<bool> sites = rmm_fence_sites(program, kText);
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::size_t l = 0; l < sites.size(); ++l)
    if (sites[l]) found.emplace(program.locations[l].position.line, program.locations[l].position.column);
  using Places = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(
      found,
      (Places{
          {4, 7}, {5, 3}, {6, 3}, {7, 3}, {7, 29}, {8, 35}, {9, 3}, {10, 7}, {11, 14}, {11, 29}, {11, 46}}));
}

// Every site alone, judged by the reference machine.
TEST(RmmFences, MeanTheProgramWithFences) {
  const Program program = parsed(kText);
  const std::vector<bool> sites = rmm_fence_sites(program, kText);
  for (std::size_t l = 0; l < sites.size(); ++l) {
    if (!sites[l]) continue;
    const std::vector<LocationId> one{LocationId(l)};
    const std::string text = apply_edits(kText, rmm_fence_edits(program, kText, one));
    EXPECT_TRUE(test::same_behaviour(with_fences(program, one), parsed(text))) << text;
  }
}

}  // namespace weir::rmm_fence_edits_test
