// expect: all safe
// native: 0
// pthread_exit ends a thread from inside calls, with its result.
#include <assert.h>
#include <pthread.h>

static int reached;

static void leave(int depth) {
  if (depth == 0) pthread_exit(&reached);
  leave(depth - 1);
  assert(0);
}
static void* worker(void* unused) {
  reached = 1;
  leave(3);
  reached = 2;
  return unused;
}

int main(void) {
  pthread_t t;
  void* result;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, &result);
  assert(reached == 1 && result == &reached);
  return 0;
}
