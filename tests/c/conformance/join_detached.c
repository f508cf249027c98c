// expect: all unsafe assertion
// message: joins a detached thread
// Joining a thread that was detached.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_detach(t);
  pthread_join(t, NULL);
  return 0;
}
