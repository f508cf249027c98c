// Protects patches: they say exactly what changed, and `patch` can apply them (tests/cli does).
#include "report/text/unified_diff.hpp"

#include <gtest/gtest.h>
#include <random>

namespace weir::unified_diff_test {

TEST(UnifiedDiff, EqualTextsHaveNone) { EXPECT_EQ(unified_diff("a", "x\ny\n", "x\ny\n"), ""); }

TEST(UnifiedDiff, ChangedLineWithContext) {
  EXPECT_EQ(unified_diff("dir/a.trn", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfence\n5\n6\n7\n8\n9\n"),
            "--- dir/a.trn\n+++ dir/a.trn\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+fence\n 5\n 6\n 7\n");
}

TEST(UnifiedDiff, NearChangesShareAHunkAndFarOnesDoNot) {
  std::string before, near, far;
  for (int i = 1; i <= 30; ++i) {
    const std::string line = std::to_string(i) + "\n";
    before += line;
    near += i == 10 || i == 16 ? "+" + line : line;
    far += i == 10 || i == 18 ? "+" + line : line;
  }
  const auto hunks = [](const std::string& diff) {
    std::size_t count = 0;
    for (std::size_t at = diff.find("@@ -"); at != std::string::npos; at = diff.find("@@ -", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(hunks(unified_diff("a", before, near)), 1u);
  EXPECT_EQ(hunks(unified_diff("a", before, far)), 2u);
}

TEST(UnifiedDiff, EndsWithoutANewline) {
  EXPECT_EQ(unified_diff("a", "x", "x\n"),
            "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(unified_diff("a", "x", "y\nx"),
            "--- a\n+++ a\n@@ -1 +1,2 @@\n+y\n x\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, EmptySides) {
  EXPECT_EQ(unified_diff("a", "", "x\n"), "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(unified_diff("a", "x\n", ""), "--- a\n+++ a\n@@ -1 +0,0 @@\n-x\n");
}

// Applies a diff strictly: every line must be where it says.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < before.size();) {
    const std::size_t end = before.find('\n', at) + 1;
    lines.push_back(before.substr(at, end - at));
    at = end;
  }
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = diff.find("@@ -"); at < diff.size();) {
    const std::size_t end = diff.find('\n', at) + 1;
    const std::string line = diff.substr(at, end - at);
    at = end;
    if (line.starts_with("@@ -")) {
      const std::size_t start = std::stoul(line.substr(4));
      const bool empty = line.substr(0, line.find(" +")).ends_with(",0");
      while (next + (empty ? 0 : 1) < start) out += lines.at(next++);
    } else if (line[0] == '+') {
      out += line.substr(1);
    } else {
      EXPECT_EQ(lines.at(next), line.substr(1));
      if (line[0] == ' ') out += lines[next];
      ++next;
    }
  }
  while (next < lines.size()) out += lines[next++];
  return out;
}

TEST(UnifiedDiff, RandomTextsArePatchedIntoEachOther) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const auto text = [&] {
      std::string out;
      for (auto n = random() % 25; n > 0; --n)
        out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
      return out;
    };
    const std::string before = text(), after = text();
    if (before == after) continue;
    EXPECT_EQ(patched(before, unified_diff("a", before, after)), after);
  }
}

}  // namespace weir::unified_diff_test
