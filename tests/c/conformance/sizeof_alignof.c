// expect: all safe
// native: 0
// Sizes and alignments, static assertions.
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

struct padded {
  char a;
  int64_t b;
  char c;
};
struct __attribute__((packed)) tight {
  char a;
  int64_t b;
  char c;
};
struct aligned {
  alignas(16) char a;
};

_Static_assert(sizeof(void*) == 8, "64-bit pointers");
_Static_assert(sizeof(long) == 8 && sizeof(int) == 4 && sizeof(short) == 2, "LP64");

static alignas(64) int line[16];

int main(void) {
  assert(sizeof(struct padded) == 24 && sizeof(struct tight) == 10 && sizeof(struct aligned) == 16);
  assert(alignof(struct padded) == 8 && alignof(struct tight) == 1);
  assert((uintptr_t)line % 4 == 0);
  int a[7];
  assert(sizeof a == 28 && sizeof a / sizeof *a == 7 && sizeof(a + 0) == 8);
  int n = 0;
  assert(sizeof(n++) == 4 && n == 0);
  assert(sizeof "four" == 5);
  assert(sizeof(char) == 1 && sizeof(float) == 4 && sizeof(double) == 8);
  return 0;
}
