// Hints name the word that was meant, or nothing: a wrong guess is worse than none.
#include "base/nearest_word.hpp"

#include <gtest/gtest.h>

namespace weir::nearest_word_test {

TEST(NearestWord, IsTheOneWithTheFewestChanges) {
  const std::vector<std::string> known{"Cache", "Channel", "Client", "X"};
  EXPECT_EQ(did_you_mean("Cach", known), "did you mean 'Cache'?");
  EXPECT_EQ(did_you_mean("Chanel", known), "did you mean 'Channel'?");
  EXPECT_EQ(did_you_mean("Cleint", known), "did you mean 'Client'?");
  EXPECT_EQ(did_you_mean("cache", known), "did you mean 'Cache'?");
  EXPECT_EQ(did_you_mean("Y", known), "did you mean 'X'?");
}

TEST(NearestWord, IsNoneIfAllAreFar) {
  EXPECT_EQ(did_you_mean("Directory", {"Cache", "Client"}), "");
  EXPECT_EQ(did_you_mean("abc", {"xyz"}), "");
  EXPECT_EQ(did_you_mean("abc", {}), "");
  EXPECT_EQ(did_you_mean(std::string(101, 'a'), {std::string(101, 'a')}), "");
}

}  // namespace weir::nearest_word_test
