// Two threads add the variable of the other to their own, N times, modulo M if there is an M; meanwhile main
// checks that neither is beyond the largest Fibonacci number within reach. The smaller M, the more writes
// write the same: the program of Figure 3.7 of [Toman21].
#include "threads.h"

#ifndef N
#define N 3
#endif
#ifdef M
#define REDUCED(sum) ((sum) % M)
#else
#define REDUCED(sum) (sum)
#endif

static atomic_int x = 1, y = 1;

static void add(atomic_int* own, atomic_int* other) {
  for (int round = 0; round < N; round++) {
    int sum = load(own);
    sum += load(other);
    store(own, REDUCED(sum));
  }
}

static void* first(void* unused) {
  add(&x, &y);
  return NULL;
}

static void* second(void* unused) {
  add(&y, &x);
  return NULL;
}

static int largest(void) {
  int before = 1, now = 1;
  for (int i = 0; i < 2 * N; i++) {
    int next = before + now;
    before = now;
    now = next;
  }
  return now;
}

int main(void) {
  int bound = largest();
  start(first, 0);
  start(second, 1);
  assert(load(&x) <= bound && load(&y) <= bound);
  return 0;
}
