// expect: all safe
// native: 0
// Attributes that verification programs and kernels carry: they change nothing here.
#include <assert.h>
#include <stdlib.h>

extern void __attribute__((noreturn)) unused_function(void) __attribute__((cold));
static inline __attribute__((always_inline)) int inlined(int x) { return x + 1; }
static __attribute__((noinline)) int not_inlined(int x) { return x + 2; }
static int pure_function(int x) __attribute__((const));
static int pure_function(int x) { return x * 2; }
static int unused_variable __attribute__((unused));
static int in_section __attribute__((section("data_here"))) = 3;
static int aligned __attribute__((aligned(32))) = 4;
static int weak_function(void) { return 5; }
int alias_target(void) { return 6; }
int aliased(void) __attribute__((alias("alias_target")));
__attribute__((weak)) int weak(void) { return 7; }
static int likely(int x) { return __builtin_expect(!!x, 1); }
__attribute__((deprecated)) static int old(void) { return 8; }
__attribute__((format(printf, 1, 2))) static int formatted(const char* f, ...) { return f[0]; }
__attribute__((nonnull)) static int first(const int* p) { return *p; }
__attribute__((malloc)) static int* fresh(void) { return malloc(sizeof(int)); }
static int cleaned;
static void add_ten(int* p) { cleaned = *p + 10; }

int main(void) {
  assert(inlined(1) == 2 && not_inlined(1) == 3 && pure_function(4) == 8);
  assert(in_section == 3 && aligned == 4 && weak_function() == 5);
  assert(aliased() == 6 && weak() == 7 && likely(9) == 1 && old() == 8);
  assert(formatted("%d", 1) == '%' && first(&aligned) == 4);
  int* p = fresh();
  *p = 1;
  free(p);
  { int scoped __attribute__((cleanup(add_ten))) = 1; }
  assert(cleaned == 11);
  return 0;
}
