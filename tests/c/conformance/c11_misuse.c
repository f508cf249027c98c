// expect: all unsafe assertion
// message: unlocks a mutex that it does not hold
// mtx_unlock by a thread that does not hold the mutex.
#include <threads.h>

static mtx_t mutex;

static int worker(void* unused) {
  (void)unused;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  mtx_lock(&mutex);
  thrd_t t;
  thrd_create(&t, worker, NULL);
  thrd_join(t, NULL);
  return 0;
}
