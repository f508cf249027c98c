// expect: all safe
// Who tries again does not notice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void* worker(void* unused) {
  int old = atomic_load(&count);
  while (!atomic_compare_exchange_weak(&count, &old, old + 1)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  assert(count == 2);
  return 0;
}
