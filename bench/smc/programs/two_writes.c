// N threads write one variable twice each: (2 N)! / 2^N executions.
#include "threads.h"

static atomic_int x;

static void* writer(void* number) {
  store(&x, 1);
  store(&x, 2 + number_of(number));
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&x, 0);
  create_all(threads, N, writer);
  join_all(threads, N);
  return 0;
}
