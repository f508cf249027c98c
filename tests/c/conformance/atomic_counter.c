// expect: all safe
// native: 0
// Threads that count with atomic additions lose nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void* worker(void* unused) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  count++;
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(count == 6);
  return 0;
}
