// Fences in C texts: where the statement goes, and where it cannot be one.
#include "frontend/c/fence_edits.hpp"

#include <gtest/gtest.h>

namespace weir::c_fence_edits_test {

constexpr const char* kFence = "atomic_thread_fence(memory_order_seq_cst)";

// The text with a fence before the instruction at `line` and `column`; empty if it cannot be written.
std::string fenced(std::string path, std::string text, std::vector<SourcePosition> places,
                   CFenceForm form = CFenceForm::kStatement) {
  Program program;
  const FileId file = program.sources.add(std::move(path), std::move(text));
  const FunctionId function = program.add_function("f");
  std::vector<LocationId> fences;
  for (SourcePosition place : places) {
    place.file = file;
    fences.push_back(program.add_location(function));
    program.add_edge(fences.back(), fences.back(), {}, place);
  }
  const auto edits = c_fence_edits(program, fences, form);
  return edits ? apply_edits(program.sources.file(file).text, edits->at(file)) : "";
}

std::string fenced(const std::string& body, std::uint32_t line, std::uint32_t column,
                   CFenceForm form = CFenceForm::kStatement) {
  return fenced("a.c", "#include <stdatomic.h>\nvoid f(void) {\n" + body + "}\n", {{{}, line + 2, column}},
                form);
}

std::string wrapped(const std::string& body) {
  return "#include <stdatomic.h>\nvoid f(void) {\n" + body + "}\n";
}

TEST(CFenceEdits, AStatementOfItsOwnWithTheIndentationOfTheNext) {
  EXPECT_EQ(fenced("  x = 1;\n  r = y;\n", 2, 7),
            wrapped(std::string("  x = 1;\n  ") + kFence + ";\n  r = y;\n"));
}

TEST(CFenceEdits, BeforeTheLoopWhoseConditionReads) {
  EXPECT_EQ(fenced("  x = 1;\n  while (y) {\n    z = 2;\n  }\n", 2, 10),
            wrapped(std::string("  x = 1;\n  ") + kFence + ";\n  while (y) {\n    z = 2;\n  }\n"));
}

TEST(CFenceEdits, InTheConditionIfAsked) {
  const auto form = CFenceForm::kCondition;
  EXPECT_EQ(fenced("  while (y) {}\n", 1, 10, form),
            wrapped(std::string("  while (") + kFence + ", y) {}\n"));
  EXPECT_EQ(fenced("  for (i = 0; y; i++) ;\n", 1, 15, form),
            wrapped(std::string("  for (i = 0; ") + kFence + ", y; i++) ;\n"));
  EXPECT_EQ(fenced("  r = y;\n", 1, 7, form), wrapped(std::string("  ") + kFence + ";\n  r = y;\n"))
      << "no condition: a statement";
}

TEST(CFenceEdits, ABodyWithoutBracesGetsThem) {
  EXPECT_EQ(fenced("  if (c) r = y; else r = z;\n", 1, 14),
            wrapped(std::string("  if (c) { ") + kFence + "; r = y; } else r = z;\n"));
  EXPECT_EQ(fenced("  if (c) r = y; else r = z;\n", 1, 26),
            wrapped(std::string("  if (c) r = y; else { ") + kFence + "; r = z; }\n"));
}

TEST(CFenceEdits, BehindLabelsAndNotBehindConditionalOperators) {
  EXPECT_EQ(fenced("again: r = y;\n", 1, 12), wrapped(std::string("again: ") + kFence + "; r = y;\n"));
  EXPECT_EQ(fenced("  r = c ? 1 : y;\n", 1, 15),
            wrapped(std::string("  ") + kFence + ";\n  r = c ? 1 : y;\n"));
}

TEST(CFenceEdits, CommentsAndStringsAreNoCode) {
  EXPECT_EQ(fenced("  /* ; { */ x = 1; // ;\n  puts(\"; }\"); r = y;\n", 2, 20),
            wrapped(std::string("  /* ; { */ x = 1; // ;\n  puts(\"; }\"); ") + kFence + "; r = y;\n"));
}

TEST(CFenceEdits, TwoFencesAtOnePlaceAreOne) {
  const std::string text = wrapped("  r = y + z;\n");
  EXPECT_EQ(fenced("a.c", text, {{{}, 3, 7}, {{}, 3, 11}}),
            wrapped(std::string("  ") + kFence + ";\n  r = y + z;\n"));
}

TEST(CFenceEdits, EachLanguageHasItsOwnWords) {
  EXPECT_EQ(
      fenced("a.c", "#include <assert.h>\nvoid f(void) { r = y; }\n", {{{}, 2, 20}}),
      std::string("#include <stdatomic.h>\n#include <assert.h>\nvoid f(void) { ") + kFence + "; r = y; }\n");
  EXPECT_EQ(fenced("a.cpp", "void f() { r = y; }\n", {{{}, 1, 16}}),
            "#include <atomic>\nvoid f() { std::atomic_thread_fence(std::memory_order_seq_cst); r = y; }\n");
  EXPECT_EQ(fenced("a.i", "void f() { r = y; }\n", {{{}, 1, 16}}),
            "void f() { __atomic_thread_fence(__ATOMIC_SEQ_CST); r = y; }\n");
}

TEST(CFenceEdits, NotOutsideOfFunctions) { EXPECT_EQ(fenced("a.c", "int x = 1;\n", {{{}, 1, 5}}), ""); }

}  // namespace weir::c_fence_edits_test
