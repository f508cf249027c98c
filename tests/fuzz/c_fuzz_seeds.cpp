#include "fuzz/c_fuzz_seeds.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "frontend/c/pipeline/compile.hpp"

namespace weir::fuzz {

namespace {

bool mentions(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

// What strcmp() and the like give is only known by its sign.
bool is_sequential(const std::string& text) {
  if (!mentions(text, "// native: 0") || !mentions(text, "// expect: all safe")) return false;
  return std::ranges::none_of(std::to_array({"pthread", "threads.h", "cmp(", "semaphore.h", "rand", "time",
                                             "getenv", "__VERIFIER_nondet"}),
                              [&](const char* word) { return mentions(text, word); });
}

constexpr const char* kPath = WEIR_SOURCE_DIR "/";

// Instructions that clang does not write for C, in places that are reached.
constexpr const char* kOddWidths = R"(
@sink = global i32 0
define i32 @main() {
  %v = load volatile i32, ptr @sink
  %a = trunc i32 %v to i7
  %b = add i7 %a, 77
  %c = sext i7 %b to i24
  %d = mul i24 %c, 70001
  %e = zext i24 %d to i33
  %f = lshr i33 %e, 3
  %g = trunc i33 %f to i1
  %h = sext i1 %g to i64
  %i = udiv i64 %h, 3
  %j = trunc i64 %i to i32
  %k = icmp ult i24 %d, 9
  br i1 %k, label %one, label %two
one:
  store volatile i32 %j, ptr @sink
  br label %two
two:
  %m = phi i7 [ %a, %0 ], [ %b, %one ]
  %n = zext i7 %m to i32
  ret i32 %n
}
)";

constexpr const char* kExceptions = R"(
declare i32 @__gxx_personality_v0(...)
define internal i32 @twice(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}
define i32 @main() personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @twice(i32 21) to label %fine unwind label %pad
fine:
  %s = sub i32 %r, 42
  ret i32 %s
pad:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}
)";

constexpr const char* kTables = R"(
%pair = type { i16, [3 x i8], ptr }
@pairs = internal constant [2 x %pair] [%pair { i16 1, [3 x i8] c"ab\00", ptr @f }, %pair { i16 -2, [3 x i8] undef, ptr null }]
@jumps = internal global [2 x ptr] [ptr blockaddress(@main, %left), ptr blockaddress(@main, %right)]
@other = alias %pair, getelementptr ([2 x %pair], ptr @pairs, i64 0, i64 1)
@mine = thread_local(initialexec) global i16 7, align 2
define internal i32 @f(i32 %x) {
  %y = xor i32 %x, -1
  ret i32 %y
}
define i32 @main() {
  %first = load i16, ptr @other
  %bit = and i16 %first, 1
  %index = zext i16 %bit to i64
  %place = getelementptr [2 x ptr], ptr @jumps, i64 0, i64 %index
  %target = load ptr, ptr %place
  indirectbr ptr %target, [label %left, label %right]
left:
  %code = load ptr, ptr getelementptr (%pair, ptr @pairs, i32 0, i32 2)
  %result = call i32 %code(i32 -1)
  ret i32 %result
right:
  %here = call ptr @llvm.threadlocal.address.p0(ptr @mine)
  %old = atomicrmw add ptr %here, i16 3 seq_cst
  switch i16 %old, label %left [ i16 7, label %left i16 8, label %right ]
}
declare ptr @llvm.threadlocal.address.p0(ptr)
)";

// The programs of one folder.
void add_folder(const std::string& folder, std::vector<SourceSeed>& seeds) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kPath + folder))
    if (entry.path().extension() == ".c") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const bool sequential = is_sequential(text);
    seeds.push_back({path.string(), std::move(text), sequential});
  }
}

}  // namespace

std::vector<SourceSeed> source_seeds() {
  std::vector<SourceSeed> seeds;
  add_folder("tests/c/conformance", seeds);
  add_folder("examples/c", seeds);
  return seeds;
}

std::vector<ModuleSeed> module_seeds(const std::vector<SourceSeed>& sources) {
  std::vector<std::string> compiled(sources.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++)
      if (auto bitcode = c::compile({sources[i].name}, {}, nullptr))
        compiled[i] = std::move(bitcode->front());
  };
  {
    std::jthread other(work);
    work();
  }
  std::vector<ModuleSeed> seeds{
      {"odd widths", kOddWidths, true}, {"exceptions", kExceptions, true}, {"tables", kTables, true}};
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!compiled[i].empty())
      seeds.push_back({sources[i].name, std::move(compiled[i]), sources[i].sequential});
  return seeds;
}

}  // namespace weir::fuzz
