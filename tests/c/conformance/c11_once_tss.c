// expect: all safe
// native: 0
// call_once and thread-specific storage of <threads.h>.
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int runs, destroyed;
static thread_local int own = 4;

static void initialise(void) { runs++; }
static void destroy(void* value) { destroyed += *(int*)value; }

static int worker(void* unused) {
  (void)unused;
  static int value = 6;
  call_once(&once, initialise);
  assert(runs == 1 && own == 4);
  own = 5;
  assert(tss_get(key) == NULL);
  tss_set(key, &value);
  assert(tss_get(key) == &value);
  return 0;
}

int main(void) {
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_t t;
  thrd_create(&t, worker, NULL);
  call_once(&once, initialise);
  assert(runs == 1);
  thrd_join(t, NULL);
  assert(destroyed == 6 && own == 4);
  tss_delete(key);
  return 0;
}
