// expect: all unsafe deadlock
// A barrier for three that only two reach.
#include <pthread.h>

static pthread_barrier_t barrier;

static void* worker(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_barrier_wait(&barrier);
  pthread_join(t, NULL);
  return 0;
}
