// expect: all unsafe assertion
// message: joined already
// Joining a thread twice.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_join(t, NULL);
  return 0;
}
