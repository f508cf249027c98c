// expect: all safe
// native: 0
// goto: out of nested loops, backwards, and into the error path of a function.
#include <assert.h>

static int find(int wanted) {
  int i, j;
  for (i = 0; i < 5; i++) {
    for (j = 0; j < 5; j++) {
      if (i * j == wanted) goto found;
    }
  }
  return -1;
found:
  return 10 * i + j;
}

static int count_back(int n) {
  int steps = 0;
again:
  if (n > 0) {
    n--;
    steps++;
    goto again;
  }
  return steps;
}

static int acquire(int fail_at) {
  int held = 0;
  if (fail_at == 1) goto none;
  held |= 1;
  if (fail_at == 2) goto first;
  held |= 2;
  if (fail_at == 3) goto second;
  return held;
second:
  held &= ~2;
first:
  held &= ~1;
none:
  return held - 1;
}

int main(void) {
  assert(find(6) == 23 && find(16) == 44 && find(7) == -1);
  assert(count_back(6) == 6 && count_back(0) == 0);
  assert(acquire(1) == -1 && acquire(2) == -1 && acquire(3) == -1 && acquire(0) == 3);
  goto end;
  assert(0);
end:
  return 0;
}
