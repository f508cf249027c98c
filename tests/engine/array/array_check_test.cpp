// Systems whose answers are known, through the whole engine.
#include "engine/array/array_check.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "engine/array/weak_use.hpp"
#include "frontend/array/array.hpp"

namespace weir::array::array_check_test {

ArraySystem parse(std::string text) {
  auto system = parse_array_system("t.cub", std::move(text));
  EXPECT_TRUE(system);
  return std::move(*system);
}

SearchOutcome outcome(const ArraySystem& system, Inference inference = Inference::kNever) {
  Context context(
      {.timeout = std::chrono::seconds(20)}, [](const ProgressSample&, double) {}, false);
  const Vocabulary vocabulary(system);
  return check_array_system(vocabulary, {.inference = inference}, context).search.outcome;
}

// Store buffering: both processes write their flag and then read the other's as it was.
std::string store_buffering(std::string_view fence) {
  return fmt::format(R"(
type place = A | B | C
array At[proc] : place
weak array Flag[proc] : bool
init (p) {{ At[p] = A && Flag[p] = False }}
unsafe (p q) {{ At[p] = C && At[q] = C }}
transition write ([p]) requires {{ At[p] = A }} {{ At[p] := B; Flag[p] := True }}
transition read ([p] q) requires {{ At[p] = B && Flag[q] = False {} }} {{ At[p] := C }}
)",
                     fence);
}

TEST(ArrayCheck, StoreBufferingNeedsAFenceForTwoButNotForMore) {
  EXPECT_EQ(outcome(parse(store_buffering(""))), SearchOutcome::kUnsafe);
  // A third process that has not written satisfies the guard of both.
  EXPECT_EQ(outcome(parse(store_buffering("&& fence()"))), SearchOutcome::kUnsafe);
}

TEST(ArrayCheck, MessagePassingIsSafeUnderTso) {
  EXPECT_EQ(outcome(parse(R"(
type place = A | B | C
array At[proc] : place
array Got[proc] : bool
weak var Data : bool
weak var Ready : bool
init (p) { At[p] = A && Got[p] = False && Data = False && Ready = False }
unsafe (p) { At[p] = C && Got[p] = False }
transition write ([p]) requires { At[p] = A } { At[p] := B; Data := True }
transition publish ([p]) requires { At[p] = B } { At[p] := A; Ready := True }
transition see ([p]) requires { At[p] = A && Ready = True } { At[p] := C; Got[p] := True }
)")),
            SearchOutcome::kSafe);
}

TEST(ArrayCheck, WritesOfOneTransitionReachMemoryTogether) {
  constexpr const char* kSystem = R"(
type place = A | B
array At[proc] : place
weak var X : bool
weak var Y : bool
init (p) { At[p] = A && X = False && Y = False }
unsafe (p) { p@X = True && p@Y = False }
transition both ([p]) requires { At[p] = A } { At[p] := B; X := True; Y := True }
)";
  EXPECT_EQ(outcome(parse(kSystem)), SearchOutcome::kSafe);
}

TEST(ArrayCheck, ViewsAreThoseOfOneMoment) {
  constexpr const char* kSystem = R"(
type place = A | B
array At[proc] : place
weak var X : bool
init (p) { At[p] = A && X = False }
transition set ([p]) requires { At[p] = A } { At[p] := B; X := True }
)";
  // The writer sees its own write before the others do; two that did not write see the same.
  EXPECT_EQ(outcome(parse(std::string(kSystem) + "unsafe (p q) { At[p] = B && p@X = True && q@X = False }")),
            SearchOutcome::kUnsafe);
  EXPECT_EQ(outcome(parse(std::string(kSystem) + "unsafe (p q) { At[p] = A && p@X = True && q@X = False }")),
            SearchOutcome::kSafe);
}

TEST(ArrayCheck, InvariantsOfTheFileAreProvedToo) {
  constexpr const char* kSystem = R"(
var X : int
init { X = 0 }
unsafe () { X = -1 }
invariant () { X = 2 }
transition up () { X := X + 1 }
)";
  const ArraySystem system = parse(kSystem);
  Context context;
  const Vocabulary vocabulary(system);
  const SearchResult result = search_backward(vocabulary, {}, context);
  EXPECT_EQ(result.outcome, SearchOutcome::kUnsafe);
  EXPECT_EQ(result.false_claim, 0u);
}

TEST(ArrayCheck, SharedOrdinaryMemoryIsNoticed) {
  constexpr const char* kSystem = R"(
weak var X : bool
var S : bool
array R[proc] : bool
init (p) { X = False && S = False && R[p] = False }
unsafe (p) { R[p] = True }
transition t ([p]) requires { S = False } { S := True; X := True }
)";
  ASSERT_TRUE(shared_ordinary_symbol(parse(kSystem)));
  EXPECT_EQ(shared_ordinary_symbol(parse(kSystem))->symbol, SymbolId(1));
  EXPECT_FALSE(shared_ordinary_symbol(parse(store_buffering(""))));
}

// The first line of every example says what is right.
TEST(ArrayCheck, ExamplesHaveTheAnswersTheyExpect) {
  for (const char* folder : {"/examples/array", "/bench/array"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(WEIR_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cub") continue;
      const std::string name = entry.path().stem().string();
      if (name == "two_phase_commit_rounds") continue;  // weakened: see its comment
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      auto system = parse_array_system(name, text.str());
      ASSERT_TRUE(system) << name;
      const bool safe = text.str().find("expect: safe") != std::string::npos;
      EXPECT_EQ(outcome(*system, Inference::kAuto), safe ? SearchOutcome::kSafe : SearchOutcome::kUnsafe)
          << name;
    }
}

}  // namespace weir::array::array_check_test
