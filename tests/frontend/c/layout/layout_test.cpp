// Global variables become shared objects that have the user's names, types and initial values, at addresses
// that meet nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/c/lowered_source.hpp"
#include "program/address.hpp"

namespace weir::lowering_layout_test {

using namespace weir::test;
using testing::Each;
using testing::ElementsAre;

TEST(Objects, ScalarsHaveTheirNamesAndTypes) {
  const Program program = lowered(
      "signed char c = -3; unsigned short s = 65535; int i = -1; unsigned u = 7; long l; float f = 1; double "
      "d;\n"
      "_Bool b = 1; void *p; enum { kA } e;\n"
      "int main(void) { c = s = i = u = l = f = d = b = e = 1; p = &p; }");
  const auto is = [&](std::string_view name, Type type, Value initial) {
    const SharedObject* found = object(program, name);
    return found != nullptr && found->type == type && found->initial == std::vector<Value>{initial} &&
           !found->constant;
  };
  EXPECT_TRUE(is("c", {8, true}, -3));
  EXPECT_TRUE(is("s", {16, false}, 65535));
  EXPECT_TRUE(is("i", {32, true}, -1));
  EXPECT_TRUE(is("u", {32, false}, 7));
  EXPECT_TRUE(is("l", {64, true}, 0));
  EXPECT_TRUE(is("f", {32, false}, 0x3f800000));
  EXPECT_TRUE(is("d", {64, false}, 0));
  EXPECT_TRUE(is("b", {8, false}, 1));
  EXPECT_TRUE(is("p", {64, false}, 0));
  EXPECT_TRUE(is("e", {32, false}, 0));
}

TEST(Objects, MembersAreNamedAsTheUserWritesThem) {
  const Program program = lowered(
      "struct node { int value; struct node *next; char tag[3]; } nodes[4];\n"
      "struct { struct { long a; short b[2][3]; } inner; int last; } q;\n"
      "int main(void) { nodes[1].next = nodes; q.inner.b[1][2] = 1; }");
  for (const char* name :
       {"nodes[3].value", "nodes[0].next", "q.inner.a", "q.inner.b[0]", "q.inner.b[1]", "q.last"})
    EXPECT_NE(object(program, name), nullptr) << name;
  ASSERT_NE(object(program, "nodes[2].tag"), nullptr);
  EXPECT_EQ(object(program, "nodes[2].tag")->initial.size(), 3u);
  EXPECT_EQ(object(program, "nodes[1].value")->base - object(program, "nodes[0].value")->base, 24);
}

TEST(Objects, AnArrayIsOneObject) {
  const Program program = lowered("int items[1000] = {[3] = 7};\nint main(void) { items[3]++; }");
  const SharedObject* items = object(program, "items");
  ASSERT_NE(items, nullptr);
  EXPECT_EQ(items->initial.size(), 1000u);
  EXPECT_EQ(items->stride, 4);
  EXPECT_EQ(items->initial[3], 7);
}

TEST(Objects, InitialisersPointToOtherGlobalsAndFunctions) {
  const Program program = lowered(
      "int x[4]; int *p = &x[2]; int f(void) { return 1; } int (*g)(void) = f; const char *text = \"ab\";\n"
      "long n = (long)&x[1];\n"
      "int main(void) { return *p + g() + text[0] + n; }");
  EXPECT_EQ(object(program, "p")->initial[0], object(program, "x")->base + 8);
  EXPECT_EQ(object(program, "n")->initial[0], object(program, "x")->base + 4);
  EXPECT_FALSE(program.object_at(object(program, "g")->initial[0]));
  const SharedObject* text = object(program, "\"ab\"");
  ASSERT_NE(text, nullptr);
  EXPECT_TRUE(text->constant);
  EXPECT_THAT(text->initial, ElementsAre('a', 'b', 0));
  EXPECT_EQ(object(program, "text")->initial[0], text->base);
}

TEST(Objects, OnePastTheEndMeetsNothing) {
  const Program program =
      lowered("char a[5], b[16]; int c; long d[2];\nint main(void) { a[0] = b[0] = c = d[0] = 1; }");
  for (const char* name : {"a", "b", "c", "d"}) {
    const SharedObject* found = object(program, name);
    EXPECT_EQ(found->base % 16, 0) << name;
    const Value end = found->base + static_cast<Value>(found->initial.size()) * found->stride;
    for (Value address = end; address < end + 16; ++address) EXPECT_FALSE(program.object_at(address)) << name;
  }
}

TEST(Objects, VariablesOfMainThatThreadsReachStartUninitialised) {
  const auto reading = [](const char* cell) {
    return lowered(
        std::string("#include <pthread.h>\nvoid *t(void *p) { int *c = p; c[0] = 1; return c[") + cell +
        "] ? p : 0; }\nint main(void) { int cells[2]; pthread_t id; pthread_create(&id, 0, t, cells); "
        "pthread_join(id, 0); }");
  };
  EXPECT_TRUE(is_safe(reading("0")));
  EXPECT_FALSE(is_safe(reading("1")));
}

TEST(Objects, BitFieldsAreAccessedAsTheyAreStored) {
  const Program program = lowered(
      "struct { unsigned a : 3, b : 20; int c; } s = {5, 1000, -1};\n"
      "int main(void) { return s.a == 5 && s.b == 1000 && s.c == -1 ? 0 : *(int *)0; }");
  EXPECT_TRUE(is_safe(program));
}

TEST(Objects, UnionsHaveTheCellsThatTheProgramUses) {
  const std::string source = "union u { long whole; char bytes[8]; } x;\n";
  const Program bytes = lowered(source + "int main(void) { for (int i = 0; i < 8; i++) x.bytes[i] = i; }");
  ASSERT_NE(object(bytes, "x.bytes"), nullptr);
  EXPECT_EQ(object(bytes, "x.bytes")->initial.size(), 8u);
  const Program whole = lowered(source + "int main(void) { x.whole = 5; return x.bytes[0]; }");
  EXPECT_NE(object(whole, "x.whole"), nullptr);
  EXPECT_TRUE(is_safe(whole));
}

TEST(Objects, TypesOfTheRuntimeHaveTheirFields) {
  const Program program =
      lowered("#include <pthread.h>\npthread_mutex_t m;\nint main(void) { pthread_mutex_lock(&m); }");
  EXPECT_NE(object(program, "m.__data.__lock"), nullptr);
}

TEST(Objects, ThreadsHaveSlots) {
  COptions options;
  options.threads = 3;
  const Program program = lowered(
      "#include <pthread.h>\nvoid *t(void *p) { return p; }\n"
      "int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); }",
      options);
  ASSERT_EQ(program.threads.size(), 3u);
  EXPECT_EQ(program.threads[0].name, "main");
  EXPECT_FALSE(program.threads[0].dormant);
  EXPECT_EQ(program.threads[2].name, "t2");
  EXPECT_TRUE(program.threads[2].dormant);
  EXPECT_NE(object(program, "t2.state"), nullptr);
  EXPECT_EQ(object(program, "t3.state"), nullptr);
  EXPECT_TRUE(program.properties.deadlock);
}

// What a dormant thread does first must wait, or it would count as running.
TEST(Objects, DormantThreadsExecuteNothingBeforeTheyAreCreated) {
  COptions options;
  options.threads = 3;
  const Program program = lowered(
      "#include <pthread.h>\n_Thread_local int mine = 5; int x;\nvoid *t(void *p) { x = mine; return p; }\n"
      "int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); }",
      options);
  const Function& entry = program.function(program.threads[1].function);
  ASSERT_EQ(program.location(entry.entry).edges.size(), 1u);
  const Opcode first = program.edge(program.location(entry.entry).edges[0]).instruction.op;
  EXPECT_EQ(first, Opcode::kAtomicBegin);
  EXPECT_TRUE(is_safe(program));
}

TEST(ThreadLocals, ArePrivateUnlessTheirAddressGetsOut) {
  const std::string before = "#include <pthread.h>\n_Thread_local int mine = 5; int *out;\n";
  const Program hidden = lowered(before + "int main(void) { mine++; }");
  const auto is_private = [](const Program& program) {
    return std::ranges::any_of(function(program, "__weir_program_main")->privates,
                               [](const PrivateObject& each) { return each.name == "mine"; });
  };
  EXPECT_TRUE(is_private(hidden));
  const Program shown = lowered(before + "int main(void) { out = &mine; return *out == 5 ? 0 : *(int *)0; }");
  EXPECT_FALSE(is_private(shown));
  EXPECT_TRUE(is_safe(shown));
}

TEST(ThreadLocals, EveryThreadHasItsOwn) {
  EXPECT_TRUE(is_safe(lowered(
      "#include <assert.h>\n#include <pthread.h>\n"
      "_Thread_local struct { int a; char b[3]; } s = {5, {1, 2, 3}}; _Thread_local int shown = 9; int "
      "*out;\n"
      "void *t(void *p) { assert(s.a == 5 && s.b[2] == 3 && shown == 9); s.a = 1; shown = 2; return 0; }\n"
      "int main(void) { out = &shown; s.a = 7; pthread_t id; pthread_create(&id, 0, t, 0);\n"
      "  pthread_join(id, 0); assert(s.a == 7 && *out == 9); }")));
}

}  // namespace weir::lowering_layout_test
