// expect: all unsafe assertion
// options: --unroll 8
// A loop without end, checked up to a bound.
#include <assert.h>
#include <pthread.h>

static volatile int stop;

static void* worker(void* unused) {
  stop = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int rounds = 0;
  while (!stop) rounds++;
  assert(rounds < 4);
  pthread_join(t, NULL);
  return 0;
}
