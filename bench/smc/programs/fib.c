// Two threads add the other's variable to their own N times, while main looks at both (SV-COMP's fib).
#include "threads.h"

static atomic_int x, y;

static void* adder(void* number) {
  atomic_int* own = number_of(number) == 0 ? &x : &y;
  atomic_int* other = number_of(number) == 0 ? &y : &x;
  for (int round = 0; round < N; round++) {
    int sum = load(own);
    store(own, sum + load(other));
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  atomic_init(&x, 1);
  atomic_init(&y, 1);
  create_all(threads, 2, adder);
  assert(load(&x) >= 1 && load(&y) >= 1);
  join_all(threads, 2);
  return 0;
}
