// expect: all safe
// options: --no-spurious-wakeups
// compiler: -m32
#include <assert.h>
#include <threads.h>

static mtx_t mutex, recursive;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int ready, made;

static void make(void) { made = 1; }

static int worker(void *argument) {
  call_once(&once, make);
  mtx_lock(&recursive);
  mtx_lock(&recursive);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  mtx_lock(&mutex);
  ready = *(int *)argument;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return -3;
}

int main(void) {
  thrd_t thread;
  int given = 4, result = 0;
  mtx_init(&mutex, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  cnd_init(&changed);
  thrd_create(&thread, worker, &given);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  thrd_join(thread, &result);
  assert(result == -3 && ready == 4 && made == 1);
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}
