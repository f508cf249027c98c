// expect: all safe
// native: 0
// A thread that creates a thread and joins it.
#include <assert.h>
#include <pthread.h>

static int order;

static void* inner(void* unused) {
  order = 10 * order + 2;
  return unused;
}
static void* outer(void* unused) {
  pthread_t t;
  order = 10 * order + 1;
  pthread_create(&t, NULL, inner, NULL);
  pthread_join(t, NULL);
  order = 10 * order + 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, outer, NULL);
  pthread_join(t, NULL);
  assert(order == 123);
  return 0;
}
