// expect: all safe
// native: 0
// Threads, mutexes and condition variables of <threads.h>.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready, data;
static thrd_t main_thread;

static int producer(void* argument) {
  assert(!thrd_equal(thrd_current(), main_thread));
  mtx_lock(&mutex);
  data = *(int*)argument;
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  thrd_yield();
  return 17;
}

int main(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&condition) == thrd_success);
  main_thread = thrd_current();
  static int argument = 5;
  thrd_t t;
  assert(thrd_create(&t, producer, &argument) == thrd_success);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&condition, &mutex);
  assert(data == 5);
  mtx_unlock(&mutex);
  int result;
  assert(thrd_join(t, &result) == thrd_success && result == 17);
  mtx_destroy(&mutex);
  cnd_destroy(&condition);
  return 0;
}
