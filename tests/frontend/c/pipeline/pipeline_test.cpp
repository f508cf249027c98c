// The pipeline keeps every access to memory, and no more, and finds out what the lowering relies on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/process/process.hpp"
#include "frontend/c/prepared_source.hpp"
#include "frontend/c/stopping.hpp"

namespace weir::pipeline_test {

using namespace weir::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Accesses.

TEST(Accesses, TwoLoadsStayTwo) {
  const auto module = prepared("int x, r;\nint main() { r = x + x; }");
  EXPECT_EQ(loads(module, "x"), 2u);
  EXPECT_EQ(stores(module, "r"), 1u);
}

TEST(Accesses, UnusedLoadsStay) {
  EXPECT_EQ(loads(prepared("int x;\nint main() { x; (void)x; int unused = x; }"), "x"), 3u);
  EXPECT_EQ(loads(prepared("volatile int x;\nint main() { x; }"), "x"), 1u);
}

TEST(Accesses, OverwrittenStoresStay) {
  EXPECT_EQ(stores(prepared("int x;\nint main() { x = 1; x = 1; x = 2; }"), "x"), 3u);
}

TEST(Accesses, BranchesAreNotMerged) {
  const auto module = prepared("int x, c;\nint main() { int r; if (c) r = x; else r = x; return r; }");
  EXPECT_EQ(loads(module, "x"), 2u);
}

TEST(Accesses, NothingIsHoistedOutOfLoops) {
  const auto module = prepared("int flag, x;\nint main() { while (!flag) x = 1; }");
  EXPECT_EQ(loads(module, "flag"), 1u);
  EXPECT_EQ(stores(module, "x"), 1u);
  EXPECT_EQ(count(module,
                  [](const llvm::Instruction& i) {
                    return loads_of("flag")(i) && i.getParent() == &i.getFunction()->getEntryBlock();
                  }),
            0u);
}

TEST(Accesses, NoBranchBecomesASelectOfAccesses) {
  const auto module = prepared("int x, c;\nint main() { if (c) x = 1; }");
  EXPECT_EQ(stores(module, "x"), 1u);
  EXPECT_EQ(loads(module, "x"), 0u);  // no "x = c ? 1 : x"
}

TEST(Accesses, InlinedFunctionsKeepTheirs) {
  const auto module =
      prepared("int x;\nstatic int get(void) { return x; }\nint main() { return get() + get() + get(); }");
  EXPECT_EQ(loads(module, "x"), 3u);
  EXPECT_EQ(module.module->getFunction("get"), nullptr);
}

TEST(Accesses, FailuresAreNotSimplifiedAway) {
  const auto divisions = [](const llvm::Instruction& instruction) {
    return instruction.getOpcode() == llvm::Instruction::SDiv;
  };
  const auto by_parameter =
      prepared("static int quotient(int a, int b) { return a / b; }\nint main() { quotient(1, 0); }");
  EXPECT_EQ(count(by_parameter, divisions), 1u);
  const auto by_constant = prepared("static void f(int a) { a / 0; }\nint main() { f(1); }");
  EXPECT_EQ(count(by_constant, divisions), 1u);
  const auto outside = prepared(
      "const int table[2] = {1, 2};\nstatic int f(int i) { return table[i]; }\nint main() { return f(5); }");
  EXPECT_EQ(loads(outside, "table"), 1u);
}

TEST(Accesses, LoadsFromNullStay) {
  const auto module = prepared("int main() { int *p = 0; return *p; }");
  EXPECT_EQ(count(module,
                  [](const llvm::Instruction& i) {
                    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
                    return load != nullptr && llvm::isa<llvm::ConstantPointerNull>(load->getPointerOperand());
                  }),
            1u);
}

TEST(Accesses, VolatileLocalsStayInMemory) {
  const auto module = prepared("int main() { volatile int v = 1; v; return v; }");
  EXPECT_THAT(allocas(module, true), ElementsAre("v"));
  EXPECT_EQ(loads(module, "v"), 2u);
  EXPECT_EQ(stores(module, "v"), 1u);
}

TEST(Accesses, BranchesThatAreNeverTakenGo) {
  const auto module =
      prepared("int x, y;\nstatic void f(int *p) { if (p) *p = 1; else y = 1; }\nint main() { f(0); }");
  EXPECT_EQ(stores(module, "y"), 1u);
  EXPECT_EQ(
      count(module,
            [](const llvm::Instruction& i) {
              return llvm::isa<llvm::StoreInst>(i) &&
                     llvm::isa<llvm::ConstantPointerNull>(llvm::cast<llvm::StoreInst>(i).getPointerOperand());
            }),
      0u);
}

// Functions.

std::vector<std::string> functions(const c::PreparedModule& module) {
  std::vector<std::string> names;
  for (const llvm::Function& function : *module.module)
    if (!function.isDeclaration() && !function.getName().starts_with("__weir"))
      names.push_back(function.getName().str());
  return names;
}

TEST(Functions, OnlyRecursiveAndAddressedOnesRemain) {
  const auto module = prepared(R"(
    int x;
    static int twice(int n) { return 2 * n; }
    static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
    static int even(int n);
    static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    static void addressed(void) { x = twice(2); }
    static void unused(void) { x = 7; }
    void (*f)(void) = addressed;
    int main() { f(); return twice(sum(3)) + even(4); })");
  EXPECT_THAT(functions(module), testing::UnorderedElementsAre("sum", "even", "odd", "addressed"));
  EXPECT_EQ(calls(module, "twice"), 0u);
}

TEST(Functions, MainMayHaveAnyUsualSignature) {
  EXPECT_EQ(loads(prepared("int x;\nint main(void) { return x; }"), "x"), 1u);
  EXPECT_EQ(loads(prepared("int x;\nvoid main() { x; }"), "x"), 1u);
  const auto with_arguments =
      prepared("int x;\nint main(int argc, char **argv) { x = argc; return argv[0][0]; }");
  ASSERT_NE(with_arguments.module->getGlobalVariable("argv", true), nullptr);
  EXPECT_EQ(loads(prepared("int x;\nint main(c, v, e) int c; char **v, **e; { return e ? x : 0; }"), "x"),
            0u);
}

TEST(Functions, ConstructorsRunInTheirOrder) {
  const auto module = prepared(R"(
    int x;
    __attribute__((constructor(202))) static void second(void) { x = 2; }
    __attribute__((constructor(201))) static void first(int argc, char **argv) { x = argc; }
    __attribute__((destructor)) static void last(void) { x = 4; }
    int main() { x = 3; })");
  std::vector<std::int64_t> written;
  for (const llvm::Instruction& instruction :
       llvm::instructions(*module.module->getFunction("__weir_program_main")))
    if (stores_to("x")(instruction))
      written.push_back(llvm::cast<llvm::ConstantInt>(instruction.getOperand(0))->getSExtValue());
  EXPECT_THAT(written, ElementsAre(1, 2, 3));
  const llvm::Function* last = module.module->getFunction("last");
  ASSERT_NE(last, nullptr);  // the runtime calls it, through a pointer
  EXPECT_EQ(count(*last, stores_to("x")), 1u);
}

TEST(Functions, StructuresByValueAreCopied) {
  const auto module = prepared(R"(
    struct big { long a[8]; } g;
    static long change(struct big b) { b.a[0] = 1; return b.a[0]; }
    int main() { return change(g); })");
  EXPECT_EQ(stores(module, "g"), 0u);
  EXPECT_EQ(count(module, [](const llvm::Instruction& i) { return llvm::isa<llvm::MemCpyInst>(i); }), 1u);
}

TEST(Functions, OddStructuresAreCopied) {
  const auto module = prepared(R"(
    struct odd { char a; short b, c; } g;
    static struct odd change(struct odd v) { v.b++; return v; }
    int main() { g = change(change(g)); })");
  EXPECT_EQ(count(module, [](const llvm::Instruction& i) { return i.getType()->isIntegerTy(48); }), 0u);
  EXPECT_EQ(count(module,
                  [](const llvm::Instruction& i) {
                    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                    return store != nullptr && store->getValueOperand()->getType()->isIntegerTy(48);
                  }),
            0u);
}

TEST(Functions, UnprototypedCallsAreInlined) {
  const auto module = prepared("int x;\nint main() { void set(); set(3); }\nvoid set(n) int n; { x = n; }");
  EXPECT_EQ(stores(module, "x"), 1u);
  EXPECT_THAT(functions(module), IsEmpty());
}

TEST(Functions, PointersThatAreConstantAreInlined) {
  const auto module = prepared(
      "int x;\nstatic void set(int n) { x = n; }\nint main() { void (*f)(void) = (void (*)(void))set; ((void "
      "(*)(int))f)(2); }");
  EXPECT_EQ(stores(module, "x"), 1u);
  EXPECT_THAT(functions(module), IsEmpty());
}

TEST(Functions, RuntimeCodeIsWhereItIsCalled) {
  const auto module =
      prepared("#include <pthread.h>\npthread_mutex_t m;\nint main() {\n  pthread_mutex_lock(&m);\n}");
  std::size_t seen = 0;
  for (const llvm::Instruction& instruction :
       llvm::instructions(*module.module->getFunction("__weir_program_main")))
    if (calls_of("__weir_atomic_begin")(instruction) && instruction.getDebugLoc()) {
      EXPECT_EQ(instruction.getDebugLoc().getLine(), 4u);
      ++seen;
    }
  EXPECT_GT(seen, 0u);
}

TEST(Functions, TheUsersDefinitionWins) {
  const auto module = prepared(R"(
    #include <pthread.h>
    int x;
    int pthread_mutex_lock(pthread_mutex_t *m) { x = 1; return 0; }
    pthread_mutex_t m;
    int main() { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); })");
  EXPECT_EQ(stores(module, "x"), 1u);
}

TEST(Functions, ThreadsOfOtherTypes) {
  const auto module = prepared(R"(
    #include <pthread.h>
    int x;
    void *plain() { x = 1; return 0; }
    void nothing(void) { x = 2; }
    int number(long n) { x = n; return 3; }
    int main() {
      pthread_t t;
      pthread_create(&t, 0, plain, 0);
      pthread_create(&t, 0, (void *(*)(void *))nothing, 0);
      pthread_create(&t, 0, (void *(*)(void *))number, (void *)7);
    })",
                               {.compiler_arguments = {"-std=gnu17"}});
  for (const char* name : {"plain.thread", "nothing.thread", "number.thread"}) {
    const llvm::Function* function = module.module->getFunction(name);
    ASSERT_NE(function, nullptr) << name;
    EXPECT_EQ(function->arg_size(), 1u);
    EXPECT_EQ(count(*function, stores_to("x")), 1u);
  }
}

TEST(Functions, AtomicByTheirName) {
  const auto module = prepared(R"(
    void __VERIFIER_atomic_begin(void);
    int x;
    static int __VERIFIER_atomic_next(int n) { if (n) return x++; return 0; }
    int main() { return __VERIFIER_atomic_next(1); })");
  std::vector<std::string> order;
  for (const llvm::Instruction& i : llvm::instructions(*module.module->getFunction("__weir_program_main"))) {
    if (calls_of("__weir_atomic_begin")(i) && i.getDebugLoc()) order.emplace_back("begin");
    if (calls_of("__weir_atomic_end")(i) && i.getDebugLoc()) order.emplace_back("end");
    if (loads_of("x")(i)) order.emplace_back("load");
    if (stores_to("x")(i)) order.emplace_back("store");
  }
  EXPECT_THAT(order, ElementsAre("begin", "load", "store", "end"));
}

TEST(Functions, UndefinedOnesStayCalls) {
  const auto module = prepared("void elsewhere(int);\nint main() { elsewhere(1); }");
  EXPECT_EQ(calls(module, "elsewhere"), 1u);
}

// Reads before writes.

TEST(Uninitialised, ReadBeforeWritten) {
  EXPECT_EQ(uninitialised(prepared("int x;\nint main() { int n; x = n; }"), "n"), 1u);
  EXPECT_EQ(uninitialised(prepared("int c;\nint main() { int n; if (c) n = 1; c = n; }"), "n"), 1u);
}

TEST(Uninitialised, WrittenFirst) {
  EXPECT_EQ(uninitialised(prepared("int main() { int n; n = 1; return n; }"), "n"), 0u);
  EXPECT_EQ(uninitialised(prepared("int f(int p) { return p; }\nint main() { return f(1); }"), "p"), 0u);
  EXPECT_EQ(uninitialised(prepared("int c;\nint main() { int n; if (c) n = 1; else n = 2; return n; }"), "n"),
            0u);
  EXPECT_EQ(uninitialised(prepared("int main() { for (int i = 0; i < 3; i++) { int n = i; n++; } }"), "n"),
            0u);
}

TEST(Uninitialised, EachTimeTheDeclarationIsReached) {
  // In the second round the old value is gone.
  const auto module =
      prepared("int x;\nint main() { for (int i = 0; i < 2; i++) { int n; if (i == 0) n = 1; x = n; } }");
  EXPECT_EQ(uninitialised(module, "n"), 1u);
}

TEST(Uninitialised, ThroughInlinedCalls) {
  const auto module =
      prepared("static void set(int *p) { *p = 1; }\nint main() { int n; set(&n); return n; }");
  EXPECT_EQ(uninitialised(module, "n"), 0u);
  EXPECT_THAT(allocas(module, true), IsEmpty());
  const auto maybe =
      prepared("int c;\nstatic void set(int *p) { if (c) *p = 1; }\nint main() { int n; set(&n); c = n; }");
  EXPECT_EQ(uninitialised(maybe, "n"), 1u);
}

TEST(Uninitialised, WhatIsStoredElsewhereStays) {
  const auto module = prepared("int main() { int n; volatile int v = n; return v; }");
  EXPECT_EQ(uninitialised(module, "n"), 1u);
  EXPECT_EQ(stores(module, "v"), 1u);
}

TEST(Uninitialised, MemoryForgetsInLoops) {
  const auto copies = [](const std::string& source) {
    return count(prepared(source), [](const llvm::Instruction& i) {
      const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&i);
      return copy != nullptr && copy->getSource()->getName().starts_with("never.written");
    });
  };
  EXPECT_EQ(copies("int x;\nint main() { int a[2]; a[x] = 1; return a[1]; }"), 0u);
  EXPECT_EQ(copies("int x;\nint main() { while (x) { int a[2]; a[x] = 1; x = a[1]; } }"), 1u);
  EXPECT_EQ(copies("int x;\nint main() { while (x) { volatile int n; x = n; } }"), 1u);
  EXPECT_EQ(copies("int x;\nstatic int f(void) { int a[2]; a[x] = 1; return a[1]; }\nint main() { while (x) "
                   "x = f(); }"),
            1u);
  EXPECT_EQ(copies("int x, *p;\nint main() { while (x) { int a[2]; p = a; x = a[1]; } }"), 0u);
}

TEST(Uninitialised, VariablesInMemoryHaveNoMarks) {
  const auto module = prepared("int *p;\nint main() { int n; p = &n; return n; }");
  EXPECT_EQ(uninitialised(module, "n"), 0u);
  EXPECT_EQ(stores(module, "n"), 0u);
}

TEST(Uninitialised, PaddingIsZero) {
  const auto module = prepared(
      "struct s { char c : 3; int i; } g = {1, 2};\nint main() { struct s l = {0}; return g.c + l.c; }");
  for (const llvm::GlobalVariable& global : module.module->globals())
    EXPECT_EQ(text_of(global).find("undef"), std::string::npos) << text_of(global);
}

// Variables that other threads can reach.

TEST(Escape, PrivateUses) {
  const auto module = prepared(R"(
    #include <string.h>
    int x;
    static int sum(const int *a, int n) { return n == 0 ? 0 : a[n - 1] + sum(a, n - 1); }
    int main() {
      int values[4];
      memset(values, 0, sizeof values);
      for (int i = 0; i < 4; i++) values[i] = i;
      int *p = &values[1], *q = x ? p : values;
      return sum(values, 4) + (q - values) + (p == q) + *q;
    })");
  EXPECT_THAT(allocas(module, true), ElementsAre("values"));
  EXPECT_THAT(allocas(module, false), IsEmpty());
}

TEST(Escape, ArraysOfVariableSizeAreNotPrivate) {
  const auto module = prepared("int n;\nint main() { int a[n + 1]; a[0] = 1; return a[0]; }");
  EXPECT_THAT(allocas(module, true), IsEmpty());
  EXPECT_THAT(allocas(module, false), ElementsAre("vla"));
}

TEST(Escape, OfMainStaysOnItsStack) {
  const auto module = prepared("int *p;\nint main() { int shared[2]; p = shared; return *p; }");
  EXPECT_THAT(allocas(module, true), IsEmpty());
  EXPECT_THAT(allocas(module, false), ElementsAre("shared"));
}

TEST(Escape, WhatIsOnlyUsedWhileItLivesIsPrivate) {
  const auto module = prepared(
      "int main(int c, char **v) { for (int i = 0; i < c; i++) { int x[2] = {i}; int *p = x + c; *p = x[0]; "
      "} }");
  EXPECT_THAT(allocas(module, true), testing::Contains("x"));
}

TEST(Escape, WhatIsUsedAfterItsBlockIsNot) {
  const auto module = prepared("int main() { int *p; { int x[2]; p = x; *p = 1; } return *p; }");
  EXPECT_THAT(allocas(module, false), ElementsAre("x"));
}

TEST(Escape, NorWhatALaterRoundUses) {
  const auto module = prepared(
      "int main(int c, char **v) { int *p = 0; while (c--) { int x[2] = {c}; if (p) *p = 1; p = x; } }");
  EXPECT_THAT(allocas(module, false), ElementsAre("x"));
}

TEST(Escape, ScalarsUsedAfterTheirBlockStayInMemory) {
  const auto module = prepared("int main() { int *p; { int x = 1; p = &x; } return *p; }");
  EXPECT_THAT(allocas(module, false), ElementsAre("x"));
}

const char* const kThread = R"(
  #include <pthread.h>
  #include <stdio.h>
  #include <stdint.h>
  void *global; long number;
  void unknown(void *);
  static void *identity(void *p) { return p; }
  static void keep_number(long p, int n) { if (n) keep_number(p, n - 1); else number = p; }
  static void keep(void *p, int n) { if (n) keep(p, n - 1); else global = p; }
  static void *worker(void *argument) { int local[2]; BODY; return 0; }
  int main() { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); }
)";

class EscapeInThread : public testing::TestWithParam<std::pair<std::string, bool>> {};

TEST_P(EscapeInThread, IsRecognised) {
  const auto [body, is_private] = GetParam();
  COptions options;
  options.compiler_arguments = {std::string("-DBODY=") + body};
  const auto module = prepared(kThread, options);
  EXPECT_THAT(allocas(module, is_private), testing::Contains("local")) << body;
  EXPECT_THAT(allocas(module, !is_private), testing::Not(testing::Contains("local"))) << body;
}

INSTANTIATE_TEST_SUITE_P(
    Uses, EscapeInThread,
    testing::Values(
        std::pair{"local[0] = 1", true}, std::pair{"global = local", false},
        std::pair{"global = &local[1]", false}, std::pair{"unknown(local)", false},
        std::pair{"keep(local, 2)", false}, std::pair{"keep_number((long)local, 2)", false},
        std::pair{"unsigned long sum; __builtin_add_overflow((uintptr_t)local, 4, &sum); number = sum",
                  false},
        std::pair{"number = (long)local", false}, std::pair{"number = (long)local & 15", false},
        std::pair{"number = &local[1] - &local[0]", true}, std::pair{"number = (int *)global - local", false},
        std::pair{"number = (uintptr_t)local == (uintptr_t)global", true},
        std::pair{"printf(\"%p\", (void *)local)", true},
        std::pair{"*(int *)((uintptr_t)local + 4) = 1", true},
        std::pair{"int *volatile p = local; *p = 1", false}, std::pair{"return local", false},
        std::pair{"return identity(local)", false}, std::pair{"*(int *)identity(local) = 1", true},
        std::pair{"void *(*f)(void *) = identity; global = 0; if (number) f = 0; f(local)", false},
        std::pair{"__atomic_store_n(local, 1, 5)", true},
        std::pair{"__atomic_exchange_n(&global, (void *)local, 5)", false}));

// How many threads.

std::uint32_t limit(const std::string& body, std::uint32_t unroll = 0) {
  COptions options;
  options.unroll = unroll;
  return prepared(
             "#include <pthread.h>\nint n; const int three = 3; pthread_t t;\n"
             "static void *leaf(void *p) { return 0; }\n"
             "static void *parent(void *p) { pthread_t s; pthread_create(&s, 0, leaf, 0); return 0; }\n"
             "static void *endless(void *p) { pthread_t s; pthread_create(&s, 0, endless, 0); return 0; }\n"
             "static void start(void) { pthread_create(&t, 0, leaf, 0); }\n"
             "static void start_some(int k) { for (int i = 0; i < k; i++) start(); }\n"
             "static void recurse(int k) { if (k) { start(); recurse(k - 1); } }\n"
             "int main() {" +
                 body + "}",
             options)
      .thread_limit;
}

TEST(ThreadLimit, OutsideLoops) {
  EXPECT_EQ(limit(""), 1u);
  EXPECT_EQ(limit("start();"), 2u);
  EXPECT_EQ(limit("start(); start(); pthread_create(&t, 0, leaf, 0);"), 4u);
  EXPECT_EQ(limit("if (n) start(); else start();"), 3u);
}

TEST(ThreadLimit, InLoops) {
  EXPECT_EQ(limit("for (int i = 0; i < 3; i++) start();"), 4u);
  EXPECT_EQ(limit("int i = 0; do start(); while (++i < 3);"), 4u);
  EXPECT_EQ(limit("for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) start();"), 7u);
  EXPECT_EQ(limit("for (int i = 0; i < 5; i++) { if (n) break; start(); }"), 6u);
  EXPECT_EQ(limit("start_some(2); start_some(3);"), 6u);
  EXPECT_EQ(limit("for (int i = 0; i < three; i++) start();"), 4u);
}

TEST(ThreadLimit, ThreadsThatCreateThreads) {
  EXPECT_EQ(limit("for (int i = 0; i < 2; i++) pthread_create(&t, 0, parent, 0);"), 5u);
}

TEST(ThreadLimit, OtherThreads) {
  EXPECT_EQ(prepared("#include <threads.h>\nthrd_t t;\nint leaf(void *p) { return 0; }\n"
                     "int parent(void *p) { thrd_t s; thrd_create(&s, leaf, 0); return 0; }\n"
                     "int main() { for (int i = 0; i < 2; i++) thrd_create(&t, parent, 0); }")
                .thread_limit,
            5u);
  EXPECT_EQ(prepared("#include <thread>\nint x;\n"
                     "int main() { std::thread a([] { x = 1; }), b([] { x = 2; }); a.join(); b.join(); }",
                     {}, "a.cpp")
                .thread_limit,
            3u);
}

TEST(ThreadLimit, Guesses) {
  EXPECT_EQ(limit("while (n) start();"), 9u);
  EXPECT_EQ(limit("for (int i = 0; i < n; i++) start(); start();"), 10u);
  EXPECT_EQ(limit("recurse(n);"), 9u);
  EXPECT_EQ(limit("pthread_create(&t, 0, endless, 0);"), 10u);
  EXPECT_EQ(limit("while (n) start();", 2), 4u);
  EXPECT_EQ(limit("for (int i = 0; i < 1000; i++) start();"), 64u);
}

TEST(ThreadLimit, OfTheUser) {
  COptions options;
  options.threads = 5;
  EXPECT_EQ(prepared("int main() {}", options).thread_limit, 5u);
}

// Bounded loops.

std::size_t bounds(const std::string& body) {
  COptions options;
  options.unroll = 3;
  return calls(
      prepared("int x, y, *p; struct list { struct list *next; } *l;\nint main() { " + body + " }", options),
      "__weir_give_up");
}

TEST(LoopBounds, LoopsAreCounted) {
  EXPECT_EQ(bounds(""), 0u);
  EXPECT_EQ(bounds("while (x) y = 1;"), 1u);
  EXPECT_EQ(bounds("for (int i = 0; i < 9; i++) ;"), 1u);
  EXPECT_EQ(bounds("for (int i = 0; i < x; i++) for (int j = 0; j < x; j++) y++;"), 2u);
  EXPECT_EQ(bounds("do { do y++; while (x); } while (y);"), 2u);
  EXPECT_EQ(bounds("while (!__atomic_exchange_n(&x, 1, 5)) ;"), 1u);
  EXPECT_EQ(bounds("while (__atomic_exchange_n(&x, y, 5)) ;"), 1u);
  EXPECT_EQ(bounds("while (__atomic_fetch_add(&x, 1, 5)) ;"), 1u);
  EXPECT_EQ(bounds("int e = 0; while (__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5)) ;"), 1u);
}

TEST(LoopBounds, LoopsThatTryToTakeALockAreNot) {
  EXPECT_EQ(bounds("while (__atomic_exchange_n(&x, 1, 5)) ;"), 0u);
  EXPECT_EQ(bounds("while (__atomic_exchange_n(&x, 1, 5)) while (x) ;"), 0u);
  EXPECT_EQ(bounds("static char flag; do ; while (__atomic_test_and_set(&flag, 5));"), 0u);
  EXPECT_EQ(bounds("for (;;) { int e = 0; if (__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5)) break; }"),
            0u);
}

TEST(LoopBounds, SpinsAreNot) {
  EXPECT_EQ(bounds("while (x) ;"), 0u);
  EXPECT_EQ(bounds("int seen; do seen = x; while (seen == y); return seen;"), 0u);
  EXPECT_EQ(bounds("while (__atomic_load_n(&x, 2)) __builtin_ia32_pause();"), 0u);
  EXPECT_EQ(bounds("while (x) __asm__ volatile(\"pause\" ::: \"memory\");"), 0u);
  EXPECT_EQ(bounds("for (struct list *at = l; at; at = at->next) ;"), 0u);
}

TEST(LoopBounds, MessageNamesTheLoop) {
  COptions options;
  options.unroll = 2;
  const auto module = prepared("int x, y;\nint main() {\n  while (x)\n    y++;\n}", options);
  const llvm::GlobalVariable* message = module.module->getGlobalVariable("unroll", true);
  ASSERT_NE(message, nullptr);
  const auto text = llvm::cast<llvm::ConstantDataArray>(message->getInitializer())->getAsCString();
  EXPECT_THAT(text.str(), HasSubstr("test.c:3 is repeated more than 2 times"));
}

TEST(LoopBounds, InlinedLoopsAreWhereTheyAre) {
  COptions options;
  options.unroll = 2;
  const auto module = prepared(
      "int x, y;\nstatic void wait(void) {\n  while (x)\n    y++;\n}\nstatic void both(void) { wait(); }\n"
      "int main() { both(); wait(); }",
      options);
  EXPECT_EQ(calls(module, "__weir_give_up"), 2u);
  for (const llvm::GlobalVariable& global : module.module->globals()) {
    if (!global.getName().starts_with("unroll")) continue;
    EXPECT_THAT(llvm::cast<llvm::ConstantDataArray>(global.getInitializer())->getAsCString().str(),
                HasSubstr("test.c:3 "));
  }
}

// Files that cannot be used.

std::string complaint(const std::string& name, const std::string& text, const COptions& options = {}) {
  const SourceFolder folder;
  auto result = c::prepare_module({folder.write(name, text)}, options);
  return result ? "" : all_messages(result.error());
}

TEST(BadSources, ClangSpeaksForItself) {
  const SourceFolder folder;
  const auto result = c::prepare_module({folder.write("wrong.c", "int main() { return nothing; }\n")}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().verbatim,
              HasSubstr("wrong.c:1:21: error: use of undeclared identifier 'nothing'"));
  EXPECT_THAT(result.error().diagnostics, IsEmpty());
}

TEST(BadSources, CompilerArguments) {
  COptions options;
  options.compiler_arguments = {"-DN=1"};
  EXPECT_EQ(complaint("a.c", "int main() { return N; }", options), "");
  options.compiler_arguments = {"--no-such-option"};
  EXPECT_THAT(complaint("a.c", "int main() {}", options), HasSubstr("no-such-option"));
  options.compiler_arguments = {"-O2"};  // does not optimise
  EXPECT_EQ(loads(prepared("int x;\nint main() { return x + x; }", options), "x"), 2u);
}

TEST(BadSources, OldHabits) {
  EXPECT_EQ(complaint("a.c",
                      "f(n) { return n; }\nmain() { int *p = 1; void (*g)(int) = f; return later(1); }\n"
                      "int later(int n) { return n; }"),
            "");
}

TEST(BadSources, WeirIsVisibleToSources) {
  EXPECT_EQ(complaint("a.c", "#ifndef __WEIR__\n#error not weir\n#endif\nint main() {}"), "");
}

TEST(BadSources, NoMain) {
  EXPECT_THAT(complaint("a.c", "int x;"), HasSubstr("a.c: error: there is no main"));
  EXPECT_THAT(complaint("a.ll", "define i32 @main(double %d) {\n  ret i32 0\n}\n"),
              HasSubstr("main has parameters"));
}

TEST(BadSources, Llvm) {
  EXPECT_THAT(complaint("a.ll", "define i32 @main() {\n  ret i64 0\n}\n"), HasSubstr("a.ll:2:"));
  EXPECT_THAT(complaint("a.ll", "define i32 @main() {\n  %a = add i32 %a, 1\n  ret i32 %a\n}\n"),
              HasSubstr("not a valid LLVM module"));
  EXPECT_THAT(complaint("a.bc", "BC\xC0\xDEnonsense"), HasSubstr("a.bc: error: "));
  EXPECT_THAT(complaint("a.bc", "nonsense"), HasSubstr("a.bc:1:"));
  EXPECT_THAT(complaint("a.ll", ""), HasSubstr("a.ll: error: this file is empty"));
  EXPECT_THAT(
      complaint("a.ll", "target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() {\n  ret i32 0\n}\n"),
      HasSubstr("compiled for aarch64"));
  EXPECT_THAT(complaint("a.ll", "target datalayout = \"e-p:32:32\"\ndefine i32 @main() {\n  ret i32 0\n}\n"),
              HasSubstr("another layout"));
  EXPECT_EQ(complaint("a.ll", "define i32 @main() {\n  ret i32 0\n}\n"), "");
  EXPECT_THAT(complaint("a.c", "__asm__(\"f: ret\");\nint main() {}"),
              HasSubstr("assembly outside functions"));
}

TEST(BadSources, NoCompiler) {
  setenv("WEIR_CLANG", "/nowhere/clang", 1);
  const std::string text = complaint("a.c", "int main() {}");
  unsetenv("WEIR_CLANG");
  EXPECT_THAT(text, HasSubstr("'/nowhere/clang', cannot be run"));
  EXPECT_THAT(text, HasSubstr("install clang 19"));
}

TEST(Process, CrashesAreSurvived) {
  EXPECT_EQ(result_if_survived([] { return std::string(100'000, 'x'); }), std::string(100'000, 'x'));
  EXPECT_EQ(result_if_survived([] { return std::string(); }), "");
  EXPECT_EQ(result_if_survived([]() -> std::string { std::abort(); }), std::nullopt);
}

// Both what reads modules and what translates them ask whether they are still wanted.
TEST(Stopping, AStoppedContextEndsTheTranslation) {
  const SourceFolder folder;
  Context context;
  context.request_stop(StopReason::kInterrupt);
  COptions options;
  options.context = &context;
  for (const std::string name : {"a.ll", "a.c"}) {
    const std::string text =
        name == "a.c" ? "int main() { return 0; }\n" : "define i32 @main() {\n  ret i32 0\n}\n";
    const auto program = load_c({folder.write(name, text)}, options);
    ASSERT_FALSE(program.ok());
    EXPECT_EQ(program.error().diagnostics.front().message, "interrupted");
  }
  const auto prepared = c::prepare_module({folder.write("b.c", "int main() { return 0; }\n")}, {});
  ASSERT_TRUE(prepared.ok());
  EXPECT_THROW(c::lower_module(prepared.value(), "b.c", options), c::NotWanted);
}

// What LLVM does with these depends on what its memory holds, or takes all there is.
TEST(BadSources, NumbersThatLlvmDoesNotExpect) {
  for (const std::string number : {"9223372036854775807", "4294967295", "4294967294"})
    EXPECT_THAT(complaint("a.ll", "define i32 @main() {\n  call void @f(ptr %" + number +
                                      ")\n  ret i32 0\n}\ndeclare void @f(ptr)\n"),
                HasSubstr("error: "));  // with a place, unless LLVM crashes
}

TEST(BadSources, DeepNesting) {
  constexpr std::size_t kDepth = 200'000;
  std::string type = "i32";
  type.insert(0, kDepth, '{').append(kDepth, '}');
  EXPECT_THAT(
      complaint("a.ll", "@g = global " + type + " zeroinitializer\ndefine i32 @main() {\n  ret i32 0\n}\n"),
      HasSubstr("a.ll: error: LLVM cannot read this file"));
}

TEST(SeveralFiles, AreOneProgram) {
  const SourceFolder folder;
  const std::vector<std::string> paths = {
      folder.write("a.c", "extern int x; int get(void); int main() { x = 1; return get(); }"),
      folder.write("b.c", "int x; static int y; int get(void) { return x + y; }"),
      folder.write("c.c", "static int y; int z;")};
  const auto module = c::prepare_module(paths, {});
  ASSERT_TRUE(module.ok()) << all_messages(module.error());
  EXPECT_EQ(stores(module.value(), "x"), 1u);
  EXPECT_EQ(loads(module.value(), "x"), 1u);
}

TEST(SeveralFiles, DefinedTwice) {
  const SourceFolder folder;
  const auto module = c::prepare_module(
      {folder.write("a.c", "int x = 1; int main() {}"), folder.write("b.c", "int x = 2;")}, {});
  ASSERT_FALSE(module.ok());
  EXPECT_THAT(all_messages(module.error()), HasSubstr("b.c: error: "));
  EXPECT_THAT(all_messages(module.error()), HasSubstr("'x'"));
}

TEST(SeveralFiles, AllErrorsAreShown) {
  const SourceFolder folder;
  const auto module = c::prepare_module(
      {folder.write("a.c", "int main() { return a; }"), folder.write("b.c", "int f() { return b; }")}, {});
  ASSERT_FALSE(module.ok());
  EXPECT_THAT(module.error().verbatim, HasSubstr("a.c:1:21"));
  EXPECT_THAT(module.error().verbatim, HasSubstr("b.c:1:18"));
}

TEST(OtherLanguages, PreprocessedAndCpp) {
  EXPECT_EQ(loads(prepared("int x;\nint main() { return x; }", {}, "a.i"), "x"), 1u);
  const auto cpp = prepared(R"(
    #include <atomic>
    std::atomic<int> x;
    struct Guard { Guard() { x.store(1); } ~Guard() { x.store(2); } };
    static Guard global;
    int main() { Guard local; return x.load(); })",
                            {}, "a.cpp");
  ASSERT_NE(cpp.module, nullptr);
  EXPECT_EQ(
      count(cpp, [](const llvm::Instruction& i) { return llvm::isa<llvm::StoreInst>(i) && i.isAtomic(); }),
      4u);
}

}  // namespace weir::pipeline_test
