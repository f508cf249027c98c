// Protects: calls are found at the lines and columns where the source has them, and no damaged file brings
// Weir down.
#include "native/line_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/process.hpp"

namespace weir::native::line_table_test {

constexpr const char* kProgram = R"(#include <stdlib.h>
void outside(void);
static int own(int n) {
  outside(); outside();
  return n;
}
int main(void) {
  return own(atoi("1"));
}
)";

class LineTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-lines-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write("program.c", kProgram);
    write("outside.c", "void outside(void) {}\n");
    const auto seen = run_process({"clang-19", "--version"});
    if (!seen || seen->status != 0) GTEST_SKIP() << "there is no clang-19";
    compile({"-g", "-gdwarf-4", "-fdebug-compilation-dir=/weir"}, "program");
    compile({}, "outside");
    const auto linked =
        run_process({"clang-19", "-no-pie", path("program.o"), path("outside.o"), "-o", path("program")});
    ASSERT_EQ(linked->status, 0) << linked->errors;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  void compile(std::vector<std::string> options, const std::string& name) const {
    std::vector<std::string> command{"clang-19",        "-O0", "-fno-pie",       "-c",
                                     path(name + ".c"), "-o",  path(name + ".o")};
    command.insert(command.end(), options.begin(), options.end());
    const auto compiled = run_process(command);
    ASSERT_EQ(compiled->status, 0) << compiled->errors;
  }

  std::filesystem::path folder_;
};

using Found = std::tuple<std::string, std::uint32_t, std::uint32_t>;  // callee, line, column

std::vector<Found> calls_of(const LineTable& table) {
  std::vector<Found> found;
  for (const CallSite& call : table.calls)
    found.emplace_back(call.callee, call.place.line, call.place.column);
  return found;
}

TEST_F(LineTableTest, HasTheCallsThatLeaveTheCodeWithLines) {
  const auto table = read_line_table(path("program"));
  ASSERT_TRUE(table);
  EXPECT_THAT(calls_of(*table), ::testing::UnorderedElementsAre(Found("outside", 4, 3),
                                                                Found("outside", 4, 14), Found("", 8, 14)));
}

TEST_F(LineTableTest, NamesFilesByTheirWholePath) {
  const auto table = read_line_table(path("program"));
  ASSERT_TRUE(table);
  for (const CallSite& call : table->calls) EXPECT_EQ(table->files.at(call.place.file), path("program.c"));
}

TEST_F(LineTableTest, KnowsThePlaceBeforeAReturnAddressOnly) {
  const auto table = read_line_table(path("program"));
  ASSERT_TRUE(table);
  for (const CallSite& call : table->calls) {
    const auto place = table->at(call.return_address - 1);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->line, call.place.line);
    EXPECT_EQ(place->column, call.place.column);
  }
  EXPECT_FALSE(table->at(0));
  EXPECT_FALSE(table->at(UINT64_MAX)) << "behind the last piece of code";
}

TEST_F(LineTableTest, TakesNothingElseForAnExecutable) {
  write("text", "no executable");
  write("empty", "");
  EXPECT_FALSE(read_line_table(path("text")));
  EXPECT_FALSE(read_line_table(path("empty")));
  EXPECT_FALSE(read_line_table(path("missing")));
}

TEST_F(LineTableTest, SurvivesFilesThatAreCut) {
  std::ifstream file(path("program"), std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t length = 0; length < image.size(); length += 97) {
    std::ofstream(path("cut"), std::ios::binary) << image.substr(0, length);
    EXPECT_FALSE(read_line_table(path("cut"))) << length;
  }
}

TEST_F(LineTableTest, SurvivesFilesThatAreDamaged) {
  std::ifstream file(path("program"), std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  unsigned state = 1;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = image;
    for (int i = 0; i < 20; ++i) {
      state = state * 1103515245u + 12345u;
      damaged[state % damaged.size()] = static_cast<char>(state >> 16);
    }
    std::ofstream(path("damaged"), std::ios::binary) << damaged;
    const auto table = read_line_table(path("damaged"));
    if (!table) continue;
    for (const CallSite& call : table->calls) EXPECT_LT(call.place.file, table->files.size());
  }
}

}  // namespace weir::native::line_table_test
