// expect: all unsafe assertion
// message: first == second
// Two reads of a volatile or ordinary shared variable are two reads.
#include <assert.h>
#include <pthread.h>

static int shared;

static void* worker(void* unused) {
  shared = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int first = shared;
  int second = shared;
  assert(first == second);
  pthread_join(t, NULL);
  return 0;
}
