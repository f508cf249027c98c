// Exceptions are jumps when a module is prepared, and cost nothing where none can be thrown.
#include "frontend/c/unwinding/unwinding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/c/prepared_source.hpp"

namespace weir::unwinding_test {

using namespace weir::test;

bool is_about_exceptions(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::InvokeInst>(instruction) || llvm::isa<llvm::LandingPadInst>(instruction) ||
         llvm::isa<llvm::ResumeInst>(instruction);
}

bool has_variable(const c::PreparedModule& module, const char* name) {
  return module.module->getGlobalVariable(name, true) != nullptr;
}

std::size_t blocks_of_main(const c::PreparedModule& module) {
  return module.module->getFunction("__weir_program_main")->size();
}

constexpr const char* kThrows = R"(
struct Note { int* place; ~Note() { ++*place; } };
static void fail(int* place, int how) { Note note{place}; if (how) throw how; }
int main(int count, char**) { int place = 0; try { fail(&place, count); } catch (int) { return place; } return 0; }
)";

TEST(Unwinding, LeavesNoInvoke) {
  const auto module = prepared(kThrows, {}, "test.cpp");
  EXPECT_EQ(test::count(module, is_about_exceptions), 0u);
  EXPECT_TRUE(has_variable(module, "exceptions"));
}

TEST(Unwinding, RecursiveFunctionsSayThatTheyWereLeft) {
  const auto module = prepared(R"(
int depth(int level) { if (level == 0) throw 1; return depth(level - 1) + 1; }
int main() { try { return depth(2); } catch (int) { return 0; } }
)",
                               {}, "test.cpp");
  EXPECT_EQ(test::count(module, is_about_exceptions), 0u);
  EXPECT_TRUE(has_variable(module, "was_left"));
}

// Destructors make landing pads, but nothing leads to them.
TEST(Unwinding, CostsNothingWhereNothingIsThrown) {
  const std::string objects = R"(
struct Note { int* place; ~Note() { ++*place; } };
static void work(int* place) { ++*place; }
int main() { int place = 0; Note note{&place}; work(&place); return place; }
)";
  const auto with = prepared(objects, {}, "test.cpp");
  COptions options;
  options.compiler_arguments = {"-fno-exceptions"};
  const auto without = prepared(objects, options, "test.cpp");
  EXPECT_EQ(test::count(with, is_about_exceptions), 0u);
  EXPECT_FALSE(has_variable(with, "exceptions"));
  EXPECT_EQ(blocks_of_main(with), blocks_of_main(without));
}

// Without a handler the program ends where it throws, so that nothing has to be kept about the exception.
TEST(Unwinding, EndsWhereNobodyCatches) {
  const auto module =
      prepared("int main(int count, char**) { if (count > 1) throw count; return 0; }", {}, "test.cpp");
  EXPECT_FALSE(has_variable(module, "exceptions"));
}

TEST(Unwinding, ThreadsOfCEndAtOnce) {
  const auto module = prepared(
      "#include <pthread.h>\nstatic void leave(void) { pthread_exit(0); }\nint main() { leave(); return 0; "
      "}");
  EXPECT_FALSE(has_variable(module, "exceptions"));
  EXPECT_FALSE(has_variable(module, "exit_result"));
}

}  // namespace weir::unwinding_test
