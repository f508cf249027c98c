// expect: all safe
// compiler: -m32
// Sizes, alignments and layouts of i386: 64-bit members are aligned to 4 bytes in structures.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(long long) == 8, "ILP32");
_Static_assert(sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4 && sizeof(uintptr_t) == 4, "");
_Static_assert(sizeof(pthread_t) == 4 && sizeof(pthread_mutex_t) == 24 && sizeof(pthread_attr_t) == 36, "");
_Static_assert(LONG_MAX == INT_MAX && ULONG_MAX == UINT_MAX && PTRDIFF_MAX == INT_MAX, "");

struct mixed {
  char letter;
  long long wide;
  short half;
  double real;
  void *pointer;
  long last;
};
_Static_assert(offsetof(struct mixed, wide) == 4 && offsetof(struct mixed, half) == 12, "");
_Static_assert(offsetof(struct mixed, real) == 16 && offsetof(struct mixed, pointer) == 24, "");
_Static_assert(sizeof(struct mixed) == 32 && _Alignof(struct mixed) == 4, "");

struct fields {
  unsigned long low : 12, high : 20;
  long long wide : 40;
  unsigned long long rest : 24;
};
_Static_assert(sizeof(struct fields) == 12, "");

union view {
  void *pointer;
  unsigned long word;
  unsigned char bytes[4];
  long long wide;
};

static struct mixed table[3] = {{'a', 1ll << 40, 2, 0.5, table, -1}, {'b', -2, 3, 1.5, &table[2].wide, 7}};

int main(void) {
  assert((char *)&table[1] - (char *)&table[0] == 32);
  assert(table[0].wide == 1ll << 40 && table[0].pointer == table && table[0].last == -1);
  assert(*(long long *)table[1].pointer == 0);
  struct mixed *copy = &table[2];
  *copy = table[0];
  copy->wide++;
  assert(copy->wide == (1ll << 40) + 1 && copy->half == 2 && copy->real == 0.5 && copy->last == -1);
  assert(*(long long *)table[1].pointer == copy->wide);
  struct fields fields = {0xabc, 0xfffff, -5, 9};
  fields.high++;
  fields.wide *= 1ll << 30;
  assert(fields.low == 0xabc && fields.high == 0 && fields.wide == -5ll * (1 << 30) && fields.rest == 9);
  union view view = {.wide = 0x1122334455667788};
  assert(sizeof view == 8 && view.word == 0x55667788 && view.bytes[0] == 0x88);
  view.pointer = &table[1];
  assert(view.word == (uintptr_t)&table[1] && ((struct mixed *)view.word)->half == 3);
  return 0;
}
