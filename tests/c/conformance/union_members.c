// expect: all safe
// native: 0
// Unions, read through the member that was written.
#include <assert.h>

enum tag { kInteger, kPointer, kPair };
struct value {
  enum tag tag;
  union {
    long integer;
    int* pointer;
    struct {
      int first, second;
    } pair;
  } as;
};

static struct value integer(long n) {
  struct value v;
  v.tag = kInteger;
  v.as.integer = n;
  return v;
}

static long sum(const struct value* v) {
  switch (v->tag) {
    case kInteger: return v->as.integer;
    case kPointer: return *v->as.pointer;
    case kPair: return v->as.pair.first + v->as.pair.second;
  }
  return -1;
}

union number {
  int i;
  unsigned u;
};
static union number shared;

int main(void) {
  int target = 5;
  struct value a = integer(1l << 40), b, c;
  b.tag = kPointer;
  b.as.pointer = &target;
  c.tag = kPair;
  c.as.pair.first = 3;
  c.as.pair.second = 4;
  assert(sum(&a) == 1l << 40);
  assert(sum(&b) == 5 && sum(&c) == 7);
  target = 6;
  assert(sum(&b) == 6);
  shared.i = -1;
  assert(shared.u == 0xffffffffu);
  union number local = {.u = 0x80000000u};
  assert(local.i < 0);
  assert(sizeof(union number) == 4 && sizeof(a.as) == 8);
  return 0;
}
