// Protects the names of files in SARIF logs: relative where code hosts need them so, and valid URIs always.
#include "report/sarif/uri.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace weir::uri_test {

TEST(Uri, IsRelativeInsideTheFolder) {
  EXPECT_EQ(file_uri("a/b.c").uri, "a/b.c");
  EXPECT_TRUE(file_uri("a/b.c").relative);
  EXPECT_EQ(file_uri("./a/../b.c").uri, "b.c");
  EXPECT_EQ(file_uri((std::filesystem::current_path() / "x.c").string()).uri, "x.c");
}

TEST(Uri, IsAbsoluteOutside) {
  EXPECT_EQ(file_uri("/nowhere/x.c").uri, "file:///nowhere/x.c");
  EXPECT_FALSE(file_uri("/nowhere/x.c").relative);
  EXPECT_FALSE(file_uri("../x.c").relative);
}

TEST(Uri, EncodesWhatPathsCannotContain) {
  EXPECT_EQ(file_uri("a b/50%.c").uri, "a%20b/50%25.c");
  EXPECT_EQ(file_uri("c:d.c").uri, "c%3Ad.c");
  EXPECT_EQ(file_uri("\xc3\xbc#?.c").uri, "%C3%BC%23%3F.c");
}

}  // namespace weir::uri_test
