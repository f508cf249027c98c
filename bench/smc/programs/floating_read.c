// N threads write a variable and another reads it: (N + 1)! executions, N + 1 up to reads-from.
#include "threads.h"

static atomic_int x;

static void* access(void* number) {
  if (number_of(number) < N)
    store(&x, number_of(number) + 1);
  else
    load(&x);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  atomic_init(&x, 0);
  create_all(threads, N + 1, access);
  join_all(threads, N + 1);
  return 0;
}
