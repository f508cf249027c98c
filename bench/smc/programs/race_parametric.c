// Two threads each write a variable and read the other's value of it, N times: every access is in a race.
#include "threads.h"

static atomic_int x;

static void* racer(void* number) {
  for (int round = 0; round < N; round++) {
    store(&x, 2 * round + number_of(number));
    load(&x);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  atomic_init(&x, 0);
  create_all(threads, 2, racer);
  join_all(threads, 2);
  return 0;
}
