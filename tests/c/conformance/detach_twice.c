// expect: all unsafe assertion
// message: detached already
// Detaching a thread twice.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_detach(t);
  pthread_detach(t);
  return 0;
}
