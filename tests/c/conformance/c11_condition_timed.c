// expect: all unsafe assertion
// message: result == thrd_success
// cnd_timedwait may time out, and cnd_broadcast wakes all.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;

static int worker(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  struct timespec deadline = {100, 0};
  mtx_lock(&mutex);
  thrd_t t;
  thrd_create(&t, worker, NULL);
  const int result = cnd_timedwait(&condition, &mutex, &deadline);
  assert(result == thrd_success || result == thrd_timedout);
  mtx_unlock(&mutex);
  thrd_join(t, NULL);
  assert(result == thrd_success);
  return 0;
}
