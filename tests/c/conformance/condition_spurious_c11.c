// expect: all unsafe assertion
// C11: a wait may end without a signal.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready;

static int producer(void* unused) {
  (void)unused;
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  thrd_create(&t, producer, NULL);
  mtx_lock(&mutex);
  if (!ready) cnd_wait(&condition, &mutex);
  assert(ready);
  mtx_unlock(&mutex);
  thrd_join(t, NULL);
  return 0;
}
