// One thread writes a variable that N others each read once: 2^N executions.
#include "threads.h"

static atomic_int x;

static void* access(void* number) {
  if (number_of(number) == 0)
    store(&x, 42);
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
