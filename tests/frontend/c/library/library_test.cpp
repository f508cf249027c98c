// The table of library functions says the same as the runtime and the documentation.
#include "frontend/c/library/library.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <set>
#include <string>

#include "frontend/c/lowered_source.hpp"
#include "frontend/c/pipeline/runtime_bitcode.hpp"

namespace weir::c {
namespace {

using testing::HasSubstr;

// What programs could call: neither the runtime's own names nor those of C++, which compilers make up.
std::set<std::string> functions_of_runtime(DataModel model) {
  llvm::LLVMContext context;
  const std::string_view bitcode = runtime_bitcode(model);
  auto module = llvm::cantFail(llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "runtime"), context));
  std::set<std::string> names;
  for (const llvm::Function& function : *module) {
    const llvm::StringRef name = function.getName();
    const bool of_compiler = name.starts_with("_Z") || name.starts_with("__cxa_") || name == "__once_proxy" ||
                             name == "__dynamic_cast" || name == "__clang_call_terminate";
    if (!function.isDeclaration() && !function.hasLocalLinkage() && !name.starts_with("__weir_") &&
        !of_compiler)
      names.insert(name.str());
  }
  return names;
}

TEST(Library, ListsWhatTheRuntimeDefines) {
  std::set<std::string> listed;
  for (const LibraryFunction& function : library_functions())
    if (function.treatment == Treatment::kRuntime) listed.insert(function.name.str());
  EXPECT_EQ(listed, functions_of_runtime(DataModel::kLp64));
  EXPECT_EQ(listed, functions_of_runtime(DataModel::kIlp32));
}

TEST(Library, ListsEveryFunctionOnce) {
  std::set<std::string> seen;
  for (const LibraryFunction& function : library_functions()) {
    EXPECT_TRUE(seen.insert(function.name.str()).second) << function.name.str();
    EXPECT_EQ(library_function(function.name), &function);
    EXPECT_EQ(function.arguments.find_first_not_of("vstrwuf.cl"), llvm::StringRef::npos)
        << function.name.str();
  }
  EXPECT_EQ(library_function("no_such_function"), nullptr);
}

TEST(Library, KnowsWhereFormatsAre) {
  for (const LibraryFunction& function : library_functions()) {
    const bool formatted = function.treatment == Treatment::kFormatted;
    EXPECT_EQ(formatted, function.arguments.ends_with("f.")) << function.name.str();
    if (formatted) {
      EXPECT_EQ(format_argument(function), function.arguments.size() - 2) << function.name.str();
    }
  }
}

// What a call does is known from its format; where it is not, the runtime gives up and says which call.
TEST(Library, TakesFormatsApart) {
  const std::string before = "#include <stdio.h>\nint x; char t[9];\nint main(int n, char **v) {\n";
  const auto given_up = [&](const std::string& body) {
    std::string reasons;
    for (const Edge& edge : test::lowered(before + body + "\n}").edges)
      if (edge.instruction.op == Opcode::kHalt) reasons += edge.instruction.message;
    return reasons;
  };
  EXPECT_EQ(given_up("  printf(\"%d %f %p%%\", n, 1.5, (void *)v);"), "");
  EXPECT_EQ(given_up("  x = printf(\"%5d %-3s\", n, \"a\") + putchar('a');"), "");
  EXPECT_EQ(given_up("  sprintf(t, \"%x\", n);"), "");
  EXPECT_THAT(given_up("  sprintf(t, \"%f\", 1.5);"), HasSubstr("sprintf() that makes text of a floating"));
  EXPECT_THAT(given_up("  x = printf(\"%g\", 1.5);"), HasSubstr("printf() that makes text of a floating"));
  EXPECT_THAT(given_up("  printf(\"%s\", n);"), HasSubstr("whose arguments do not fit its format"));
  EXPECT_THAT(given_up("  printf(\"%s\");"), HasSubstr("whose arguments do not fit its format"));
  EXPECT_THAT(given_up("  printf(\"%2$s\", 1, \"a\");"), HasSubstr("with a format like this"));
  EXPECT_THAT(given_up("  printf(v[0], 1);"), HasSubstr("with a format that is not a constant"));
}

TEST(Library, IsDocumented) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/docs/c.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr(library_in_words())) << "put this into docs/c.md";
}

}  // namespace
}  // namespace weir::c
