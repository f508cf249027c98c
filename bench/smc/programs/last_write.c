// N threads write a variable, and main reads it after all have ended: N! executions, N up to reads-from.
#include "threads.h"

static atomic_int x;

static void* writer(void* number) {
  store(&x, number_of(number) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&x, 0);
  create_all(threads, N, writer);
  join_all(threads, N);
  assert(load(&x) != 0);
  return 0;
}
