// expect: error
// message: pthread_cancel
// Cancelling threads is not supported, and that is said.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  return 0;
}
