// expect: all safe
// native: 0
// Whoever calls pthread_once while another thread runs the function waits for its end.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int steps;

static void slow(void) {
  steps++;
  steps++;
}
static void* worker(void* unused) {
  pthread_once(&once, slow);
  assert(steps == 2);
  return unused;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}
