// expect: sc safe, tso safe
// package: libatomic-ops-dev
#include <assert.h>
#include <atomic_ops.h>
#include <pthread.h>

static AO_t counter;

static void *add(void *none) {
  AO_fetch_and_add1(&counter);
  AO_fetch_and_add(&counter, 2);
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(AO_load(&counter) == 6);
  return 0;
}
