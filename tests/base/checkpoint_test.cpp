// Protects what a killed run leaves behind: every kind of value comes back as it was, and a file that is not
// exactly what was written, or is of something else, is refused before a byte of it is used.
#include "base/checkpoint.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <array>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/sequence_interner.hpp"
#include "base/temporary_folder.hpp"
#include "base/value_table.hpp"

namespace weir::checkpoint_test {

using testing::HasSubstr;

const CheckpointFacts kFacts = {{"Weir", "1.0"}, {"program", "abc"}, {"--model", "tso"}};

struct Inner {
  std::uint16_t number = 0;
  std::string text;

  template <class Archive>
  void transfer(Archive& archive) {
    archive(number, text);
  }
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Whole {
  bool flag = false;
  std::int64_t number = 0;
  Id<struct SomeTag> id;
  std::optional<Inner> inner;
  std::vector<std::uint32_t> numbers;
  std::vector<bool> bits;
  std::vector<Inner> many;
  std::array<std::uint8_t, 3> three{};
  std::set<std::int64_t> set;
  std::map<std::string, std::vector<int>> map;
  absl::flat_hash_set<std::int64_t> hashed;
  absl::flat_hash_map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> table;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("first");
    archive(flag, number, id, inner, numbers, bits);
    archive.section("second");
    archive(many, three, set, map, hashed, table);
  }
  friend bool operator==(const Whole&, const Whole&) = default;
};

Whole example() {
  return {true,
          -5,
          Id<struct SomeTag>(7),
          Inner{3, "three"},
          {1, 2, 0xFFFFFFFF},
          {true, false, true},
          {{1, "a"}, {2, std::string("\0b", 2)}},
          {9, 8, 7},
          {-1, 4},
          {{"k", {1, 2}}, {"", {}}},
          {10, 20},
          {{{1, -2}, 3}}};
}

class CheckpointTest : public testing::Test {
 protected:
  std::filesystem::path folder() const { return home_.path() / "runs" / "one"; }
  std::filesystem::path file() const { return folder() / "weir.checkpoint"; }

  Expected<std::unique_ptr<Checkpoint>, CheckpointRefusal> open(bool resume,
                                                                const CheckpointFacts& facts = kFacts) {
    return Checkpoint::open({.folder = folder(), .resume = resume}, facts);
  }
  std::string refusal(const CheckpointFacts& facts = kFacts) {
    auto found = CheckpointReader::open(file(), facts);
    return found.ok() ? "" : found.error().message;
  }
  void write_example() {
    Whole whole = example();
    open(false).value()->save(whole);
  }
  std::string content() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void change(const std::string& content) const {
    std::ofstream(file(), std::ios::binary | std::ios::trunc) << content;
  }

  TemporaryFolder home_;
};

TEST_F(CheckpointTest, ComesBackAsItWas) {
  write_example();
  auto checkpoint = open(true);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message;
  ASSERT_TRUE((*checkpoint)->found());
  Whole whole;
  (*checkpoint)->load(whole);
  EXPECT_EQ(whole, example());
  EXPECT_FALSE((*checkpoint)->found()) << "it is given once";
}

TEST_F(CheckpointTest, AFolderWithoutOneBeginsFromTheStart) {
  EXPECT_FALSE(open(true).value()->found());
  EXPECT_TRUE(std::filesystem::is_directory(folder()));
}

TEST_F(CheckpointTest, TheLastOneStays) {
  write_example();
  {
    auto checkpoint = open(true);
    Whole whole = example();
    whole.number = 77;
    (*checkpoint)->save(whole);
    (*checkpoint)->save(whole);
  }
  std::ofstream(folder() / "weir.checkpoint.new") << "what a killed process left";
  auto checkpoint = open(true);
  Whole whole;
  (*checkpoint)->load(whole);
  EXPECT_EQ(whole.number, 77);
  EXPECT_FALSE(std::filesystem::exists(folder() / "weir.checkpoint.new"));
}

TEST_F(CheckpointTest, EveryFlippedBitIsRefused) {
  write_example();
  const std::string right = content();
  for (std::size_t at = 0; at < right.size(); ++at) {
    std::string wrong = right;
    wrong[at] = static_cast<char>(wrong[at] ^ (1 << at % 8));
    change(wrong);
    EXPECT_NE(refusal(), "") << "byte " << at;
  }
  change(right);
  EXPECT_EQ(refusal(), "");
}

TEST_F(CheckpointTest, EveryTruncationIsRefused) {
  write_example();
  const std::string right = content();
  for (std::size_t size = 0; size < right.size(); ++size) {
    change(right.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("cut off")) << size << " bytes";
  }
}

TEST_F(CheckpointTest, SaysWhatIsWrong) {
  write_example();
  const std::string right = content();
  change(right + "x");
  EXPECT_THAT(refusal(), HasSubstr("appended"));
  std::string wrong = right;
  wrong[8] = 99;
  change(wrong);
  EXPECT_THAT(refusal(), HasSubstr("format 99"));
  wrong = right;
  wrong[0] = 'X';
  change(wrong);
  EXPECT_THAT(refusal(), HasSubstr("no checkpoint of Weir"));
  wrong = right;
  wrong.back() = static_cast<char>(wrong.back() + 1);
  change(wrong);
  EXPECT_THAT(refusal(), HasSubstr("checksum"));
}

TEST_F(CheckpointTest, RefusesWhatIsOfSomethingElse) {
  write_example();
  EXPECT_EQ(refusal({{"Weir", "1.0"}, {"program", "abd"}, {"--model", "tso"}}),
            "this checkpoint is of another program");
  EXPECT_EQ(refusal({{"Weir", "1.0"}, {"program", "abc"}, {"--model", "sc"}}),
            "this checkpoint is of another question: --model tso, now sc");
  EXPECT_EQ(refusal({{"Weir", "1.0"}, {"program", "abc"}, {"--model", "tso"}, {"--buffer", "2"}}),
            "this checkpoint is of another question: --buffer not given, now 2");
  EXPECT_THAT(refusal({{"Weir", "1.1"}, {"program", "abc"}, {"--model", "tso"}}), HasSubstr("Weir 1.0"));
}

TEST_F(CheckpointTest, RefusesFoldersThatAreNotItsOwn) {
  write_example();
  EXPECT_THAT(open(false).error().message, HasSubstr("holds a checkpoint already"));
  {
    auto first = open(true);
    EXPECT_THAT(open(true).error().message, HasSubstr("in use"));
  }
  std::ofstream(folder() / "thesis.tex") << "!";
  EXPECT_THAT(open(true).error().message, HasSubstr("thesis.tex"));
  auto below_a_file = Checkpoint::open({.folder = file()}, kFacts);
  EXPECT_THAT(below_a_file.error().message, HasSubstr("cannot hold checkpoints"));
}

TEST_F(CheckpointTest, IsDueAfterItsInterval) {
  EXPECT_FALSE(open(false).value()->due());
  EXPECT_TRUE(Checkpoint::open({.folder = folder(), .interval = std::chrono::duration<double>(0)}, kFacts)
                  .value()
                  ->due());
}

TEST_F(CheckpointTest, AFailedWriteKeepsTheLastOne) {
  write_example();
  auto checkpoint = open(true);
  std::filesystem::create_directory(folder() / "weir.checkpoint.new");
  Whole whole = example();
  (*checkpoint)->save(whole);
  EXPECT_NE((*checkpoint)->problem(), "");
  (*checkpoint)->load(whole);
  EXPECT_EQ(whole, example());
}

// A reader that asks for more than there is must not get it, even if the file is whole.
TEST(Archive, BelievesNoLength) {
  struct Bytes : ArchiveWriter {
    std::string text;
    void write(std::span<const char> bytes) override { text.append(bytes.data(), bytes.size()); }
    std::string all() { return flush(), text; }
  };
  Bytes writer;
  writer(std::uint64_t{1} << 60, std::uint32_t{5});
  const std::string text = writer.all();
  EXPECT_THROW(ArchiveReader(text).next<std::vector<std::uint64_t>>(), ArchiveError);
  EXPECT_THROW(ArchiveReader(text).next<std::vector<std::string>>(), ArchiveError);
  EXPECT_THROW(ArchiveReader(text).next<std::set<int>>(), ArchiveError);
  EXPECT_THROW(ArchiveReader(std::string_view("\2")).next<bool>(), ArchiveError);
}

struct Tables {
  SequenceInterner<std::int64_t> sequences;
  ValueTable values;

  template <class Archive>
  void transfer(Archive& archive) {
    archive.section("tables");
    archive(sequences, values);
  }
};

TEST_F(CheckpointTest, InternersGoOnCounting) {
  Tables before;
  for (std::int64_t i = 0; i < 300; ++i) before.sequences.intern(std::vector<std::int64_t>{i, i * i});
  const ValueTable::Slot slot = before.values.add_slot();
  for (std::uint32_t i = 0; i < 20; ++i) before.values.insert(slot, i * 3, i);
  open(false).value()->save(before);
  Tables after;
  open(true).value()->load(after);
  EXPECT_EQ(after.sequences.size(), 300u);
  EXPECT_EQ(after.sequences.intern(std::vector<std::int64_t>{17, 289}), 17u);
  EXPECT_EQ(after.sequences.intern(std::vector<std::int64_t>{17}), 300u);
  EXPECT_EQ(after.values.find(slot, 57), 19u);
  EXPECT_EQ(after.values.find(slot, 58), ValueTable::kNone);
}

}  // namespace weir::checkpoint_test
