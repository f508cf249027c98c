// expect: all unsafe assertion
// message: error == 0
// A timed wait may time out; without any signal it surely does, and is no deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec deadline = {100, 0};
  pthread_mutex_lock(&mutex);
  int error = pthread_cond_timedwait(&condition, &mutex, &deadline);
  assert(error == 0 || error == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  assert(error == 0);
  return 0;
}
