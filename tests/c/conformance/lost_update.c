// expect: all unsafe assertion
// message: count == 2
// Two threads increment an ordinary variable: one increment can be lost.
#include <assert.h>
#include <pthread.h>

static volatile int count;

static void* worker(void* unused) {
  count = count + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
  return 0;
}
