// expect: all unsafe race
// options: --races
// An atomic and an ordinary access of one variable race.
#include <pthread.h>

static int shared;

static void* worker(void* unused) {
  __atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int copy = shared;
  pthread_join(t, NULL);
  return copy == 7;
}
