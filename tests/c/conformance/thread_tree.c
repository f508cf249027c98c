// expect: all safe
// native: 0
// Threads that create several threads: all of them run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void* leaf(void* unused) {
  count++;
  return unused;
}

static void* middle(void* unused) {
  pthread_t a, b;
  pthread_create(&a, NULL, leaf, NULL);
  pthread_create(&b, NULL, leaf, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(pthread_equal(a, b) == 0);
  count++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, middle, NULL);
  pthread_create(&b, NULL, middle, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 6);
  return 0;
}
