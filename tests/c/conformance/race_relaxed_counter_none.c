// expect: all safe
// options: --races
// Relaxed updates of a counter race with nothing, and joining orders the rest.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int parts[2];

static void* worker(void* part) {
  *(int*)part = 1;
  atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &parts[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(parts[0] + parts[1] == atomic_load_explicit(&counter, memory_order_relaxed));
  return 0;
}
