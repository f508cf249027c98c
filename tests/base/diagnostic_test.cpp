// Diagnostics point at the right place whatever the source line looks like.
#include "base/diagnostic.hpp"

#include <gtest/gtest.h>

namespace weir::diagnostic_test {

Diagnostic at(FileId file, std::uint32_t line, std::uint32_t column) {
  return {Severity::kError, "no", {file, line, column}, ""};
}

TEST(Diagnostic, CaretStandsBelowItsColumn) {
  SourceMap sources;
  const FileId file = sources.add("a.imp", "one\n\ttwo three\n");
  EXPECT_EQ(render(at(file, 2, 6), sources),
            "a.imp:2:6: error: no\n"
            "    2 |  two three\n"
            "      |      ^\n");
}

TEST(Diagnostic, LongAndBinaryLinesAreCutToAWindow) {
  SourceMap sources;
  const FileId file = sources.add("noise", std::string(1'000'000, '\x01'));
  const std::string text = render(at(file, 1, 500'000), sources);
  EXPECT_LT(text.size(), 400u);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(Diagnostic, WithoutPositionOnlyTheMessage) {
  EXPECT_EQ(render({Severity::kWarning, "beware", {}, "look"}, SourceMap()),
            "weir: warning: beware\n      = hint: look\n");
}

TEST(Diagnostic, LineBeyondTheEndIsLeftOut) {
  SourceMap sources;
  const FileId file = sources.add("a", "one");
  EXPECT_EQ(render(at(file, 7, 1), sources), "a:7:1: error: no\n");
}

}  // namespace weir::diagnostic_test
