// expect: all unknown
// message: pthread_cancel
// Cancelling threads is not supported: an execution that gets there is followed no further.
#include <pthread.h>

static void* worker(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  return 0;
}
