// Pointers of 32 bits: a word stands for one address, and each address for at most one word; what has none is
// noticed by converting it there and back.
#include "frontend/c/layout/pointer_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "frontend/c/lowered_source.hpp"

namespace weir::pointer_words_test {

using namespace weir::test;

constexpr std::uint32_t kThreads = 5;

// The words of a program, for addresses and words that are constants.
class Words {
 public:
  explicit Words(const std::string& source, const std::string& model = "-m32")
      : prepared_(prepared(source, {.compiler_arguments = {model}})),
        cells_(c::cells_in_use(*prepared_.module)),
        layouts_(prepared_.module->getDataLayout(), cells_.unions),
        globals_(*prepared_.module, layouts_, cells_, kThreads),
        words_(*prepared_.module, globals_, prepared_.private_allocas, kThreads),
        build_(program_) {}

  Value word_of(Value address) {
    return build_.number(words_.word_of(build_.constant(address, c::kAddress), build_)).value();
  }
  Value address_of(Value word) {
    return build_.number(words_.address_of(build_.constant(word, {32, false}), build_)).value();
  }
  bool has_word(Value address) { return address_of(word_of(address)) == address; }
  bool are_addresses() const { return words_.are_addresses(); }

 private:
  c::PreparedModule prepared_;
  c::CellsInUse cells_;
  c::Layouts layouts_;
  c::Globals globals_;
  c::PointerWords words_;
  Program program_;
  c::Expressions build_;
};

// Blocks of 12, 40 and 5000 bytes, and of any size; a variable of the stack of 4 bytes.
constexpr const char* kSource = R"(
  typedef unsigned size_t;
  void *malloc(size_t), *calloc(size_t, size_t);
  int *volatile shared;
  void *volatile kept;
  int main(int count, char **arguments) {
    int local = 0;
    shared = &local;
    kept = malloc(12);
    kept = malloc(40);
    kept = malloc(5000);
    kept = malloc(*shared + 1);
    kept = calloc(2, 10);
  })";

Value block(std::uint64_t thread, std::uint64_t number, std::uint64_t size, std::int64_t offset,
            BlockKind kind = BlockKind::kHeap) {
  return encode(BlockAddress{thread, number, kind, size, offset});
}

TEST(PointerWords, AreAddressesWherePointersHave64Bits) {
  EXPECT_TRUE(Words("int main(void) {}", "-m64").are_addresses());
  EXPECT_FALSE(Words("int main(void) {}").are_addresses());
}

TEST(PointerWords, OfBlocksComeBack) {
  Words words(kSource);
  std::set<Value> seen;
  for (const std::uint64_t size : {12, 40, 5000, 1, 63, 64, 255, 256, 2047})
    for (const std::uint64_t thread : {0, 1, 4})
      for (const std::uint64_t number : {0, 1, 5})
        for (const std::int64_t offset :
             {std::int64_t{-16}, std::int64_t{0}, static_cast<std::int64_t>(size)}) {
          const Value address = block(thread, number, size, offset);
          EXPECT_TRUE(words.has_word(address)) << size << " " << thread << " " << number << " " << offset;
          EXPECT_TRUE(seen.insert(words.word_of(address)).second) << "two addresses have one word";
        }
  EXPECT_TRUE(words.has_word(block(2, 3, 4, 2, BlockKind::kStack)));
  EXPECT_TRUE(words.has_word(block(2, 3, 20, 2, BlockKind::kZeroed)));
}

TEST(PointerWords, CountBytesAsAddressesDo) {
  Words words(kSource);
  for (const std::uint64_t size : {12, 5000, 100}) {
    const Value start = words.word_of(block(1, 2, size, 0));
    EXPECT_EQ(words.word_of(block(1, 2, size, 7)), start + 7);
    EXPECT_EQ(start % 32, 16) << "malloc promises 16 bytes and not more";
  }
  EXPECT_EQ(words.word_of(block(1, 2, 4, 0, BlockKind::kStack)) % 64, 0);
}

TEST(PointerWords, OfVariablesFunctionsAndPrivateMemoryComeBack) {
  Words words(kSource);
  for (const Value address : {0, 1, 0x0804'8000, 0x3000'0010, 0x3FFF'FFFF}) {
    EXPECT_EQ(words.word_of(address), address);
    EXPECT_TRUE(words.has_word(address));
  }
  for (const std::uint64_t activation : {0, 1, 1023})
    EXPECT_TRUE(words.has_word(encode(PrivateAddress{activation, 0xFFFFC})));
}

TEST(PointerWords, WhatHasNoneIsNoticed) {
  Words words(kSource);
  EXPECT_FALSE(words.has_word(block(1, 2, 12, 3000))) << "far outside";
  EXPECT_FALSE(words.has_word(block(1, 2, 12, -200))) << "far before";
  EXPECT_FALSE(words.has_word(block(9, 2, 12, 0))) << "a thread that there is not";
  EXPECT_FALSE(words.has_word(block(1, 2, 6000, 0))) << "a large block of no known size";
  EXPECT_FALSE(words.has_word(block(1, 4000, 2000, 0))) << "too many blocks";
  EXPECT_FALSE(words.has_word(block(1, 2, 20, 0, BlockKind::kStack))) << "no such variable";
  EXPECT_FALSE(words.has_word(encode(PrivateAddress{1024, 0})));
  EXPECT_FALSE(words.has_word(encode(PrivateAddress{0, 1 << 20})));
  EXPECT_FALSE(words.has_word(Value{1} << 32));
  EXPECT_FALSE(words.has_word(Value{1} << 40));
}

TEST(PointerWords, AnyNumberIsTheWordOfOneAddress) {
  Words words(kSource);
  std::mt19937 random(7);  // NOLINT: the same numbers in every run
  std::vector<std::uint32_t> numbers{0, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'0000, 0xFFFF'FFFF};
  for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<std::uint32_t>(random()));
  for (const std::uint32_t number : numbers) EXPECT_EQ(words.word_of(words.address_of(number)), number);
  EXPECT_EQ(words.address_of(0xFFFF'FFFF), 0xFFFF'FFFF);
}

TEST(PointerWords, ManySizesShareTheRoom) {
  std::string source =
      "typedef unsigned size_t; void *malloc(size_t); void *volatile kept;\nint main(void) {\n";
  for (int size = 1; size < 200000; size = size * 3 / 2 + 1)
    source += "kept = malloc(" + std::to_string(size) + ");\n";
  Words words(source + "}");
  for (std::uint64_t size = 1; size < 200000; size = size * 3 / 2 + 1)
    for (const std::uint64_t number : {0, 7}) EXPECT_TRUE(words.has_word(block(4, number, size, 3))) << size;
}

TEST(NarrowPrograms, HaveTheLayoutOfTheMachine) {
  const Program program = lowered(
      "struct { char c; long long w; void *p; long l; } s = {1, 2, &s, -1};\nint main(void) { s.c = s.w; s.p "
      "= "
      "&s.l; }",
      {.compiler_arguments = {"-m32"}});
  ASSERT_NE(object(program, "s.w"), nullptr);
  EXPECT_EQ(object(program, "s.w")->base - object(program, "s.c")->base, 4);
  EXPECT_EQ(object(program, "s.p")->type, (Type{32, false}));
  EXPECT_EQ(object(program, "s.p")->initial, std::vector<Value>{object(program, "s.c")->base});
  EXPECT_EQ(object(program, "s.l")->type, (Type{32, true}));
  EXPECT_LT(object(program, "s.l")->base, Value{1} << 30);
}

// Is it said that a long long is accessed in one step?
bool says_so(const std::string& access, const std::string& model, bool races = false) {
  const Program program = lowered(
      "#include <pthread.h>\n#include <semaphore.h>\nstruct { int i; long long w; _Atomic long long a; "
      "double d; } s, "
      "t;\npthread_cond_t c; pthread_barrier_t b; sem_t m;\n"
      "void *run(void *p) { " +
          access +
          " return 0; }\n"
          "int main(void) { pthread_t t; pthread_cond_init(&c, 0); pthread_barrier_init(&b, 0, 2); "
          "sem_init(&m, 0, 1);\n"
          "pthread_create(&t, 0, run, 0); pthread_join(t, 0); }",
      {.compiler_arguments = {model}, .races = races});
  return std::ranges::any_of(program.assumptions, [](const std::string& phrase) {
    return phrase.find("long long") != std::string::npos;
  });
}

TEST(NarrowPrograms, SayThatWideNumbersAreAccessedInOneStep) {
  EXPECT_TRUE(says_so("s.w = 1;", "-m32"));
  EXPECT_TRUE(says_so("s.i = (int)s.w;", "-m32"));
  EXPECT_TRUE(says_so("t = s;", "-m32"));
  EXPECT_FALSE(says_so("s.w = 1;", "-m64"));
  EXPECT_FALSE(says_so("s.w = 1;", "-m32", true)) << "then it would be a race";
  EXPECT_FALSE(
      says_so("s.a++; s.i++; s.d = 1; long long mine = s.i; mine++; pthread_cond_signal(&c); "
              "sem_post(&m);",
              "-m32"));
}

TEST(NarrowPrograms, MustBeOfOneDataModel) {
  const SourceFolder folder;
  const auto result = c::prepare_module(
      {folder.write("a.c", "int main(void) { return 0; }"),
       folder.write("b.ll", "target triple = \"x86_64-pc-linux-gnu\"\ndefine void @f() {\n  ret void\n}\n")},
      {.compiler_arguments = {"-m32"}});
  ASSERT_FALSE(result);
  EXPECT_THAT(
      all_messages(result.error()),
      testing::HasSubstr("this was compiled for x86_64-pc-linux-gnu, but the files before it were compiled "
                         "for i386-pc-linux-gnu"));
}

}  // namespace weir::pointer_words_test
