// Protects the places that witnesses for SV-COMP name: where statements begin and calls end.
#include "report/execution/c_places.hpp"

#include <gtest/gtest.h>

namespace weir::c_places_test {

class CPlaces : public testing::Test {
 protected:
  // The position of a mark in the text, which is taken out of it.
  SourcePosition mark(std::string text) {
    const std::size_t at = text.find('@');
    text.erase(at, 1);
    const FileId file = sources_.add("a.c", text);
    const std::size_t line =
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
    const std::size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
    return {file, static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(at - start + 1)};
  }

  std::string start(const std::string& text) {
    const SourcePosition found = statement_start(sources_, mark(text));
    return std::to_string(found.line) + ":" + std::to_string(found.column);
  }

  SourceMap sources_;
};

TEST_F(CPlaces, StatementsBeginBehindTheOneBefore) {
  EXPECT_EQ(start("f();\n  x = @y;\n"), "2:3");
  EXPECT_EQ(start("{ x @= y; }"), "1:3");
  EXPECT_EQ(start("int f(void) {\n  if (x @== 3) g();\n}"), "2:3");
  EXPECT_EQ(start("} while (@x);"), "1:3");
}

TEST_F(CPlaces, SemicolonsInForEndNoStatement) {
  EXPECT_EQ(start("{\n  for (int i = 0; i @< n; i++) f();\n}"), "2:3");
}

TEST_F(CPlaces, WhatIsControlledIsAStatementOfItsOwn) {
  EXPECT_EQ(start("{ if (x) @f(); }"), "1:10");
  EXPECT_EQ(start("{ if (x) y = @1; }"), "1:10");
  EXPECT_EQ(start("{ if (x) f(); else while (y) @g(); }"), "1:30");
  EXPECT_EQ(start("{ if (@x) f(); }"), "1:3");
  EXPECT_EQ(start("{ iffy(@x); }"), "1:3");
}

TEST_F(CPlaces, CommentsAndStringsAreNoCode) {
  EXPECT_EQ(start("f(); // not; here {\n  x = @y;"), "2:3");
  EXPECT_EQ(start("f(); /* ; */ x = @y;"), "1:14");
  EXPECT_EQ(start("g(\"; {\", @x);"), "1:1");
}

TEST_F(CPlaces, CallsEndAtTheirParenthesis) {
  const auto call = call_at(sources_, mark("x = @f(g(1), (2)) + 1;"));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->function, "f");
  EXPECT_EQ(call->end.column, 16u);
  EXPECT_FALSE(call_at(sources_, mark("x = @y + f();")));
  EXPECT_FALSE(call_at(sources_, mark("x = @f(")));
}

TEST_F(CPlaces, TheNextCallIsAWholeWord) {
  const auto call = next_call(sources_, mark("@if (x) not_error(); /* error() */ error ();"), "error");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->column, 35u);
  EXPECT_FALSE(next_call(sources_, mark("error(); @x = error;"), "error"));
}

TEST_F(CPlaces, PositionsOutsideOfTheTextStayAsTheyAre) {
  const FileId file = sources_.add("b.c", "x;\n");
  EXPECT_EQ(statement_start(sources_, {file, 9, 9}), (SourcePosition{file, 9, 9}));
  EXPECT_EQ(statement_start(sources_, {}), SourcePosition{});
}

}  // namespace weir::c_places_test
