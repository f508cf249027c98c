// expect: all safe
// native: 0
// mtx_t: recursive, tried, timed.
#include <assert.h>
#include <threads.h>

static mtx_t recursive, plain;
static int count;

static int worker(void* unused) {
  (void)unused;
  assert(mtx_trylock(&plain) == thrd_busy);
  mtx_lock(&recursive);
  mtx_lock(&recursive);
  count++;
  mtx_unlock(&recursive);
  count++;
  mtx_unlock(&recursive);
  thrd_exit(3);
}

int main(void) {
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_init(&plain, mtx_timed);
  while (mtx_trylock(&plain) != thrd_success) {
  }
  thrd_t t;
  thrd_create(&t, worker, NULL);
  mtx_lock(&recursive);
  while (mtx_trylock(&recursive) != thrd_success) {
  }
  count++;
  mtx_unlock(&recursive);
  count++;
  mtx_unlock(&recursive);
  int result;
  thrd_join(t, &result);
  assert(result == 3 && count == 4);
  mtx_unlock(&plain);
  struct timespec deadline = {100, 0};
  assert(mtx_timedlock(&plain, &deadline) == thrd_success);
  mtx_unlock(&plain);
  return 0;
}
