// expect: all unsafe assertion
// A timed wait that says it was signalled may have ended without a signal.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline = {1, 0};
  pthread_mutex_lock(&mutex);
  int error = pthread_cond_timedwait(&condition, &mutex, &deadline);
  assert(error != 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
