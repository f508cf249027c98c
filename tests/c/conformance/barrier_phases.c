// expect: all safe
// native: 0
// A barrier, used twice; one of the threads is told to be the serial one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static int x, y;
static atomic_int serial;

static void wait_here(void) {
  int result = pthread_barrier_wait(&barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  if (result) serial++;
}
static void* worker(void* unused) {
  x = 1;
  wait_here();
  assert(y == 1);
  wait_here();
  y = 2;
  return unused;
}

int main(void) {
  assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  y = 1;
  wait_here();
  assert(x == 1);
  wait_here();
  pthread_join(t, NULL);
  assert(y == 2 && serial == 2);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
